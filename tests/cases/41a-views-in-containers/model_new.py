# SPDX-License-Identifier: GPL-3.0-or-later
"""Three dense tensors in the same containers."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, joint):
        q, k, v = cuda_extension.three(joint, self.gain)
        return {"query": q, "pair": (k, v)}
