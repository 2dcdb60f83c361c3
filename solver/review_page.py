"""A review as a page that needs nothing else: its curves, its worst moves, and the table at each move.

    whole_page(review(record))      # the text of an HTML file

The curves show what the player could know, and what hindsight proves. A tap on a move, or an arrow key, shows its
table. Drawers are found as in notebooks (`solver.notebook_drawing`); without one the table's line is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from string import Template
from typing import Any, Final

from solver.games import find_game
from solver.notebook_drawing import draw_tables
from solver.record import DEAL, Step
from solver.solution import Verdict

Review = Any
"""A `solver.game_review.Review`, which draws itself by this module, so that this one cannot import it."""
ReviewedMove = Any
Chance = Any
Say = Callable[[str], str]
"""A text with the moves in it as people say them."""
HEIGHT: Final = 220
"""Of the curves, px, on a phone as on a wide window."""
TOP: Final = 10
"""Room above them, px; below there is `FOOT` for the numbers of the moves."""
FOOT: Final = 34
DOT: Final = 8
"""Width of a chance alone between two gaps, px."""
MOST_TICKS: Final = 5
"""Numbers of moves below the curves, so that they stay apart on a phone."""
GRID: Final = (0.0, 0.5, 1.0)
"""Shares at which a line is drawn."""
CURVES: Final = (("Blue", "#1f77b4"), ("Red", "#d62728"))
LEGENDS: Final = (
    (
        "Chance to win after each move",
        (
            "your chance by what you could see then; in the list it stands behind the move",
            "the chance with all the cards that came up later; those that never did may lie anyhow",
        ),
        "Red may fall after a good move too: nobody could know how the cards lay. It may rise, as the search finds more"
        " wins the nearer the end is. All chances are estimates: a hint at the same table thinks longer, and may tell a"
        " few games of 100 more or fewer.",
    ),
    ("What each turn played", ("the share of the hand that each turn played",), ""),
)
"""What the curves show, each of them, and why it may move so; the second where moves are whole turns."""
UNKNOWN: Final = "What happened here is not known"
"""What is said of a gap in the record."""
GUESS: Final = "The photos leave something open, so this review may be wrong."

_HTML: Final = '<html lang="en">'
_PAGE: Final = Template("""<!doctype html>
$html<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title><style>
:root{color-scheme:light dark;--paper:#fff;--ink:#1d2129}
@media(prefers-color-scheme:dark){:root{--paper:#15191c;--ink:#f0efe9}}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:0 1rem 3rem;
color:var(--ink);background:var(--paper)}
h1{font-size:1.5rem;line-height:1.3}h2{font-size:1.2rem}
figure svg{max-width:100%;height:auto}button{font:inherit;text-align:left;border:1px solid #8a929c;border-radius:.4rem;
background:var(--paper);color:inherit;padding:.45rem .7rem;min-height:2.75rem;cursor:pointer}
button[aria-current=true]{background:#24543f;color:#fff}
ol,#walk{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.4rem}figure{margin:1rem 0}
figcaption{margin-bottom:.6rem}details{margin-bottom:1rem}summary{cursor:pointer}
[data-mark="costs"]{border-left:.5rem solid #e08b00}[data-mark="threw it away"]{border-left:.5rem solid #c4122f}
html:not([data-play-at]) [data-line]{display:none}
.plot{cursor:pointer}.line{overflow-wrap:anywhere}.photo{display:block;max-width:100%;max-height:20rem;margin-top:.5rem}
</style></head><body><h1>$title</h1>
$detail
$worst<h2>$what</h2>$legend
$plot<p>Tap the curve or a move in the list.</p>
<p id="walk"><button type="button" data-by="-1">Move before</button>
<button type="button" data-by="1">Next move</button>
<button type="button" data-line="">Open this table</button>
<button type="button" data-line="" data-before="1">Try another move instead</button></p>
<div id="tables">$tables</div>$rescue<h2>All moves</h2>$meanings<ol id="moves">$moves</ol>
<script>
const tables=[...document.querySelectorAll("#tables figure")],marks=[...document.querySelectorAll("[data-move]")];
const {playAt}=document.documentElement.dataset;
let kept=null;try{kept=playAt&&parent.sessionStorage}catch{} // the browser may keep nothing
if(kept)kept.setItem("reviewed",parent.location.href); // the way back from a table that is played on
const place=playAt&&"review $first "+parent.location.search;
let now=0;
function show(n){now=Math.max(0,Math.min(tables.length-1,n));
if(kept)kept.setItem(place,now);
document.querySelector("[data-before]").disabled=!now;
tables.forEach((t,k)=>{t.hidden=k!==now});
marks.forEach(b=>{if(b.tagName==="BUTTON")b.setAttribute("aria-current",Number(b.dataset.move)===now)});
document.getElementById("cursor").setAttribute("transform",`translate($${now} 0)`)}
const walk=document.getElementById("walk");
marks.forEach(b=>b.addEventListener("click",()=>{show(Number(b.dataset.move));
if(b.closest("ol"))walk.scrollIntoView({block:"start"})}));
walk.addEventListener("click",e=>{const by=e.target.dataset.by;if(by)show(now+Number(by))});
const plot=document.querySelector(".plot");
plot.addEventListener("click",e=>{const box=plot.querySelector("svg").getBoundingClientRect();
show(Math.round((e.clientX-box.left)/box.width*(tables.length-1)))});
addEventListener("keydown",e=>{const by={ArrowLeft:-1,ArrowRight:1}[e.key];if(by){show(now+by);e.preventDefault()}});
const lines=$lines,made=$made;
document.querySelectorAll("[data-line]").forEach(b=>b.addEventListener("click",()=>{
// The link is one of the page around this one: a frame may not lead it elsewhere, but it may have a link of its own.
const a=parent.document.createElement("a"),line=b.dataset.line||lines[now-(b.dataset.before||0)];
const instead=b.dataset.before?"&made="+encodeURIComponent(now+" "+made[now-1]):"";
a.href=playAt+encodeURIComponent(line)+instead;a.click()}));
show(Number(kept&&kept.getItem(place)||$first));
</script></body></html>
""")


def whole_page(review: Review) -> str:
    """The HTML file of a review. Nothing can be played on there: see `framed_page`."""
    first = review.worst[0].number if review.worst else review.lost_at or 0
    return _PAGE.substitute(
        html=_HTML,
        title=escape(_say_of(review)(review.headline)),
        detail=_detail(review),
        worst=_worst(review),
        what=LEGENDS[review.is_by_turn][0],
        legend=_legend(review),
        plot=draw_curves(review),
        tables="".join(_tables(review)),
        rescue=_rescue(review),
        lines=_in_script(list(map(str, review.tables))),
        made=_in_script([move.move for move in review.moves]),
        meanings=_paragraphs(review.meanings),
        moves="".join(_listed(review)),
        first=first,
    )


def framed_page(page: str, play_at: str, photos: Mapping[str, str]) -> str:
    """The page of a review inside another page, where any of its tables can be played on and its photos are seen.

    Args:
        page: The file's text.
        play_at: The address at which a table is played on, up to its line, seen from the page around this one.
        photos: The addresses of the photos that are still there, by name.
    """
    for name, address in photos.items():
        photo = f'<img class="photo" src="{escape(address)}" alt="{escape(name)}" loading="lazy">'
        page = page.replace(_photo_place(name), photo)
    return page.replace(_HTML, f'{_HTML[:-1]} data-play-at="{escape(play_at)}">', 1)


def notebook_view(review: Review) -> str:
    """A review as a notebook shows it: its curves, and the tables before the worst moves."""
    say = _say_of(review)
    before = [(f"{move.number}. {say(move.move)}", review.record.positions[move.number - 1]) for move in review.worst]
    drawn = draw_tables([(words, table.to_json()) for words, table in before]) if before else ""
    told = f"<h3>{escape(say(review.headline))}</h3>{_detail(review)}"
    return f"{told}{draw_curves(review)}{_worst(review)}<div>{drawn or ''}</div>"


def draw_curves(review: Review) -> str:
    """Both chances over the moves, in HTML; a gap where the record has one, or where a proof was given up.

    Of a move without a choice no chance was asked: the curve goes on to the next move of which one was.

    The curves take all the width that there is, a move one unit of it. Their labels are no part of the picture, so that
    they keep the size of the page's text.
    """
    known = [None, *(move.known for move in review.moves)]
    hindsight = [review.start, *(move.hindsight for move in review.moves)]
    moves = ["", *(move.move for move in review.moves)]
    size = max(1, len(review.moves))
    line = "fill='none' vector-effect='non-scaling-stroke'"
    curves = "".join(
        # A point alone stands twice, else it would not be drawn.
        f"<polyline points='{' '.join(points if len(points) > 1 else 2 * points)}' {line} stroke='{colour}' "
        f"stroke-linecap='round' stroke-width='{2 if len(points) > 1 else DOT}'><title>{name}</title></polyline>"
        for (name, colour), chances in zip(CURVES, (known, hindsight), strict=True)
        for points in _runs(chances, moves)
    )
    grid = "".join(f"<path d='M0 {100 * share:g}H{size}' {line} stroke='#8884'/>" for share in GRID)
    cursor = f"<path id='cursor' d='M0 0V100' {line} stroke='#2f8a63' stroke-width='2'/>"
    shares = "".join(
        f"<span style='position:absolute;top:{TOP + (1 - share) * HEIGHT - 9:g}px'>{share:.0%}</span>" for share in GRID
    )
    numbers = "".join(
        f"<span style='position:absolute;left:{100 * n / size:g}%;top:{HEIGHT + 8}px;transform:translateX(-50%)'>"
        f"{n or 'start'}</span>"
        for n in range(0, size + 1, _tick(size))
    )
    return (
        f"<div class='plot' style='position:relative;height:{TOP + HEIGHT + FOOT}px;font:14px/18px sans-serif'>"
        f"{shares}<div style='position:absolute;left:46px;right:16px;top:{TOP}px;height:{HEIGHT}px'>"
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {size} 100' preserveAspectRatio='none' width='100%' "
        f"height='{HEIGHT}' style='display:block;overflow:visible' role='img' "
        "aria-label='chance to win after each move'>"
        f"{grid}{curves}{cursor}</svg>{numbers}</div></div>"
    )


def _tick(size: int) -> int:
    """Between how many moves numbers stand below the curves: 1, 2 or 5, or ten times as many, and so on.

    >>> [_tick(size) for size in (1, 4, 5, 12, 156, 300)]
    [1, 1, 2, 5, 50, 100]
    """
    return next(int(step) for step in (k * 10**n for n in range(9) for k in (1, 2, 5)) if size / step < MOST_TICKS)


def _runs(chances: Sequence[Chance | None], moves: Sequence[str]) -> Iterator[list[str]]:
    """The points of a curve, in a piece for each stretch without a gap; `moves` are empty at those of the record.

    >>> from solver.game_review import Chance
    >>> list(_runs([None, Chance(1, 0, 2), None, Chance(1, 0, 4), None, Chance(0, 0, 2)], ["", "a", "b", "c", "", "d"]))
    [['1,50.0', '3,75.0'], ['5,100.0']]
    """
    points: list[str] = []
    for n, (chance, move) in enumerate(zip([*chances, None], [*moves, ""], strict=True)):
        if chance is not None and not (chance.proved and chance.undecided):
            points.append(f"{n},{100 * (1 - chance.share):.1f}")
        elif points and (chance is not None or not move):
            yield points
            points = []


def _legend(review: Review) -> str:
    """What each curve shows, a line of its colour before each, and why it may move so."""
    _, meanings, why = LEGENDS[review.is_by_turn]
    lines = (
        f"<b><span style='color:{colour}'>&#9473;</span> {name}</b>: {meaning}."
        for (name, colour), meaning in zip(CURVES, meanings, strict=False)  # by turns there is one curve alone
    )
    folded = f"<details><summary>Why it rises and falls</summary>{why}</details>" if why else ""
    return f"<p>{'<br>'.join(lines)}</p>{folded}"


def _detail(review: Review) -> str:
    return _paragraphs((*map(_say_of(review), review.notes), GUESS * review.is_guess))


def _paragraphs(texts: Iterable[str]) -> str:
    return "".join(f"<p>{escape(text)}</p>" for text in texts if text)


def _worst(review: Review) -> str:
    if not review.worst:
        return ""
    return f"<h2>The moves that cost most</h2><ol>{_list(review, review.worst)}</ol>"


def _say_of(review: Review) -> Say:
    """What says the moves of a game; they stay as they are in one whose package has nothing for it."""
    say: Say = getattr(find_game(review.record.game).solver, "describe_moves", str)
    return say


def _list(review: Review, moves: Sequence[ReviewedMove]) -> str:
    return "".join(f"<li>{_button(review, [move])}</li>" for move in moves)


def _listed(review: Review) -> Iterator[str]:
    """All moves in a list; the same one several times in a row, as turns of the stock, is one entry."""
    for _, same in groupby(review.moves, key=lambda move: (review.named(move), move.verdict, review.better(move))):
        yield f"<li>{_button(review, list(same))}</li>"


def _button(review: Review, same: Sequence[ReviewedMove]) -> str:
    """What shows the table after a move, or after the last of several that are the same."""
    first, last = same[0], same[-1]
    colour = "" if review.is_guess or not last.is_sure else last.mark or ""
    better = f"; {told}" if (told := review.better(last)) else ""
    number = f"{first.number} to {last.number}" if len(same) > 1 else last.number
    judged = f" ({last.verdict}{better})" if last.verdict else ""
    words = f"{number}. {review.named(last) or UNKNOWN}{_times(len(same))}{judged}"
    said = escape(_say_of(review)(words)) + f" <b>{last.percent}</b>" * bool(last.percent)
    return f'<button type="button" data-move="{last.number}" data-mark="{colour}">{said}</button>'


def _tables(review: Review) -> Iterator[str]:
    """The table at the start and after each move, with what is told of the move."""
    record = review.record
    steps = (Step(photos=record.photos[0]), *record.steps)
    for n, (table, step, unseen) in enumerate(zip(record.positions, steps, record.unseen, strict=True)):
        words = "Here the record begins." if n == 0 else _say_of(review)(_words(review, review.moves[n - 1]))
        drawn = draw_tables([("", table.to_json())]) or f"<p class='line'>{escape(str(table))}</p>"
        doubt = f"{unseen}: it may have gone otherwise." if unseen else ""
        said = " ".join(filter(None, (doubt, words, _say_of_step(step))))
        photos = "".join(map(_photo_place, step.photos))
        yield f"<figure{' hidden' if n else ''}><figcaption>{escape(said)}</figcaption>{drawn}{photos}</figure>"


def _photo_place(name: str) -> str:
    """Where a photo may be put: a file that is sent to others holds none."""
    return f'<i data-photo="{escape(name)}"></i>'


def _say_of_step(step: Step) -> str:
    """The photos that were taken after a step, and what was said of it."""
    shown = f"Seen in {', '.join(step.photos)}." if step.photos else ""
    return f"{shown} {step.comment}".strip()


def _words(review: Review, move: ReviewedMove) -> str:
    """What is told of a move."""
    named = review.named(move)
    told = [f"Move {move.number}: {named}." if named else f"{move.number}. {UNKNOWN}."]
    if move.known is not None:
        told.append(f"Known then: {move.known.in_words}.")
    if move.luck:
        told.append(f"There was {move.luck}.")
    if move.better and move.best_known is not None:
        told.append(f"Better: {review.best_named(move).removesuffix('.')}, {move.best_known.in_words}.")
    if move.hindsight is not None:
        can_be = {Verdict.WIN: "it can be won", Verdict.NO_WIN: "it can no longer be won"}
        chance = can_be.get(move.hindsight.verdict, move.hindsight.in_words)
        cards = "all of its cards" if DEAL in review.record.headers else "all the cards that the game showed"
        told.append(f"With hindsight, {review.supposed or f'so with {cards}'}: {chance}.")
    return " ".join(told)


def _rescue(review: Review) -> str:
    if review.rescue is None:
        return ""
    say, runs = _say_of(review), groupby(review.rescue_steps)
    steps = "".join(f"<li>{escape(say(step))}{_times(len(list(same)))}</li>" for step, same in runs)
    where = "the last table" if review.lost_at is None else f"before move {review.lost_at}"
    play_on = f'<button type="button" data-line="{escape(str(review.rescue.position))}">Open that table</button>'
    supposed = f", {review.supposed}" if review.supposed else ""
    return f"<h2>The line that wins, from {where}{supposed}</h2><ol class='line'>{steps}</ol>{play_on}"


def _times(count: int) -> str:
    return f", {count} times" if count > 1 else ""


def _in_script(value: object) -> str:
    """A value as a script holds it: no text may end the script."""
    return json.dumps(value).replace("<", "\\u003c")
