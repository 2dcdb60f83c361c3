"""Makes ultralytics importable beside the CPU build of torch; import it before anything from ultralytics.

The wheel of torchvision is built against the CUDA build of torch, and beside the CPU build its C++ operators do not
load: importing torchvision then fails at the first of them that it describes. ultralytics needs only one of them,
`nms`, so where it is missing it is declared here and computed in plain torch. Where torchvision is whole, nothing
happens.
"""

from __future__ import annotations

from typing import Any

import torch

_LIBRARIES: list[Any] = []  # a library's operators live as long as the object


def nms(boxes: torch.Tensor, scores: torch.Tensor, iou_threshold: float) -> torch.Tensor:
    """Greedy non-maximum suppression with the meaning of `torchvision.ops.nms`.

    Args:
        boxes: (n, 4) x1, y1, x2, y2.
        scores: (n,).
        iou_threshold: Boxes that overlap a better one by more than this are dropped.

    Returns:
        Rows kept, best first, int64.

    >>> boxes = torch.tensor([[0.0, 0, 10, 10], [1, 0, 10, 10], [20, 0, 30, 10]])
    >>> nms(boxes, torch.tensor([0.5, 0.9, 0.1]), 0.5).tolist()
    [1, 2]
    """
    order = scores.argsort(descending=True)
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    kept: list[torch.Tensor] = []
    while order.numel():
        best, rest = order[0], order[1:]
        kept.append(best)
        low = torch.maximum(boxes[best, :2], boxes[rest, :2])
        high = torch.minimum(boxes[best, 2:], boxes[rest, 2:])
        shared = (high - low).clamp(min=0).prod(dim=1)
        iou = shared / (area[best] + area[rest] - shared).clamp(min=1e-12)
        order = rest[iou <= iou_threshold]
    return torch.stack(kept) if kept else torch.zeros(0, dtype=torch.int64, device=boxes.device)


def _torchvision_ops_missing() -> bool:
    try:
        import torchvision  # noqa: F401
    except RuntimeError:
        return True
    except ImportError:
        return False
    return False


def register() -> None:
    """Declares `torchvision::nms` if torchvision cannot; calling it again does nothing."""
    if _LIBRARIES or not _torchvision_ops_missing():
        return
    library: Any = torch.library.Library  # not annotated by torch
    define = library("torchvision", "DEF")
    define.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    define.impl("nms", nms, "CompositeExplicitAutograd")
    _LIBRARIES.append(define)


register()
