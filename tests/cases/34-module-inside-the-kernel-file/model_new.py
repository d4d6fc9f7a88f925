# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * inputs**-0.5)
        self.bias = nn.Parameter(torch.randn(outputs))

    def forward(self, x, grad):
        return cuda_extension.backward(grad, x, self.weight, self.bias)
