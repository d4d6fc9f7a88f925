# SPDX-License-Identifier: GPL-3.0-or-later
"""Each matrix of a batch divided by its Frobenius norm and weighed by its row sums: preconditioners of an
optimiser.
"""

import torch
from torch import nn

MATRICES = 96
ROWS = 1030
COLUMNS = 770
SMALL = {"MATRICES": 3, "ROWS": 9, "COLUMNS": 7}


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        size = torch.linalg.matrix_norm(x, keepdim=True)
        weight = x.abs().sum(dim=2, keepdim=True)
        return x / size * weight / weight.amax(dim=1, keepdim=True)


def get_inputs():
    return [torch.randn(MATRICES, ROWS, COLUMNS) * torch.rand(MATRICES, ROWS, 1)]


def get_init_inputs():
    return []
