# SPDX-License-Identifier: GPL-3.0-or-later
from triton import jit
from triton import language as tl


@jit
def added(a, b, root, y, width, BLOCK: tl.constexpr):
    places = tl.arange(0, BLOCK)
    row = tl.program_id(0) * width
    inside = places < width
    total = tl.load(a + row + places, mask=inside) + tl.load(b + row + places, mask=inside)
    tl.store(y + row + places, total / tl.sqrt(tl.load(root + places, mask=inside)), mask=inside)
