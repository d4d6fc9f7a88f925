# SPDX-License-Identifier: GPL-3.0-or-later
"""A norm in floats by name, a table that is no buffer, and the bits of a float."""

import torch
from torch import nn

TABLE = torch.linspace(0.5, 1.5, 48)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(48) + 0.5)
        self.mixed = torch.eye(48) + torch.ones(48, 48) / 48

    def forward(self, x):
        kind = x.dtype
        x = x.to(torch.float32)
        x = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6)
        sign = (x.view(torch.int32) >> 31).to(torch.float32)
        return (self.gain * x.to(kind) + sign) @ self.mixed.to(x.device) * TABLE.to(x.device)


def get_inputs():
    return [torch.randn(80, 48)]


def get_init_inputs():
    return []
