# SPDX-License-Identifier: GPL-3.0-or-later
"""The same model: bias and GELU happen inside of the matrix product."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    CONFIG = 1  # The fastest on an H200. Which of cuBLASLt's proposals: see launchGemmBiasGelu.
    CHOICES = {"CONFIG": 8}

    def __init__(self, inner: int, columns: int):
        super().__init__()
        # Holds the parameters under their names in the reference; it is never called.
        self.linear = nn.Linear(inner, columns)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        linear = self.linear
        return cuda_extension.gemm_bias_gelu(x, linear.weight, linear.bias, self.CONFIG)
