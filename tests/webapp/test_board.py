"""The component's script: modules that a browser can load, put one after the other."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from webapp.board import FOLDER, ServedEvents, script

NODE = shutil.which("node")
MODULES = sorted(FOLDER.glob("*.js"))


def test_every_module_is_in_the_script_once() -> None:
    for module in MODULES:
        if module.stem != "main":
            assert script().count(f"const m_{module.stem} = ") == 1
    assert script().count("export default") == 1
    assert not re.search(r"^(import|export (?!default))", script(), re.MULTILINE)


def test_the_board_needs_no_other_address() -> None:
    addresses = set(re.findall(r"https?://[^\"' `]+", script() + (FOLDER / "style.css").read_text(encoding="utf-8")))
    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_the_small_font_has_every_sign_that_is_shown() -> None:
    pytest.importorskip("fontTools")
    from fontTools.ttLib import TTFont

    from tools.icon_font import FONT, PAGE, signs

    files = (path for path in PAGE.rglob("*") if path.suffix in (".js", ".py", ".css"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    shown = re.findall(r"""(?:icon\(|"?sign"?[:=] ?|content: |button\([^,()]+, )"([a-z][a-z0-9_]+)\"""", text)
    assert len(shown) > 40
    assert set(shown) <= {name for name, _ in signs(TTFont(FONT))}


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
def test_modules_and_script_are_valid(tmp_path: Path) -> None:
    joined = tmp_path / "script.mjs"
    joined.write_text(script(), encoding="utf-8")
    for path in (*MODULES, joined):
        command = [str(NODE), "--check", "--input-type=module"]
        done = subprocess.run(
            command, input=path.read_text(encoding="utf-8"), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def check(folder: Path, code: str, **modules: str) -> None:
    """Runs code in node that imports modules by their names, and throws what is wrong."""
    for name, text in {**modules, "check": code}.items():
        (folder / f"{name}.mjs").write_text(text, encoding="utf-8")
    done = subprocess.run([str(NODE), str(folder / "check.mjs")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


FACES = """
import { face, listed, mark, named, pretty, spoken, RANKS, SUITS, BACK } from "./cards.mjs";
const names = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit)).concat([BACK, ""]);
for (const beside of [false, true]) {
  const drawings = names.map((name) => face(name, beside));
  if (new Set(drawings).size !== names.length) throw new Error("two cards look alike");
}
const shapes = [..."CDHS"].map((suit) => face(`7${suit}`).match(/ d="([^"]+)"/g).join());
if (new Set(shapes).size !== 4) throw new Error("suits differ in colour only");
for (const stray of ["<b", "1H", "7X", "XH", "0C", "7HH"]) {
  let refused = false;
  try { face(stray); } catch { refused = true; }
  if (!refused) throw new Error(`${stray} was drawn`);
}
const signs = ["selected", "doubtful", "fault", "moved"].map((name) => mark(name).match(/<path d="([^"]+)"/)[1]);
if (new Set(signs).size !== 4) throw new Error("marks differ in colour only");
if (new Set(names.map(spoken)).size !== names.length) throw new Error("two cards are called alike");
const words = (text) => text.match(/\\w+/g);
for (const card of names.slice(0, 52))
  if (!words(named(card)).includes(words(pretty(card))[0])) throw new Error(`${card} is not called as it shows`);
if (pretty("TH") !== "10♥\ufe0e") throw new Error(pretty("TH"));
const rows = [[[BACK, BACK], "2 face down"],
  [["9S", BACK], "9♠\ufe0e, 1 face down"], [["9S", "TS"], "9♠\ufe0e 10♠\ufe0e"]];
for (const [cards, told] of rows)
  if (listed(cards) !== told) throw new Error(listed(cards));
"""


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
def test_cards_are_told_apart_and_stray_text_is_never_drawn(tmp_path: Path) -> None:
    check(tmp_path, FACES, cards=(FOLDER / "cards.js").read_text(encoding="utf-8"))


UNFOLDED = """
class Made {
  constructor(tag) { Object.assign(this, { tag, children: [], dataset: {}, attributes: {} }); }
  append(...children) { this.children.push(...children); }
  setAttribute(name, value) { this.attributes[name] = value; }
  all() { return [this, ...this.children.flatMap((child) => child.all?.() || [])]; }
}
globalThis.document = { createElement: (tag) => new Made(tag), createElementNS: (_, tag) => new Made(tag) };
globalThis.window = { addEventListener: () => {}, matchMedia: () => ({ matches: false }) };
const { adviceView } = await import("./view.mjs");
const app = { tool: () => new Made("button") };
const draw = () => adviceView({ advice: { headline: "Next", detail: "", rows: [["draw", "50%", ""]] } }, app)
  .flatMap((part) => part.all()).find(({ tag }) => tag === "details");
if ("open" in draw().attributes) throw new Error("it is folded at first");
draw().ontoggle({ target: { open: true } });
if (!("open" in draw().attributes)) throw new Error("it was folded as it was drawn anew");
draw().ontoggle({ target: { open: false } });
if ("open" in draw().attributes) throw new Error("a person has folded it");
"""


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
def test_the_list_of_all_moves_stays_unfolded_when_it_is_drawn_anew(tmp_path: Path) -> None:
    check(tmp_path, UNFOLDED, view=f"{script('best_move_view')}\nexport {{ adviceView }};\n")


TARGETS = """
globalThis.window = { addEventListener: () => {} };
const { CardView } = await import("./view.mjs");
const offered = (most, count, card) => {
  const zones = [{ kind: "height", path: "foundations/C", title: "foundation", count, most, spots: [] }];
  const app = { board: { laid: { sections: [{ zones }] } } };
  return CardView.prototype.slots.call({ app }, card, { path: "stock" }).length;
};
for (const [most, ranks] of [[13, "A23456789TJQK"], [26, "KQJT98765432AKQJT98765432A"]])
  [...ranks].forEach((next, count) => [..."A23456789TJQK"].forEach((rank) => {
    if (offered(most, count, `${rank}C`) !== Number(rank === next)) throw new Error(`${rank} after ${count}`);
  }));
"""


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
def test_a_card_is_offered_the_foundation_that_it_tops(tmp_path: Path) -> None:
    check(tmp_path, TARGETS, view=f"{script('card_view')}\nexport {{ CardView }};\n")


WHITE = """
const { loadIfWhite } = await import("./arrival.mjs");
const loads = (pathname, ...seen) => {
  let count = 0;
  loadIfWhite(() => seen.shift(), () => { count += 1; }, (then) => then(), { pathname });
  return count;
};
if (loads("/klondike", true, true) !== 1) throw new Error("a page that stays white is loaded anew");
if (loads("/tomb", true, false) || loads("/tomb", false)) throw new Error("one that comes late, or is there, is not");
if (loads("/chances", true, true)) throw new Error("one that has no board is not");
"""


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
def test_a_page_that_stays_white_is_loaded_anew(tmp_path: Path) -> None:
    check(tmp_path, WHITE, arrival=(FOLDER / "arrival.js").read_text(encoding="utf-8"))


def test_only_so_many_events_are_remembered() -> None:
    heard = ServedEvents()
    assert len(list(heard.new([{"stamp": n + 0.5, "name": "undo"} for n in range(1000)]))) == 1000
    assert list(heard.new("nonsense")) == list(heard.new([7, {}, {"stamp": "x", "name": 1}])) == []
