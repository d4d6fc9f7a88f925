# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the edges below: what a search finds only where they are sorted."""

import cuda_extension
from torch import nn


class ModelNew(nn.Module):
    def forward(self, edges, x):
        return cuda_extension.edges_below(edges, x)
