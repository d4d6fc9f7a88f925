# SPDX-License-Identifier: GPL-3.0-or-later
"""Folds statistics into factors by torch, in the first call with them, and looks each time whether they are others."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        # Holds parameters and statistics under their names in the reference; it is never called.
        self.norm = nn.BatchNorm2d(channels)
        self.halves = torch.ones(channels) * 0.5
        self.known = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        norm = self.norm
        known = [(tensor.data_ptr(), tensor._version) for tensor in (norm.running_mean, norm.running_var, norm.weight, norm.bias)]
        if self.known != known:
            self.factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            self.shift = norm.bias - norm.running_mean * self.factor
            self.nothing, self.one = torch.zeros_like(self.shift), self.halves.to(x.device) * 2
            self.known = known
        return cuda_extension.norm(x, self.nothing, self.one, self.factor, self.shift, 0.0)
