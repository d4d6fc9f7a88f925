"""The same model in one kernel of our own."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    CONFIG = 0  # Which variant of the kernel on a GPU: see launchFusedPointwise.
    # How many there are of each: what a sweep tries.
    CHOICES = {"CONFIG": 4}

    def __init__(self, *arguments, **named):
        super().__init__()
        # The reference's weights are loaded into these.
        self.register_parameter("scale", nn.Parameter(torch.empty(2048)))
        self.register_parameter("shift", nn.Parameter(torch.empty(2048)))

    def forward(self, x):
        result1 = cuda_extension.fused_pointwise(x, self.scale, self.shift, self.CONFIG)
        return result1
