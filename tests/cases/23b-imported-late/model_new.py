# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        from utils import width_of

        self.scale = nn.Parameter(torch.rand(width_of()) + 0.5)

    def forward(self, x):
        return cuda_extension.softsign(x, self.scale)
