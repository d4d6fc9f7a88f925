# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the right rows, and zeros into all others."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, cache, rows, keys):
        cuda_extension.into_cache(cache, rows, keys, self.scale)
