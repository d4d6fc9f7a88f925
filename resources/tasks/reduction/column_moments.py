# SPDX-License-Identifier: GPL-3.0-or-later
"""Mean and deviation of each feature over all samples, both returned: statistics of a data set, over the outer
dimension.
"""

import torch
from torch import nn

SAMPLES = 200_003
FEATURES = 511
SMALL = {"SAMPLES": 31, "FEATURES": 9}


class Model(nn.Module):
    def forward(self, x: torch.Tensor):
        deviation, mean = torch.std_mean(x, dim=0)
        return mean, torch.log(deviation), x.amax(dim=0)


def get_inputs():
    spread = 0.5 + torch.rand(FEATURES)
    return [spread * torch.randn(SAMPLES, FEATURES) + torch.randn(FEATURES)]


def get_init_inputs():
    return []
