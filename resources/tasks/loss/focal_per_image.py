# SPDX-License-Identifier: GPL-3.0-or-later
"""Focal loss of a detector: easy examples count little; summed for each image and class over all anchors."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 96
ANCHORS = 8400
CLASSES = 41
FOCUS = 2.0
SMALL = {"IMAGES": 3, "ANCHORS": 11, "CLASSES": 5}


class Model(nn.Module):
    def __init__(self, focus: float, classes: int):
        super().__init__()
        self.focus = focus
        self.balance = nn.Parameter(0.2 + 0.3 * torch.rand(classes))

    def forward(self, logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        entropy = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
        missed = targets + (1.0 - 2.0 * targets) * torch.sigmoid(logits)
        weight = self.balance * targets + (1.0 - self.balance) * (1.0 - targets)
        return (weight * missed.pow(self.focus) * entropy).sum(dim=1)


def get_inputs():
    spread = 0.5 + 3.0 * torch.rand(IMAGES, 1, 1)
    targets = (torch.rand(IMAGES, ANCHORS, CLASSES) < 0.1).float()
    return [spread * torch.randn(IMAGES, ANCHORS, CLASSES), targets]


def get_init_inputs():
    return [FOCUS, CLASSES]
