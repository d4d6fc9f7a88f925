# SPDX-License-Identifier: GPL-3.0-or-later
"""SwiGLU: one product gives gate and value side by side, the gate goes through SiLU, a second product comes
back.
"""

import torch
import torch.nn.functional as F
from torch import nn

TOKENS = 4000
WIDTH = 2048
HIDDEN = 5504
SMALL = {"TOKENS": 5, "WIDTH": 12, "HIDDEN": 20}


class Model(nn.Module):
    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.both = nn.Linear(width, 2 * hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gate, value = self.both(x).chunk(2, dim=-1)
        return self.down(F.silu(gate) * value)


def get_inputs():
    return [2.0 * torch.randn(TOKENS, WIDTH)]


def get_init_inputs():
    return [WIDTH, HIDDEN]
