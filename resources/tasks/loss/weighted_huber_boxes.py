# SPDX-License-Identifier: GPL-3.0-or-later
"""Regression of boxes: Huber's loss with a weight for each coordinate, only where an anchor has an object."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 64
ANCHORS = 196_000
DELTA = 0.7
SMALL = {"IMAGES": 3, "ANCHORS": 25}


class Model(nn.Module):
    def __init__(self, delta: float):
        super().__init__()
        self.delta = delta
        self.weight = nn.Parameter(0.5 + torch.rand(4))

    def forward(self, boxes: torch.Tensor, wanted: torch.Tensor, has_object: torch.Tensor) -> torch.Tensor:
        loss = F.huber_loss(boxes, wanted, reduction="none", delta=self.delta) * self.weight
        return loss.sum(dim=-1).masked_fill(~has_object, 0.0)


def get_inputs():
    shape = (IMAGES, ANCHORS, 4)
    return [torch.randn(shape), torch.randn(shape), torch.rand(IMAGES, ANCHORS) < 0.7]


def get_init_inputs():
    return [DELTA]
