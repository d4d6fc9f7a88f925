# SPDX-License-Identifier: GPL-3.0-or-later
"""An ensemble of linear heads whose logits are averaged: all members are computed, and only their mean is
kept.
"""

import torch
from torch import nn

ROWS = 5000
WIDTH = 1200
MEMBERS = 8
CLASSES = 250
SMALL = {"ROWS": 5, "WIDTH": 9, "MEMBERS": 3, "CLASSES": 4}


class Model(nn.Module):
    def __init__(self, width: int, members: int, classes: int):
        super().__init__()
        self.heads = nn.ModuleList(nn.Linear(width, classes) for _ in range(members))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.stack([head(x) for head in self.heads]).mean(dim=0)


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, MEMBERS, CLASSES]
