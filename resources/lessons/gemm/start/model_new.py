# SPDX-License-Identifier: GPL-3.0-or-later
"""The same model: a matrix product of our own, then bias and GELU."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, inner: int, columns: int):
        super().__init__()
        # Holds the parameters under their names in the reference; it is never called.
        self.linear = nn.Linear(inner, columns)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.gemm_bias_gelu(x, self.linear.weight, self.linear.bias)
