# SPDX-License-Identifier: GPL-3.0-or-later
"""A CUDA graph that copies its input in and its result out."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(columns))
        self.shift = nn.Parameter(torch.zeros(columns))
        self.graph = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.graph is None:
            self.given = torch.empty_like(x)
            self.given.copy_(x)
            aside = torch.cuda.Stream()
            aside.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(aside):
                cuda_extension.swish(self.given, self.scale, self.shift)
            torch.cuda.current_stream().wait_stream(aside)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.result = cuda_extension.swish(self.given, self.scale, self.shift)
        self.given.copy_(x)
        self.graph.replay()
        return self.result.clone()
