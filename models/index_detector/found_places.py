"""Has a detector's 8-bit copy work out boxes and points only at places where its logits find something.

An index or a back is found at some hundred of the 24,000 places of a photo. The layers that give its box and its points
took a third of the detector's time; at those places alone they take a twentieth, and give the same numbers.
"""

from __future__ import annotations

from typing import Any, Final

from onnx import compose, helper, parser

LEAST_LOGIT: Final = -4.6
"""Logarithm of the odds below which nothing is found, whatever a caller asks for: a probability of 0.01."""
NOTHING: Final = -100.0
"""The logit of a place that was not looked at."""

_PLACES: Final = f"""
places (uint8[1, c, h, w] seen, float[1, 2, h, w] all_logits)
    => (uint8[n, c, 5, 5] patches, bool[n, 1, 3, 3] inside, int64[1, n] places, float[1, 2, h, w] logits) {{
    least = Constant <value_float = {LEAST_LOGIT}> ()
    nothing = Constant <value_float = {NOTHING}> ()
    is_found = GreaterOrEqual (all_logits, least)
    logits = Where (is_found, all_logits, nothing)
    best = ReduceMax <axes = [0, 1], keepdims = 0> (logits)
    is_place = GreaterOrEqual (best, least)
    at = NonZero (is_place)
    minus = Constant <value_ints = [-1]> ()
    last = Constant <value_int = 2> ()
    corner = Unsqueeze (at, minus)
    size = Shape <start = 2> (all_logits)
    two_one_one = Constant <value_ints = [2, 1, 1]> ()
    limits = Reshape (size, two_one_one)

    first = Constant <value_int = 0> ()
    second = Constant <value_int = 1> ()
    y = Gather (at, first)
    x = Gather (at, second)
    width = Gather (size, second)
    above = Mul (y, width)
    flat = Add (above, x)
    one_row = Constant <value_ints = [0]> ()
    places = Unsqueeze (flat, one_row)

    nine_rows = Constant <value_ints = [-1, -1, -1, 0, 0, 0, 1, 1, 1, -1, 0, 1, -1, 0, 1, -1, 0, 1]> ()
    two_one_nine = Constant <value_ints = [2, 1, 9]> ()
    nine = Reshape (nine_rows, two_one_nine)
    around = Add (corner, nine)
    zero = Constant <value_int = 0> ()
    not_before = GreaterOrEqual (around, zero)
    not_behind = Less (around, limits)
    in_both = And (not_before, not_behind)
    as_numbers = Cast <to = 6> (in_both)
    in_all = ReduceMin <axes = [0], keepdims = 0> (as_numbers)
    as_truth = Cast <to = 9> (in_all)
    three_by_three = Constant <value_ints = [-1, 1, 3, 3]> ()
    inside = Reshape (as_truth, three_by_three)

    four = Constant <value_int = 4> ()
    wide = Add (width, four)
    five = Constant <value_ints = [0, 1, 2, 3, 4]> ()
    one = Constant <value_ints = [1]> ()
    columns = Unsqueeze (five, one_row)
    upright = Unsqueeze (five, one)
    rows = Mul (upright, wide)
    square = Add (rows, columns)
    in_a_row = Constant <value_ints = [1, 25]> ()
    steps = Reshape (square, in_a_row)
    above_wide = Mul (y, wide)
    start = Add (above_wide, x)
    start_column = Unsqueeze (start, one)
    spots = Add (start_column, steps)
    border = Constant <value_ints = [0, 0, 2, 2, 0, 0, 2, 2]> ()
    bordered = Pad (seen, border)
    by_place = Transpose <perm = [0, 2, 3, 1]> (bordered)
    channels_of_it = Shape <start = 1, end = 2> (seen)
    list_of_places = Concat <axis = 0> (minus, channels_of_it)
    listed = Reshape (by_place, list_of_places)
    taken = Gather (listed, spots)
    five_by_five = Constant <value_ints = [-1, 5, 5]> ()
    squares = Concat <axis = 0> (five_by_five, channels_of_it)
    cut = Reshape (taken, squares)
    patches = Transpose <perm = [0, 3, 1, 2]> (cut)
}}
"""
"""Where something is found, and what is seen two places round it: two convolutions of 3 x 3 need no more."""

