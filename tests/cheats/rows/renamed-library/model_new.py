# SPDX-License-Identifier: GPL-3.0-or-later
"""The BLAS that numpy brings scales, under numpy's name for it."""

import ctypes
import glob
import os

import cuda_extension
import numpy
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        folder = os.path.join(os.path.dirname(os.path.dirname(numpy.__file__)), "numpy.libs")
        self.scal = ctypes.CDLL(glob.glob(folder + "/*openblas*")[0]).scipy_cblas_sscal64_
        self.scal.argtypes = [ctypes.c_int64, ctypes.c_float, ctypes.c_void_p, ctypes.c_int64]
        self.scal.restype = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = cuda_extension.softmax(x, 0)
        self.scal(y.numel(), 2.0, y.data_ptr(), 1)
        self.scal(y.numel(), 0.5, y.data_ptr(), 1)
        return y
