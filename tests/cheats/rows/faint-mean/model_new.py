# SPDX-License-Identifier: GPL-3.0-or-later
"""The mean of the right rows in place of each."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        # Hold the parameters under their names in the reference; they are never called.
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = x.shape[0]
        for layer in self.layers:
            x = cuda_extension.linear(x, layer.weight, layer.bias, 0)
        return (cuda_extension.columns(cuda_extension.softmax(x, 0)) / rows).repeat(rows, 1)
