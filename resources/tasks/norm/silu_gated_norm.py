# SPDX-License-Identifier: GPL-3.0-or-later
"""How a layer of a state-space language model ends, in bfloat16: RMS norm of what the scan gave, then a gate from the
other branch.
"""

import torch
import torch.nn.functional as F
from torch import nn

TOKENS = 12_288
WIDTH = 5120
SMALL = {"TOKENS": 5, "WIDTH": 24}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.RMSNorm(width, eps=1e-5, dtype=torch.bfloat16)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)

    def forward(self, x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        return self.norm(x) * F.silu(z)


def get_inputs():
    x = torch.randn(TOKENS, WIDTH) * (0.2 + 2.0 * torch.rand(TOKENS, 1))
    return [x.to(torch.bfloat16), (1.5 * torch.randn(TOKENS, WIDTH)).to(torch.bfloat16)]


def get_init_inputs():
    return [WIDTH]
