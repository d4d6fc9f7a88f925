# SPDX-License-Identifier: GPL-3.0-or-later
"""The convolution module of a Conformer: norm, 1 by 1 with a gate, depthwise over time, inference batch norm,
SiLU, 1 by 1.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 24
FRAMES = 600
WIDTH = 384
SMALL = {"BATCH": 2, "FRAMES": 33, "WIDTH": 6}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.gate = nn.Conv1d(width, 2 * width, 1)
        self.depthwise = nn.Conv1d(width, width, 31, padding=15, groups=width, bias=False)
        self.middle = nn.BatchNorm1d(width)
        self.middle.running_mean.normal_(0.0, 0.1)
        self.middle.running_var.uniform_(0.02, 0.1)
        for norm in (self.norm, self.middle):
            nn.init.normal_(norm.weight, 1.0, 0.2)
            nn.init.normal_(norm.bias, 0.0, 0.3)
        self.out = nn.Conv1d(width, width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = F.glu(self.gate(self.norm(x).transpose(1, 2)), dim=1)
        h = F.silu(self.middle(self.depthwise(h)))
        return x + self.out(h).transpose(1, 2)


def get_inputs():
    return [torch.randn(BATCH, FRAMES, WIDTH)]


def get_init_inputs():
    return [WIDTH]
