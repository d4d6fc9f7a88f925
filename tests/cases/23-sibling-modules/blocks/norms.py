# SPDX-License-Identifier: GPL-3.0-or-later
import torch
from torch import nn


class ScaleNorm(nn.Module):
    """Each row to the same length, with one learnt length for all."""

    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.length = nn.Parameter(torch.tensor(width**0.5))
        self.eps = eps

    def forward(self, x):
        return x / x.norm(dim=-1, keepdim=True).clamp(min=self.eps) * self.length
