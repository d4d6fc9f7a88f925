# SPDX-License-Identifier: GPL-3.0-or-later
"""Stores results in BF16, which this task allows."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, inner: int, columns: int):
        super().__init__()
        self.linear = nn.Linear(inner, columns)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.part_of_linear(x, self.linear.weight, self.linear.bias, 23, 6)
