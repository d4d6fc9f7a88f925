# SPDX-License-Identifier: GPL-3.0-or-later
"""Values right; among equal ones the first place is named again and again."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.levels = nn.Parameter(torch.tensor(4.0))

    def forward(self, x):
        return cuda_extension.sorted_rows(x, self.levels)
