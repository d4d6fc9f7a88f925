# SPDX-License-Identifier: GPL-3.0-or-later
"""A layer of a compressed language model: each weight is one signed byte, each output column has a scale; the prompt
is in float16.
"""

import torch
import torch.nn.functional as F
from torch import nn

TOKENS = 8192
WIDTH = 4096
OUTPUTS = 4096
SMALL = {"TOKENS": 5, "WIDTH": 16, "OUTPUTS": 12}


class Model(nn.Module):
    def __init__(self, width: int, outputs: int):
        super().__init__()
        self.register_buffer("codes", torch.randint(-127, 128, (outputs, width), dtype=torch.int8))
        self.scale = nn.Parameter((0.5 + torch.rand(outputs, 1)) / (73.0 * width**0.5))
        self.bias = nn.Parameter((0.5 * torch.randn(outputs)).to(torch.float16))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight = (self.codes * self.scale).to(x.dtype)
        return F.linear(x, weight, self.bias)


def get_inputs():
    return [torch.randn(TOKENS, WIDTH).to(torch.float16)]


def get_init_inputs():
    return [WIDTH, OUTPUTS]
