# SPDX-License-Identifier: GPL-3.0-or-later
"""A tagger of texts: one layer of GRU in both directions, and the scores of tags by a product."""

import torch
from torch import nn

BATCH = 48
STEPS = 160
WIDTH = 300
HIDDEN = 256
TAGS = 45
SMALL = {"BATCH": 3, "STEPS": 6, "WIDTH": 7, "HIDDEN": 8, "TAGS": 5}


class Model(nn.Module):
    def __init__(self, width: int, hidden: int, tags: int):
        super().__init__()
        self.gru = nn.GRU(width, hidden, batch_first=True, bidirectional=True)
        self.tags = nn.Linear(2 * hidden, tags)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.tags(self.gru(x)[0])


def get_inputs():
    return [2.0 * torch.randn(BATCH, STEPS, WIDTH)]


def get_init_inputs():
    return [WIDTH, HIDDEN, TAGS]
