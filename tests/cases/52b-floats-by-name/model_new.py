# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.empty(48))

    def forward(self, x):
        return cuda_extension.norm_and_mix(x, self.gain)
