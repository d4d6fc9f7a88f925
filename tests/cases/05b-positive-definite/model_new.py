# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.covariance = nn.Parameter(torch.eye(width) + 0.6 * torch.ones(width, width))

    def forward(self, x):
        return cuda_extension.distances(x, self.covariance)
