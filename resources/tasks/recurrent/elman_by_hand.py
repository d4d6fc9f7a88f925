# SPDX-License-Identifier: GPL-3.0-or-later
"""The simplest recurrent network, written as a loop: tanh of input and last state, each by a matrix; a start
is learned.
"""

import torch
from torch import nn

STEPS = 128
BATCH = 96
WIDTH = 256
HIDDEN = 640
SMALL = {"STEPS": 5, "BATCH": 3, "WIDTH": 6, "HIDDEN": 8}


class Model(nn.Module):
    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.input = nn.Linear(width, hidden)
        self.state = nn.Linear(hidden, hidden, bias=False)
        self.start = nn.Parameter(torch.randn(hidden))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        state = self.start.expand(x.shape[1], -1)
        states = []
        for given in x:
            state = torch.tanh(self.input(given) + self.state(state))
            states.append(state)
        return torch.stack(states)


def get_inputs():
    return [2.0 * torch.randn(STEPS, BATCH, WIDTH)]


def get_init_inputs():
    return [WIDTH, HIDDEN]
