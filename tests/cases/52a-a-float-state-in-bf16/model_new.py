# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.empty(24, 40))
        self.u = nn.Parameter(torch.empty(40, 40))

    def forward(self, x):
        return cuda_extension.turns(x, self.w, self.u)
