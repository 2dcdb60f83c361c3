"""What a browser holds of a page: the tree that Streamlit's messages build, as strict as Streamlit's own.

A message for a place whose parent is missing leaves a browser with a white page; here it is a `TreeError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

SPINNER = "transient"
"""The kind of what stands on the page only while it waits."""


class TreeError(Exception):
    """A message that a browser could not draw."""


@dataclass
class Node:
    """An element or a block of the page.

    Attributes:
        run: The run of the page that drew it last.
        fragment: The fragment that it belongs to, "" for none.
        kind: What it is.
        children: Of a block what lies in it, None of an element.
    """

    run: str
    fragment: str = ""
    kind: str = ""
    children: list[Node] | None = None


def _page() -> Node:
    return Node("", children=[Node("", children=[]) for _ in ("main", "sidebar", "event", "bottom")])


@dataclass
class Tree:
    """The page of one visitor: its `root`, and the `run` of the page that draws it."""

    root: Node = field(default_factory=_page)
    run: str = ""

    def hear(self, message: ForwardMsg) -> None:
        """Follows a message of the server. Raises TreeError."""
        kind = message.WhichOneof("type")
        run = message.metadata.run
        if kind == "new_session":
            self.run = run.script_run_id
            _without_spinners(self.root, frozenset(run.fragment_ids))
        elif kind == "delta":
            self._draw(message)
        elif kind == "script_finished" and message.script_finished in (
            ForwardMsg.FINISHED_SUCCESSFULLY,
            ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
        ):
            fragments = frozenset(run.fragment_ids)
            if fragments or run.script_run_id == self.run:
                for part in self.root.children or ():
                    part.children = _kept(part, run.script_run_id, fragments, "")

    def nodes(self) -> Iterator[Node]:
        """Every element and block, from top to bottom."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children or ()))

    def _draw(self, message: ForwardMsg) -> None:
        path, delta = list(message.metadata.delta_path), message.delta
        siblings = self.root.children
        for number in path[:-1]:
            if siblings is None or number >= len(siblings):
                raise TreeError(f"{path}: there is no block to draw in")
            siblings = siblings[number].children
        last = path[-1]
        if siblings is None or last > len(siblings):
            raise TreeError(f"{path}: there is no such place")
        before = siblings[last] if last < len(siblings) else None
        what = delta.WhichOneof("type")
        if what == "new_transient":
            if before is None:
                siblings.append(Node(self.run, delta.fragment_id, SPINNER))
            return
        if what == "add_block":
            node = Node(self.run, delta.fragment_id, str(delta.add_block.WhichOneof("type")), [])
            if before is not None and before.kind == node.kind and before.children is not None:
                node.children = before.children  # what a run draws again keeps its place, what it does not is cleared
        else:
            node = Node(self.run, delta.fragment_id, str(delta.new_element.WhichOneof("type")))
        siblings[last : last + 1] = [node]


@dataclass
class Drawings:
    """The large messages that a browser keeps, so that the server need only name them, and drops when they get old.

    Attributes:
        kept: Each with the run of the page in which it came, by its hash.
        runs: How many runs of the page have ended.
        oldest: How many runs old a message may get.
        begun: Whether a run has begun since the last one was asked for; until then none is counted.
    """

    kept: dict[str, tuple[int, ForwardMsg]] = field(default_factory=dict)
    runs: int = 0
    oldest: int = 0
    begun: bool = True

    def asked(self) -> list[str]:
        """What the browser tells that it has when it asks for a run."""
        self.begun = False
        return list(self.kept)

    def hear(self, message: ForwardMsg) -> ForwardMsg:
        """The message, or the one that it names. Raises TreeError."""
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.begun = True
            self.oldest = message.new_session.config.max_cached_message_age
        elif kind == "script_finished" and self.begun:
            if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN and not message.metadata.run.fragment_ids:
                self.runs += 1
                self.kept = {name: (run, held) for name, (run, held) in self.kept.items() if self._is_young(run)}
        elif kind == "ref_hash":
            if message.ref_hash not in self.kept:
                raise TreeError(f"{message.ref_hash}: the server counts on a drawing that a browser has dropped")
            named = ForwardMsg()
            named.CopyFrom(self.kept[message.ref_hash][1])
            self._keep(named)
            named.metadata.CopyFrom(message.metadata)
            return named
        elif message.metadata.cacheable:
            self._keep(message)
        return message

    def _keep(self, message: ForwardMsg) -> None:
        self.kept[message.hash] = (self.runs, message)

    def _is_young(self, run: int) -> bool:
        return self.runs - run <= self.oldest


def _without_spinners(node: Node, fragments: frozenset[str]) -> None:
    """Takes the spinners of runs before out of the page, or of the fragments that are run."""
    if node.children is None or (fragments and node.fragment and node.fragment not in fragments):
        return
    node.children = [child for child in node.children if child.kind != SPINNER]
    for child in node.children:
        _without_spinners(child, fragments)


def _kept(block: Node, run: str, fragments: frozenset[str], within: str) -> list[Node]:
    """What stays of a block when a run of the page, or of fragments only, has ended."""
    kept: list[Node] = []
    for child in block.children or ():
        stale = child.run != run
        if child.children is None:
            if (stale and (not fragments or (child.fragment and within))) or child.kind == SPINNER:
                continue
        else:
            if stale and (not fragments or within):
                continue
            own = child.fragment if not stale and child.fragment in fragments else ""
            child.children = _kept(child, run, fragments, own or within)
        kept.append(child)
    return kept
