# SPDX-License-Identifier: GPL-3.0-or-later
"""Before a layer whose weights were rounded in order of importance: the columns of the activations in that order,
then a scale for each.
"""

import torch
from torch import nn

TOKENS = 30_000
WIDTH = 4096
SMALL = {"TOKENS": 5, "WIDTH": 13}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.scale = nn.Parameter((0.5 + torch.rand(width)).to(torch.float16))

    def forward(self, x: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
        return torch.index_select(x, -1, order) * self.scale


def get_inputs():
    return [torch.randn(TOKENS, WIDTH).to(torch.float16), torch.randperm(WIDTH)]


def get_init_inputs():
    return [WIDTH]
