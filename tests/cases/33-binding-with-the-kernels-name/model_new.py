# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, channels, slope, gain, limit):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(channels))
        self.slope, self.gain, self.limit = slope, gain, limit

    def forward(self, x):
        return cuda_extension.bias_act(x, self.bias, self.slope, self.gain, self.limit)
