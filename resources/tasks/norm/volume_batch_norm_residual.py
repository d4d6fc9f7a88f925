# SPDX-License-Identifier: GPL-3.0-or-later
"""Inference batch norm of a volume, a residual and ReLU: what remains of a block of a medical network after
its convolution.
"""

import torch
from torch import nn

VOLUMES = 24
CHANNELS = 32
DEPTH = 48
SIZE = 80
SMALL = {"VOLUMES": 2, "CHANNELS": 4, "DEPTH": 3, "SIZE": 5}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.norm = nn.BatchNorm3d(channels)
        self.norm.running_mean.normal_(0.0, 0.5)
        self.norm.running_var.uniform_(0.5, 1.5)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor, residual: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norm(x) + residual)


def get_inputs():
    shape = (VOLUMES, CHANNELS, DEPTH, SIZE, SIZE)
    return [torch.randn(shape), torch.randn(shape)]


def get_init_inputs():
    return [CHANNELS]
