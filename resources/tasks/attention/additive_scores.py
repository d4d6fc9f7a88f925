# SPDX-License-Identifier: GPL-3.0-or-later
"""The oldest attention: a small network scores each pair, v tanh(q + k), and a softmax over it weighs the
states.
"""

import torch
from torch import nn

BATCH = 24
QUERIES = 60
KEYS = 240
WIDTH = 256
SMALL = {"BATCH": 2, "QUERIES": 4, "KEYS": 6, "WIDTH": 7}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width, bias=False)
        self.score = nn.Parameter(3.0 * torch.randn(width) / width**0.5)

    def forward(self, x: torch.Tensor, states: torch.Tensor) -> torch.Tensor:
        pairs = torch.tanh(self.query(x)[:, :, None] + self.key(states)[:, None])
        weights = torch.softmax(pairs @ self.score, dim=-1)
        return weights @ states


def get_inputs():
    return [2.0 * torch.randn(BATCH, QUERIES, WIDTH), 2.0 * torch.randn(BATCH, KEYS, WIDTH)]


def get_init_inputs():
    return [WIDTH]
