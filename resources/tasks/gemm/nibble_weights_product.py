# SPDX-License-Identifier: GPL-3.0-or-later
"""A layer of a language model with weights of four bits, two in a byte: every 64 inputs share a scale and a zero point
for each output; activations are in float16, a bias follows.
"""

import torch
import torch.nn.functional as F
from torch import nn

TOKENS = 3000
WIDTH = 4096
OUTPUTS = 5120
GROUP = 64
SMALL = {"TOKENS": 5, "WIDTH": 24, "OUTPUTS": 10, "GROUP": 8}


class Model(nn.Module):
    def __init__(self, width: int, outputs: int, group: int):
        super().__init__()
        self.group = group
        self.register_buffer("nibbles", torch.randint(0, 256, (outputs, width // 2), dtype=torch.uint8))
        scale = (0.5 + torch.rand(outputs, width // group, 1)) / (4.6 * width**0.5)
        self.scale = nn.Parameter(scale.to(torch.float16))
        self.zero = nn.Parameter((6.0 + 3.0 * torch.rand(outputs, width // group, 1)).to(torch.float16))
        self.bias = nn.Parameter((0.5 * torch.randn(outputs)).to(torch.float16))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        codes = torch.stack([self.nibbles & 15, self.nibbles >> 4], dim=-1).flatten(1)
        weight = (codes.unflatten(1, (-1, self.group)) - self.zero) * self.scale
        return F.linear(x, weight.flatten(1), self.bias)


def get_inputs():
    return [torch.randn(TOKENS, WIDTH).to(torch.float16)]


def get_init_inputs():
    return [WIDTH, OUTPUTS, GROUP]
