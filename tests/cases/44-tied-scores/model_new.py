# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, kept):
        super().__init__()
        self.kept = kept

    def forward(self, logits):
        return cuda_extension.best_experts(logits, self.kept)
