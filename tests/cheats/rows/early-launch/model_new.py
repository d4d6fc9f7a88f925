# SPDX-License-Identifier: GPL-3.0-or-later
"""Its kernel may be started while the one before it ends, and waits for it."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.early_softmax(x)
