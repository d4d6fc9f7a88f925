# SPDX-License-Identifier: GPL-3.0-or-later
"""The same by a kernel."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor):
        total, largest, place, positive = cuda_extension.rows(x)
        return {"sum": total, "top": (largest, place), "positive": positive, "none": x.new_empty((0, x.size(1)))}
