# SPDX-License-Identifier: GPL-3.0-or-later
"""Speech recognition: a wide LSTM whose states are projected to a narrow vector before they go round, batch
first.
"""

import torch
from torch import nn

BATCH = 32
STEPS = 150
WIDTH = 240
HIDDEN = 1024
NARROW = 320
SMALL = {"BATCH": 3, "STEPS": 6, "WIDTH": 7, "HIDDEN": 10, "NARROW": 4}


class Model(nn.Module):
    def __init__(self, width: int, hidden: int, narrow: int):
        super().__init__()
        self.lstm = nn.LSTM(width, hidden, batch_first=True, proj_size=narrow)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.lstm(x)[0]


def get_inputs():
    return [2.0 * torch.randn(BATCH, STEPS, WIDTH)]


def get_init_inputs():
    return [WIDTH, HIDDEN, NARROW]
