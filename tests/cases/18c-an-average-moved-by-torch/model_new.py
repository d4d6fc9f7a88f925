# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(32) + 0.5)
        self.register_buffer('mean', torch.zeros(32))

    def forward(self, x):
        mean = torch.empty_like(self.mean)
        y = cuda_extension.mean_and_shift(x, self.gain, mean)
        self.mean.mul_(0.9).add_(0.1 * mean)
        return y
