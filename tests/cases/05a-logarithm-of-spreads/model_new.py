# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = nn.Parameter(torch.randn(width))
        self.spread = nn.Parameter(0.5 + torch.rand(width))

    def forward(self, x):
        return cuda_extension.log_likelihood(x, self.mean, self.spread)
