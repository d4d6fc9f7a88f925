# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes by numpy while it is constructed: an order, angles in float32, sizes."""

import cuda_extension
import numpy as np
import torch
from torch import nn

np.random.seed(3)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        order = np.argsort(np.random.RandomState(7).permutation(64))
        rates = 1.0 / 10000.0 ** (np.arange(0, 32, 2, dtype=np.float32) / 32)
        angles = np.outer(np.arange(64, dtype=np.float32), rates)
        self.register_buffer("table", torch.from_numpy(np.cos(angles)[order] @ np.eye(16, dtype=np.float32)), persistent=False)
        self.scale = float(np.float32(1.0) / np.sqrt(np.float32(len(np.unique(order)))))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert int(np.prod(x.shape)) == x.numel() and self.scale == 0.125
        return cuda_extension.softmax(x, 0)
