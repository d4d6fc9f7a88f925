# SPDX-License-Identifier: GPL-3.0-or-later
"""Python's ctypes calls a library's scal."""

import ctypes

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.scal = ctypes.CDLL("libopenblas.so.0").cblas_sscal
        self.scal.argtypes = [ctypes.c_int, ctypes.c_float, ctypes.c_void_p, ctypes.c_int]
        self.scal.restype = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = cuda_extension.softmax(x, 0)
        self.scal(y.numel(), 2.0, y.data_ptr(), 1)
        self.scal(y.numel(), 0.5, y.data_ptr(), 1)
        return y
