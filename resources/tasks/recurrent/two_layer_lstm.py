# SPDX-License-Identifier: GPL-3.0-or-later
"""A language model of the old kind: two layers of LSTM over the whole text, time first, both last states
returned too.
"""

import torch
from torch import nn

STEPS = 200
BATCH = 64
WIDTH = 384
HIDDEN = 1024
SMALL = {"STEPS": 6, "BATCH": 3, "WIDTH": 7, "HIDDEN": 9}


class Model(nn.Module):
    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.lstm = nn.LSTM(width, hidden, num_layers=2)

    def forward(self, x: torch.Tensor):
        out, (state, cell) = self.lstm(x)
        return out, state, cell


def get_inputs():
    return [2.0 * torch.randn(STEPS, BATCH, WIDTH)]


def get_init_inputs():
    return [WIDTH, HIDDEN]
