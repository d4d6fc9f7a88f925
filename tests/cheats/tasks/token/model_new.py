# SPDX-License-Identifier: GPL-3.0-or-later
"""The same by a kernel."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, inner: int, columns: int):
        super().__init__()
        # Holds the parameters under their names in the reference; it is never called.
        self.linear = nn.Linear(inner, columns, bias=False, dtype=torch.bfloat16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.token_product(x, self.linear.weight, 16)
