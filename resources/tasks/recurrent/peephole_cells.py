# SPDX-License-Identifier: GPL-3.0-or-later
"""LSTM whose gates also look at the cell: no library has it, so it is a loop over 64 steps. The last cell is
returned.
"""

import torch
from torch import nn

STEPS = 64
BATCH = 128
WIDTH = 200
HIDDEN = 400
SMALL = {"STEPS": 4, "BATCH": 3, "WIDTH": 6, "HIDDEN": 7}


class Model(nn.Module):
    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.input = nn.Linear(width, 4 * hidden)
        self.state = nn.Linear(hidden, 4 * hidden, bias=False)
        self.peep = nn.Parameter(0.5 * torch.randn(3, hidden))

    def forward(self, x: torch.Tensor):
        given = self.input(x)
        state = cell = torch.zeros_like(given[0, :, : self.peep.shape[1]])
        for step in range(x.shape[0]):
            take, keep, new, show = (given[step] + self.state(state)).chunk(4, dim=-1)
            keep = torch.sigmoid(keep + self.peep[0] * cell)
            take = torch.sigmoid(take + self.peep[1] * cell)
            cell = keep * cell + take * torch.tanh(new)
            state = torch.sigmoid(show + self.peep[2] * cell) * torch.tanh(cell)
        return state, cell


def get_inputs():
    return [2.0 * torch.randn(STEPS, BATCH, WIDTH)]


def get_init_inputs():
    return [WIDTH, HIDDEN]
