# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, p: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return cuda_extension.binary_loss(p, targets)
