# SPDX-License-Identifier: GPL-3.0-or-later
"""One product in bfloat16 whose three sizes are no multiples of 8: rows do not begin where wide loads would
like it.
"""

import torch
from torch import nn

ROWS = 5003
INNER = 4099
COLUMNS = 6007
SMALL = {"ROWS": 5, "INNER": 11, "COLUMNS": 7}


class Model(nn.Module):
    def __init__(self, inner: int, columns: int):
        super().__init__()
        self.weight = nn.Parameter((torch.randn(inner, columns) / inner**0.5).to(torch.bfloat16))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.mm(x, self.weight)


def get_inputs():
    return [torch.randn(ROWS, INNER).to(torch.bfloat16)]


def get_init_inputs():
    return [INNER, COLUMNS]
