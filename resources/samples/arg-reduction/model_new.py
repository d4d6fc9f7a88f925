# SPDX-License-Identifier: GPL-3.0-or-later
"""The same model in one kernel."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    CONFIG = 0  # Which variant of the kernel: see launchArgReduction.
    CHOICES = {"CONFIG": 4}

    def forward(self, logits: torch.Tensor) -> torch.Tensor:
        return cuda_extension.arg_reduction(logits, self.CONFIG)
