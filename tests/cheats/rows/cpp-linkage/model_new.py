# SPDX-License-Identifier: GPL-3.0-or-later
"""Its kernel has the linkage of C++, and a helper beside it that of C."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.softmax_by_cpp(x)
