# SPDX-License-Identifier: GPL-3.0-or-later
"""One token through a linear layer in BF16: all the time goes to reading weights."""

import torch
from torch import nn

INNER = 4096
COLUMNS = 8192


class Model(nn.Module):
    def __init__(self, inner: int, columns: int):
        super().__init__()
        self.linear = nn.Linear(inner, columns, bias=False, dtype=torch.bfloat16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


def get_inputs():
    return [torch.randn(1, INNER).bfloat16()]


def get_init_inputs():
    return [INNER, COLUMNS]
