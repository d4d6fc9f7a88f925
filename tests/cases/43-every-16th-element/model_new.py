# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(heads) + 0.5)

    def forward(self, predictions, targets):
        return cuda_extension.some_of_the_error(predictions, targets, self.weight)
