# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.BatchNorm1d(width, track_running_stats=False)

    def forward(self, x):
        return cuda_extension.batch_norm(x, self.norm.weight, self.norm.bias, self.norm.eps)
