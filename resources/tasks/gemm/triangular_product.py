# SPDX-License-Identifier: GPL-3.0-or-later
"""A lower triangular matrix times a full one, as in whitening with a Cholesky factor: half of the products are
with zeros.
"""

import torch
from torch import nn

SIZE = 4500
COLUMNS = 3000
SMALL = {"SIZE": 13, "COLUMNS": 9}


class Model(nn.Module):
    def forward(self, factor: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return torch.tril(factor) @ x


def get_inputs():
    return [torch.randn(SIZE, SIZE), torch.randn(SIZE, COLUMNS)]


def get_init_inputs():
    return []
