# SPDX-License-Identifier: GPL-3.0-or-later
"""Experts of a mixture, each with as many tokens as it has room for: two products for each expert, GELU
between.
"""

import torch
import torch.nn.functional as F
from torch import nn

EXPERTS = 16
ROOM = 500
WIDTH = 768
HIDDEN = 2048
SMALL = {"EXPERTS": 3, "ROOM": 5, "WIDTH": 8, "HIDDEN": 12}


class Model(nn.Module):
    def __init__(self, experts: int, width: int, hidden: int):
        super().__init__()
        self.up = nn.Parameter(torch.randn(experts, width, hidden) / width**0.5)
        self.up_bias = nn.Parameter(0.3 * torch.randn(experts, 1, hidden))
        self.down = nn.Parameter(torch.randn(experts, hidden, width) / hidden**0.5)

    def forward(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        h = F.gelu(torch.baddbmm(self.up_bias, x, self.up))
        return torch.bmm(h, self.down) * weight[:, :, None]


def get_inputs():
    return [torch.randn(EXPERTS, ROOM, WIDTH), torch.rand(EXPERTS, ROOM)]


def get_init_inputs():
    return [EXPERTS, WIDTH, HIDDEN]
