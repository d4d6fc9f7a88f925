# SPDX-License-Identifier: GPL-3.0-or-later
"""The same model, its five steps fused into one kernel."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    CONFIG = 3  # The fastest on an H200. Which variant of the kernel: see launchPointwiseChain.
    CHOICES = {"CONFIG": 4}

    def __init__(self, channels: int):
        super().__init__()
        self.scale = nn.Parameter(1.0 + 0.5 * torch.randn(channels))
        self.shift = nn.Parameter(torch.randn(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.pointwise_chain(x, self.scale, self.shift, self.CONFIG)
