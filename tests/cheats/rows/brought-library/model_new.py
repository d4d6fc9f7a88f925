# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads a library from a place that anybody may write to: what it was built from, nobody knows."""

import ctypes
import shutil
import tempfile

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        path = tempfile.mkdtemp() + "/kernels.so"
        shutil.copyfile(cuda_extension.__file__, path)
        self.softmax = ctypes.CDLL(path).launchSoftmax
        self.softmax.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        self.softmax(x.data_ptr(), y.data_ptr(), x.size(0), x.size(1), 0)
        return y
