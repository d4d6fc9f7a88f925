# SPDX-License-Identifier: GPL-3.0-or-later
"""The same by kernels."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        # These hold the parameters under their names in the reference; none is called.
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.gamma = nn.Parameter(torch.ones(width))
        self.norm = nn.LayerNorm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = cuda_extension.gelu_exact(cuda_extension.linear(x, self.up.weight, self.up.bias, 0))
        branch = cuda_extension.linear(inner, self.down.weight, self.down.bias, 0)
        return cuda_extension.norm_of_sum(x, branch, self.gamma, self.norm.weight, self.norm.bias, self.norm.eps)
