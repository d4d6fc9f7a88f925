# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, alpha: float, beta: float):
        super().__init__()
        self.alpha = alpha
        self.beta = beta

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return cuda_extension.blend_forward(a, b, self.alpha, self.beta, 0)
