# SPDX-License-Identifier: GPL-3.0-or-later
"""The same model in one kernel."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    CONFIG = 3  # The fastest on an H200. Which variant of the kernel: see launchRmsnormResidual.
    CHOICES = {"CONFIG": 4}

    def __init__(self, columns: int, epsilon: float):
        super().__init__()
        self.epsilon = epsilon
        self.weight = nn.Parameter(1.0 + 0.2 * torch.randn(columns))

    def forward(self, x: torch.Tensor, residual: torch.Tensor) -> torch.Tensor:
        return cuda_extension.rmsnorm_residual(x, residual, self.weight, self.epsilon, self.CONFIG)
