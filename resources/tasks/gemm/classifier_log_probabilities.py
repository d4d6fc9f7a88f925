# SPDX-License-Identifier: GPL-3.0-or-later
"""The head of a classifier with many classes: a product, bias, and log-softmax of each row."""

import torch
from torch import nn

ROWS = 4096
WIDTH = 1280
CLASSES = 11_221
SMALL = {"ROWS": 5, "WIDTH": 12, "CLASSES": 23}


class Model(nn.Module):
    def __init__(self, width: int, classes: int):
        super().__init__()
        self.head = nn.Linear(width, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.log_softmax(self.head(x), dim=-1)


def get_inputs():
    return [3.0 * torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, CLASSES]
