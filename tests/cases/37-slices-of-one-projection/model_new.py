# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.eps = eps
        self.q_weight = nn.Parameter(torch.randn(width))
        self.k_weight = nn.Parameter(torch.randn(width))

    def forward(self, q, k):
        return cuda_extension.row_norm(q, self.q_weight, self.eps), cuda_extension.row_norm(k, self.k_weight, self.eps)