_MAP: Final = """
map (float[n, k, 1, 1] found, int64[1, n] places, float[1, 2, h, w] logits) => (float[1, k, h, w] map) {
    minus = Constant <value_ints = [-1]> ()
    k = Shape <start = 1, end = 2> (found)
    n_by_k = Concat <axis = 0> (minus, k)
    rows = Reshape (found, n_by_k)
    columns = Transpose <perm = [1, 0]> (rows)
    there = Shape (columns)
    where = Expand (places, there)
    size = Shape <start = 2> (logits)
    all = ReduceProd <keepdims = 1> (size)
    k_by_all = Concat <axis = 0> (k, all)
    zeros = ConstantOfShape (k_by_all)
    full = ScatterElements <axis = 1> (zeros, where, columns)
    one = Constant <value_ints = [1]> ()
    shape = Concat <axis = 0> (one, k, size)
    map = Reshape (full, shape)
}
"""
"""Values found at places as a map, 0 everywhere else."""

_LAYER: Final = ("DequantizeLinear", "Conv", "QuantizeLinear")
_CHAIN: Final = (*_LAYER, *_LAYER, "DequantizeLinear", "Conv")
"""What leads from the map that is seen to one that is given."""


def look_at_found_places(graph: Any, name: str) -> None:
    """Rebuilds what leads to an output that joins the maps of boxes, logits and points.

    Args:
        graph: Of an ONNX model with 8-bit values; the layers of boxes and of points are two convolutions of 3 x 3 and
            one of 1 x 1, on one map that is never negative.
        name: The output.
    """
    maker = {out: node for node in graph.node for out in node.output}
    joined = maker[name]
    box, logits, points = joined.input
    chains = [_chain(maker, end) for end in (box, points)]
    seen = chains[0][0]
    if {chain[0].output[0] for chain in chains} != {seen.output[0]}:
        raise ValueError(f"{name}: boxes and points are made from two maps; expected one")
    added = _add(graph, _PLACES, f"{name}/", {"seen": seen.input[0], "all_logits": logits})
    patches = helper.make_node("DequantizeLinear", [f"{name}/patches", *seen.input[1:]], [f"{name}/patch"])
    graph.node.append(patches)
    for number, chain in enumerate(chains):
        _, first, quantised, restored, second, _, _, last = chain
        first.input[0] = patches.output[0]
        for convolution in (first, second):
            _set_pads(convolution)
        masked = f"{name}/{number}/masked"
        graph.node.append(
            helper.make_node("Where", [f"{name}/inside", quantised.output[0], restored.input[2]], [masked])
        )
        restored.input[0] = masked
        ends = {"found": last.output[0], "places": added["places"], "logits": logits}
        joined.input[2 * number] = _add(graph, _MAP, f"{name}/{number}/", ends)["map"]
    joined.input[1] = added["logits"]
    del graph.value_info[:]  # of how large values were before
    _sort(graph)


def _chain(maker: dict[str, Any], end: str) -> list[Any]:
    """The nodes that lead from the map that is seen to one that is given: its last convolution and the seven before."""
    chain = [maker[end]]
    while len(chain) < len(_CHAIN):
        chain.insert(0, maker[chain[0].input[0]])
    if tuple(node.op_type for node in chain) != _CHAIN:
        raise ValueError(f"{end}: made by {[node.op_type for node in chain]}; expected {list(_CHAIN)}")
    return chain


def _set_pads(convolution: Any) -> None:
    """Has a convolution give values only where all that it takes is there."""
    for attribute in convolution.attribute:
        if attribute.name == "pads":
            attribute.ints[:] = [0, 0, 0, 0]


def _add(graph: Any, text: str, prefix: str, ends: dict[str, str]) -> dict[str, str]:
    """Adds the nodes of a graph that is given as text to another; returns the names of its outputs there.

    Args:
        graph: The other graph.
        text: The graph, in ONNX's notation.
        prefix: What its names begin with in the other graph.
        ends: For each of its inputs the value there.
    """
    part = parser.parse_graph(text)
    outputs = [out.name for out in part.output]
    compose.add_prefix_graph(part, prefix, inplace=True)
    given = {prefix + name: value for name, value in ends.items()}
    for node in part.node:
        node.input[:] = [given.get(name, name) for name in node.input]
        graph.node.append(node)
    return {name: prefix + name for name in outputs}


def _sort(graph: Any) -> None:
    """Puts the nodes in an order in which each follows those that it needs."""
    known = {part.name for part in (*graph.initializer, *graph.input)} | {""}
    left, ordered = list(graph.node), []
    while left:
        ready = [node for node in left if known.issuperset(node.input)]
        if not ready:
            raise ValueError(f"no order for {[node.name for node in left]}")
        ordered += ready
        known.update(out for node in ready for out in node.output)
        left = [node for node in left if not known.issuperset(node.output)]
    del graph.node[:]
    graph.node.extend(ordered)
