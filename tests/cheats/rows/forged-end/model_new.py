# SPDX-License-Identifier: GPL-3.0-or-later
"""Says in the middle of a batch that the batch is over."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, inner: int, columns: int):
        super().__init__()
        self.linear = nn.Linear(inner, columns)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.linear_and_end(x, self.linear.weight, self.linear.bias)
