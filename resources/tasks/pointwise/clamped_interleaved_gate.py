# SPDX-License-Identifier: GPL-3.0-or-later
"""An expert's activation in bfloat16, where gate and value lie in turn along a row: both are bounded, the gate goes
through a steep SiLU, the value counts one more.
"""

import torch
from torch import nn

TOKENS = 12_000
WIDTH = 2880
SMALL = {"TOKENS": 5, "WIDTH": 14}


class Model(nn.Module):
    def __init__(self, width: int, limit: float, steepness: float):
        super().__init__()
        self.limit = limit
        self.steepness = steepness
        self.bias = nn.Parameter(torch.randn(2 * width).to(torch.bfloat16))

    def forward(self, joint: torch.Tensor) -> torch.Tensor:
        joint = joint + self.bias
        gate = joint[..., ::2].clamp(max=self.limit)
        value = joint[..., 1::2].clamp(-self.limit, self.limit)
        return gate * torch.sigmoid(self.steepness * gate) * (value + 1.0)


def get_inputs():
    return [(3.0 * torch.randn(TOKENS, 2 * WIDTH)).to(torch.bfloat16)]


def get_init_inputs():
    return [WIDTH, 7.0, 1.702]
