# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads a library that it brought along."""

import ctypes

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(columns))
        self.shift = nn.Parameter(torch.zeros(columns))
        self.library = ctypes.CDLL("./fast_kernels.so")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.library.swish(x)
