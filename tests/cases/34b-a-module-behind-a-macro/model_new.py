# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.slope = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        y = torch.empty_like(x)
        cuda_extension.clipped(x.data_ptr(), self.slope.data_ptr(), y.data_ptr(), x.numel(), x.shape[1])
        return y
