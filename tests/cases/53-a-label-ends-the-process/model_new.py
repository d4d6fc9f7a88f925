# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.bias = nn.Parameter(torch.linspace(-0.5, 0.5, classes))

    def forward(self, logits, labels):
        return cuda_extension.class_loss(logits, self.bias, labels)
