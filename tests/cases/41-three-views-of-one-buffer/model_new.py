# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(3 * width) + 0.5)

    def forward(self, joint):
        return cuda_extension.scaled(joint, self.scale).chunk(3, dim=-1)
