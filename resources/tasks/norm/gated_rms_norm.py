# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a state-space block in bfloat16: a gate, SiLU, and an RMS norm over groups of channels."""

import torch
import torch.nn.functional as F
from torch import nn

ROWS = 16_384
GROUPS = 8
WIDTH = 640
SMALL = {"ROWS": 5, "GROUPS": 2, "WIDTH": 9}


class Model(nn.Module):
    def __init__(self, groups: int, width: int):
        super().__init__()
        self.groups = groups
        self.weight = nn.Parameter((1.0 + 0.2 * torch.randn(groups * width)).to(torch.bfloat16))

    def forward(self, x: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
        h = (x * F.silu(gate)).unflatten(-1, (self.groups, -1))
        h = h * torch.rsqrt(h.square().mean(dim=-1, keepdim=True) + 1e-5)
        return h.flatten(-2) * self.weight


def get_inputs():
    shape = (ROWS, GROUPS * WIDTH)
    return [torch.randn(shape).to(torch.bfloat16), torch.randn(shape).to(torch.bfloat16)]


def get_init_inputs():
    return [GROUPS, WIDTH]
