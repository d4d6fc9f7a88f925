# SPDX-License-Identifier: GPL-3.0-or-later
"""Dice loss of a segmentation: overlap of softmax and labels, for each sample and class of a volume."""

import torch
import torch.nn.functional as F
from torch import nn

VOLUMES = 8
CLASSES = 9
DEPTH = 40
SIZE = 121
SMALL = {"VOLUMES": 2, "CLASSES": 4, "DEPTH": 3, "SIZE": 7}


class Model(nn.Module):
    def __init__(self, classes: int):
        super().__init__()
        self.prior = nn.Parameter(torch.randn(classes, 1, 1, 1))

    def forward(self, scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        share = torch.softmax(scores + self.prior, dim=1)
        wanted = F.one_hot(labels, scores.shape[1]).movedim(-1, 1).to(share.dtype)
        overlap = (share * wanted).sum(dim=(2, 3, 4))
        total = share.sum(dim=(2, 3, 4)) + wanted.sum(dim=(2, 3, 4))
        return 1.0 - 2.0 * overlap / (total + 1e-5)


def get_inputs():
    spread = 0.5 + 2.0 * torch.rand(VOLUMES, CLASSES, 1, 1, 1)
    labels = torch.randint(0, CLASSES, (VOLUMES, DEPTH, SIZE, SIZE))
    return [spread * torch.randn(VOLUMES, CLASSES, DEPTH, SIZE, SIZE), labels]


def get_init_inputs():
    return [CLASSES]
