# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return cuda_extension.class_loss(logits, labels)
