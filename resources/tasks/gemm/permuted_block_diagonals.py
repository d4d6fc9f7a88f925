# SPDX-License-Identifier: GPL-3.0-or-later
"""A large layer made of two sparse ones: 48 blocks of 80 by 80, a transposition of blocks and places, 80 blocks of 48
by 48, bias and ReLU (Monarch matrices).
"""

import torch
from torch import nn

ROWS = 16_000
BLOCKS = 48
PLACES = 80
SMALL = {"ROWS": 5, "BLOCKS": 3, "PLACES": 4}


class Model(nn.Module):
    def __init__(self, blocks: int, places: int):
        super().__init__()
        self.first = nn.Parameter(torch.randn(blocks, places, places) / places**0.5)
        self.second = nn.Parameter(torch.randn(places, blocks, blocks) / blocks**0.5)
        self.bias = nn.Parameter(0.5 * torch.randn(places * blocks))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inside = torch.einsum("rbp,bpq->rbq", x.view(x.shape[0], self.first.shape[0], -1), self.first)
        across = torch.einsum("rbq,qbc->rqc", inside, self.second)
        return torch.relu(across.flatten(1) + self.bias)


def get_inputs():
    return [torch.randn(ROWS, BLOCKS * PLACES)]


def get_init_inputs():
    return [BLOCKS, PLACES]
