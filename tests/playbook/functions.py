# SPDX-License-Identifier: GPL-3.0-or-later
"""torch's functions by kind, many results in one reference, for check.py --numbers and --emulated: a row as in rows.py. All
must be planned."""

from borders import BORDERS
from odd import model


def group(inputs, names, *results):
    body = "".join(f"\n        {result}," for result in results)
    return model(f"def forward(self, {names}):\n    return (" + body + "\n    )", inputs)


ROWS = (
    ("angles_and_areas", group(
        "[torch.randn(6, 33)]", "x", "torch.atan(x)", "torch.asin(torch.tanh(x) * 0.99)", "torch.acos(torch.tanh(x) * 0.99)", "torch.atan2(x, x.flip(1))",
        "torch.tanh(x * 3)", "torch.tanh(x * 1e-3)", "torch.tanh(x * 1e30)", "torch.sinh(x)", "torch.cosh(x)", "torch.asinh(x)", "torch.acosh(x.abs() + 1.5)", "torch.atanh(torch.tanh(x) * 0.9)",
        "torch.hypot(x, x + 1)", "torch.copysign(x, x.flip(1))")),
    ("probability", group(
        "[torch.randn(6, 33)]", "x", "torch.erfc(x)", "torch.erfinv(torch.tanh(x))", "torch.lgamma(x.abs() + 0.5)", "torch.digamma(x.abs() + 0.5)",
        "torch.digamma(x - 0.25)", "torch.log2(x.abs() + 1)", "torch.log10(x.abs() + 1)", "torch.exp2(x)", "torch.special.ndtr(x)",
        "torch.expm1(x)", "torch.expm1(x * 1e-4) * 1e4", "torch.expm1(x * 40).clamp(max=1e30)", "F.elu(x * 0.1)", "F.selu(x * 60)",
        "F.relu(torch.erf(x * 0.2 + 3.5) - 1) * 1e9", "F.relu(torch.erf(x * 0.2 - 3.5).neg() - 1) * 1e9")),
    ("questions", group(
        "[torch.tensor([[1.5, -0.0, 0.0, float('nan'), float('inf'), -float('inf'), -3.0, 2.0]]), torch.tensor([[2.0, 1.0, -1.0, 1.0, float('nan'), 0.0, -4.0, 2.0]])]",
        "x, y", "torch.sign(x)", "torch.signbit(x).float()", "torch.isinf(x).float()", "torch.isfinite(x).float()", "torch.fmax(x, y)", "torch.fmin(x, y)",
        "torch.isclose(y, y + 1e-6).float()", "F.softshrink(y)", "torch.frac(y * 1.25)", "y.clamp(y - 1, y + 0.5)")),
    ("truths", group(
        "[torch.randn(6, 10) > 0, torch.randn(6, 10) > 0, torch.randn(6, 10)]", "x, y, z", "x & y", "x | y", "x ^ y", "~x", "torch.logical_xor(x, z)",
        "torch.where(x & ~y, z, -z)")),
    ("bits", group(
        "[torch.randint(-1000, 1000, (6, 10)), torch.randint(0, 70, (6, 10)), torch.randint(0, 256, (6, 10), dtype=torch.uint8), "
        "torch.randint(-2**31, 2**31 - 1, (6, 10), dtype=torch.int32)]",
        "x, y, u, w", "x & 12", "x | y", "x ^ y", "~x", "x << 3", "x >> y", "x << y", "u >> 4", "(u << 3) >> 2", "u & 15", "~u", "(~u) >> 4", "w << 5", "w >> 7",
        "((x * 2654435761) ^ (y * 805459861)) % 512", "x.abs() % 2**53", "x.abs() % 2**54", "torch.stack([u & 15, u >> 4], -1).flatten(1).float() - 8.0")),
    # A row's segment is staged in shared memory, two vectors a thread.
    ("looked_up_in_rows", model('''
def __init__(self):
    super().__init__()
    self.scale, self.bias = nn.Parameter(torch.rand(1024)), nn.Parameter(torch.rand(300, 1))

def forward(self, x, order, odd, orders, points):
    halves = torch.index_select(x.half(), -1, order) * self.scale.half()
    turned = torch.where(odd > 0, odd, -odd).gather(1, orders) + self.bias
    c = points * 1022.5
    left = c.floor().clamp(0, 1022)
    rows = torch.arange(300)[:, None]
    i = left.long()
    between = x[rows, i] * (left + 1 - c) + x[rows, i + 1] * (c - left)
    images = x.view(300, 32, 32)
    j = (points * 31.5).long()
    return x[:, order].exp(), halves, turned, between, images[rows, 31 - j, j] * 2.0, torch.where(points > 0.5, x.gather(1, i), 0.0)''',
        "[torch.randn(300, 1024), torch.randperm(1024), torch.randn(300, 1001), torch.randint(0, 1001, (300, 990)), torch.rand(300, 700)]")),
    # Several rows of a block share one order. Inputs have names of the text's own variables.
    ("rows_in_one_order", group("[torch.randn(1060, 1024), torch.randn(1325, 520).half(), torch.randperm(1024), torch.randperm(520), torch.rand(1024)]", "first_row, of_block, i, j, s",
                                "first_row[:, i] * s", "torch.index_select(of_block, 1, j).tanh()")),
    ("planes_looked_up", model('''
def forward(self, x, points):
    i = (points * 119.0).long()
    rows = torch.arange(270)[:, None]
    return x.view(270, 120, 122)[rows, i, 121 - i] * 0.5 + points''', "[torch.randn(270, 14640), torch.rand(270, 7400)]")),
    ("two_packs", group("[torch.randn(1024, 2048), torch.rand(1024), torch.randint(0, 900, (1024,))]", "x, y, i",
                        "x * y[:, None] + 1", "x[i] * 2.0")),
    ("what_a_type_holds", group(
        "[torch.randint(-1000, 1000, (6, 10)), torch.randint(0, 256, (6, 10), dtype=torch.uint8), torch.randint(-128, 128, (6, 10), dtype=torch.int8), "
        "torch.randint(-2**31, 2**31 - 1, (6, 10), dtype=torch.int32), torch.randint(-2**15, 2**15, (6, 10), dtype=torch.int16)]",
        "x, u, b, w, s", "x.to(torch.int8).long() * 2", "x.to(torch.uint8).float() - 5", "(x * 77).short() // 3", "(x * 2**29 + x).int().long() % 1000", "(u - 200).long()",
        "(u * 3).float()", "(-u).float()", "(b + b).float()", "b.abs().float()", "(b * b) // 3", "(w * 73856093 ^ w * 19349663) % 1000", "((w * 31 + w * 17) % 97).float()",
        "(u + b).float()", "u.long() - 300", "(s * s).float().sum(1)", "torch.where(x > 0, u - 200, u).float()", "u.to(torch.int8).float()", "(u + 1.5)")),
    ("past_a_segment", model('''
def forward(self, x, i, j):
    rows = torch.arange(300)[:, None]
    further = torch.roll(x, -100).gather(1, i) * 2.0
    longer = F.pad(x.view(-1), (0, 1024)).unfold(0, 2048, 1024)[rows, j]
    before = torch.cat([x.view(-1)[:100], x.view(-1)[:-100]]).view(300, 1024)[rows, i] + 1.0
    flat = x.view(-1)[(rows * 1024 + j).clamp(0, 307199)] - 1.0
    return further, longer.exp(), before, flat''', "[torch.randn(300, 1024), torch.randint(0, 1024, (300, 700)), torch.randint(0, 2048, (300, 1100))]")),
    ("a_table_of_that_name", model("def forward(self, i, order):\n    return i[:, order] * 2.0", "[torch.randn(300, 1024), torch.randperm(1024)]")),
    # Two or four elements of a byte, adjacent: stored as 16-byte vectors.
    ("unpacked_bits", group("[torch.randint(0, 256, (300, 512), dtype=torch.uint8), torch.randint(0, 256, (600, 256), dtype=torch.uint8), torch.rand(300, 8, 1), torch.rand(600, 1)]",
        "i, j, s, t", "(torch.stack([i & 15, i >> 4], -1).view(300, 8, 128).half() - 8) * s.half()", "torch.stack([i >> 4, i & 15], -1).flatten(1).float() * s[:, 0]",
        "(torch.stack([j & 3, j >> 2 & 3, j >> 4 & 3, j >> 6], 2).flatten(1) - 1).bfloat16() * t.bfloat16()",
        "torch.stack([i & 15, i >> 4], 1).half() * s[:, :1].half()")),
    ("what_wraps", group(
        "[torch.arange(-128, 128).to(torch.int8), torch.arange(0, 256).to(torch.uint8), torch.randn(200), torch.arange(-128, 128).to(torch.int32) * 16777215]",
        "b, u, t, w", "u.to(torch.int8).to(torch.uint8).float()", "t[u.to(torch.int8).long().clamp(-100, 99)]", "((b // 3) * 3).float()",
        "(torch.div(b, 3, rounding_mode='trunc') * 3 - 2).float()", "(u.to(torch.int16) << 8).float()", "(u.long() ** 9 & 65535).float()", "((u << 1) >> 1).float()", "(-b).float()", "(b - u).float()",
        "(b.to(torch.uint8) >> 1).float()", "(b >> 1).float()", "(b.long() ** 9 % 7).float()", "(b % 5).float()", "torch.remainder(b, -5).float()", "torch.fmod(b, 5).float()", "(b // -1).float()", "b.sum(dtype=torch.int8).float()", "(b.to(torch.int16) * 300).float()", "b.cumsum(0).float()", "(u ^ 128).to(torch.int8).float()", "(b ^ -1).float()", "(b | 3).float()", "(b & -4).float()", "((u.to(torch.int8) >> 1) & 255).float()", "torch.bitwise_left_shift(b, b & 7).float()")),
    ("far_in_odd_rows", group(
        "[torch.randn(140, 129) * 3e5, torch.randn(140, 129), torch.randn(140, 1) * 1e6]", "x, y, r",
        "torch.sin(x) * y + torch.cos(r)", "torch.cos(x) * torch.sin(y) + 1.0", "y + torch.remainder(torch.full((129,), 1000), torch.arange(129) + 1)")),
    ("far_beside_others", group("[torch.randn(64, 128) * 3e5, torch.randn(64, 1) * 1e6, torch.randint(0, 8192, (64, 128))]", "x, r, i",
        "torch.stack([torch.sin(x), torch.cos(x), x], -1)", "torch.sin(x).t().contiguous()", "x.new_zeros(8192).index_add(0, i.view(-1), torch.sin(x).view(-1))",
        "x.new_zeros(64, 128).scatter_add(1, i % 128, torch.cos(x))", "x.new_zeros(64, 128).index_add(0, i[:, 0] % 64, torch.cos(x) + torch.sin(r))")),
    ("far_and_added", group("[torch.randn(4096, 32) * 3e5, torch.randn(32), torch.randint(0, 500, (4096,))]", "x, b, i",
        "x.new_zeros(500, 32).index_add(0, i, torch.sin(x) * b)")),
    ("far_and_added_odd", group("[torch.randn(4096, 30) * 3e5, torch.randn(30), torch.randint(0, 500, (4096,))]", "x, b, i",
        "x.new_zeros(500, 30).index_add(0, i, torch.sin(x) * b)", "x.new_zeros(500, 30).index_add(0, i, torch.cos(x.flip(1)))")),
    ("numbers_of_numbers", group("[torch.randn(6, 10)]", "x",
        "x + (torch.full((10,), 2654435761) * 805459861 % 1000)", "x + (torch.ones(10, dtype=torch.bool) + torch.ones(10, dtype=torch.bool)).float()",
        "x * (torch.full((10,), float('nan')) == torch.full((10,), float('nan'))).float()", "x * (torch.full((10,), 0.1) * 3.0 == 0.3).float()", "x + (torch.full((10,), 2**53) + 1) % 2",
        "x + torch.full((10,), 200, dtype=torch.uint8) * 2", "x + (torch.full((10,), 100, dtype=torch.int8) + 100).float()", "x + (torch.full((10,), 0.1) == torch.full((10,), 0.1, dtype=torch.float64)).float()")),
    ("parts", group(
        "[torch.randn(6, 10)]", "x", "x.diagonal(1) * 2", "x[:, :6].trace()", "x.unfold(1, 4, 2).exp()", "x.unfold(0, 3, 1).sum(-1)",
        "torch.diagonal(x.reshape(2, 3, 10), -1, 1, 2) + 1")),
    ("written_pieces", model('''
def forward(self, x):
    turned = torch.empty(6, 10)
    turned[:, :4] = x[:, 6:]
    turned[:, 4:] = x[:, :6] * 2.0
    woven = torch.empty_like(x)
    woven[:, ::2] = x[:, 1::2]
    woven[:, 1::2] = -x[:, ::2]
    third = x.clone()
    third[:, 1:9:3] = 0.5
    masked = x.clone()
    masked[x > 0] = 0.0
    weights = torch.tensor([0.3, 0.5, 0.2])
    return turned, woven, third, masked, F.pad(x[None], (2, 3), mode="circular"), (x.reshape(4, 5, 3) * weights).sum(-1)''')),
    ("order", group(
        "[torch.randn(5, 37), torch.randint(0, 6, (4, 9)).float()]", "x, y", "x.sort(1).values", "x.sort(0, descending=True).values", "torch.sort(y, dim=1, stable=True)[1]",
        "x.topk(3, dim=1).values", "x.topk(2, dim=0, largest=False)[1]", "x.median(1).values", "x.kthvalue(4, 1).values", "x.median()")),
    ("unpooled", model('''
def forward(self, x):
    small, places = F.max_pool2d(x, 2, return_indices=True)
    wide, others = F.max_pool2d(x, (3, 2), return_indices=True)
    over, overlapping = F.max_pool2d(x, 5, 2, 2, return_indices=True)
    over = over * 0.0 + overlapping % 7
    return (F.max_unpool2d(small * 2.0, places, 2, output_size=x.shape[-2:]), F.max_unpool2d(wide, others, (3, 2), output_size=x.shape[-2:]),
            F.max_unpool2d(over, overlapping, 5, 2, 2, output_size=x.shape[-2:]))''', "[torch.randn(2, 3, 11, 15)]")),
    ("linear_forms", model('''
def __init__(self):
    super().__init__()
    self.wide, self.narrow = nn.Linear(24, 40), nn.Linear(40, 3)
    self.base, self.down, self.up = nn.Linear(24, 16), nn.Linear(24, 2, bias=False), nn.Linear(2, 16, bias=False)
    self.heads = nn.ModuleList(nn.Linear(24, 5) for _ in range(3))
    self.conv, self.strided = nn.Conv2d(3, 12, 3, padding=1), nn.Conv2d(3, 60, (2, 3), stride=(2, 3), dilation=(1, 2), bias=False)
    self.along, self.last = nn.Conv1d(3, 12, 4, padding=2), nn.Parameter(torch.randn(3, 12, 3, 3))

def forward(self, x, image):
    shared = self.wide(x)
    return (torch.tanh(self.narrow(self.wide(x)) / 3.0), self.base(x) + self.up(self.down(x)) * 0.5, torch.stack([head(x) for head in self.heads]).mean(0),
            self.wide(x).sum(-1, keepdim=True) * 2.0, self.base(x).mean((0, 1)), torch.relu(self.conv(image).mean((2, 3))),
            self.strided(image).mean((2, 3), keepdim=True), self.along(image.flatten(2)).mean(-1), shared.exp(), shared.sum(-1), self.narrow(shared),
            (x @ x.mT) / 4.0 @ x, x @ (x.mT @ x), self.wide(x) - self.wide(x + 1.0), F.conv2d(image, self.last.transpose(0, 1)).mean((2, 3)), F.conv2d(image, self.last[:, :3], stride=(2,)).mean((2, 3)),
            torch.mean(x @ x.mT, dim=None), x[0, :1] @ ((x[0].t() @ x[1]) @ x[2].t()), torch.bmm(torch.bmm(x, x.mT) + x[0, :, 0], x), (x.half() @ x[0].t().half() + x.half() @ x[1].t().half()) * 0.5)''', "[torch.randn(4, 30, 24), torch.randn(2, 3, 11, 13)]")),
    ("ranks", group(
        "[torch.randn(5, 70), torch.randn(3, 60, 40), torch.randn(5, 64).round()]", "x, y, z", "x.median(1).values", "x.kthvalue(50, 1)[1]",
        "x.topk(20, 1).values.mean(1)", "x.topk(12, 1, largest=False).values.sum(1, keepdim=True)", "x.sort(1).values[:, 10:-15].mean(1)",
        "x.quantile(0.3, dim=1)", "torch.where(x >= x.topk(9, 1).values[:, -1:], x, 0.0)", "y.topk(11, 2).values.exp().sum(2)",
        "y.median(1).values", "x.half().topk(16, 1).values.mean(1)", "z.sort(1, descending=True).values[:, 3:30].sum(1)", "z.topk(30).values.mean(1)",
        "x.sort(1).values[:, 40] - x.sort(1).values[:, 0]", "x.median()", "torch.where(x > 1.0, math.nan, x).topk(20, 1).values.relu().mean(1)",
        "torch.where(x[:, :1] > 0.3, math.nan, x).median(1).values", "torch.where(x > 2.0, math.nan, x).median(1).indices", "torch.where(x > 2.0, math.nan, x).kthvalue(5, 1).indices",
        "torch.sqrt(x).kthvalue(5, 1).values", "torch.softmax(x, 1).median(1).values", "torch.where(x > 0, math.inf, -math.inf).topk(40, 1).values.amin(1)")),
    ("places_along", group(
        "[torch.randn(3, 600, 40), torch.full((2, 30), -math.inf), torch.where(torch.randn(3, 700) > 2.0, math.nan, torch.randn(3, 700)), "
        "torch.randint(0, 3, (5, 9000)).float()]", "x, y, z, w", "x.argmax(1)", "x.min(1)[1]", "x.max(2)[1]", "y.argmax(1)", "z.argmax(1)", "z.argmin(1)", "w.argmax(1)",
        "w.argmin(1)", "(x * 2.0).max(1)[0] + x.max(1)[1]", "x.argmax()", "torch.softmax(x, 1).argmax(1)", "torch.where(x == x.amax(1, keepdim=True), torch.arange(600)[:, None], 3).amin(1)",
        "torch.where(w == w.amax(1, keepdim=True), torch.arange(8999, -1, -1), 9000).amin(1)", "torch.where(z == z.amax(1, keepdim=True), torch.arange(700), 700).amin(1)",
        "torch.log_softmax(w[:, :8000].reshape(5, 800, 10), 1).argmax(1)")),
    ("first_of_long_rows", group(
        "[torch.randn(3, 1500), torch.full((2, 1500), -math.inf).index_fill(1, torch.tensor([700, 900]), 1.0)]", "x, y", "x.topk(4, 1).values",
        "x.topk(3, 1, largest=False)[1]", "y.topk(4, 1)[1].sort(1).values.diff(dim=1).clamp_max(1)")),
    ("many_of_long_rows", group(
        "[torch.randn(2, 9000), torch.randn(2, 5000)]", "x, y", "x.topk(20, 1).values", "x.topk(20, 1)[1]", "y.topk(300, 1, largest=False)[1]",
        "x.topk(17, 1).values.mean(1)")),
    ("places_in_order", group(
        "[torch.randn(5, 37)]", "x", "torch.bucketize(x, torch.linspace(-1, 1, 9))", "torch.searchsorted(x.sort(1).values, x, right=True)",
        "torch.histc(x, 8, -2, 2)", "torch.bincount(x[0].abs().long(), minlength=6) * 2", "torch.histc(x, 8)", "torch.histc(torch.ones_like(x), 5)")),
    ("written_by_index", group(
        "[torch.randn(6, 10), torch.randint(0, 10, (6, 1)), torch.stack([torch.randperm(10)[:7] for _ in range(6)]), torch.randint(0, 6, (4,)), torch.randperm(6)[:4]]",
        "x, one, many, some, other", "x.scatter(1, one, 1.0)", "x.scatter(1, one, x * 2)", "x.scatter(1, many, x * 2)", "x.scatter_add(1, many, x)",
        "x.index_add(0, some, x[:4])", "x.index_copy(0, other, x[:4] * 2)", "x.index_fill(0, other, 2.0)", "x.index_put((some, some), torch.ones(4, dtype=x.dtype), accumulate=True)",
        "x.scatter_reduce(1, many, x * 2, 'amax')", "x.scatter_reduce(0, one.clamp(0, 5).expand(6, 10), x, 'mean', include_self=False)", "x.masked_scatter(x > 0, x)")),
    ("sums_in_memory", group(
        "[torch.randn(3000, 7), torch.randint(0, 300, (3000,)), torch.randn(64, 400), torch.randint(0, 400, (64, 300)), torch.randn(300, 8)]",
        "x, some, y, many, z", "torch.zeros(300, 7, dtype=x.dtype).index_add(0, some, x.exp())", "y.scatter_add(1, many, y * 0.5)",
        "torch.zeros(300, dtype=torch.int64).index_add(0, some, torch.ones_like(some)) * 2",
        "z.index_add(0, some, torch.cat([x, x[:, :1]], 1))", "z.half().index_add(0, some, torch.cat([x, x[:, :1]], 1).half())",
        "z.t().index_add(1, some, torch.cat([x, x[:, :1]], 1).t())",
        "torch.zeros(300, 8, dtype=x.dtype).index_put((some, some % 8), x[:, 0], accumulate=True)")),
    ("rows_written", group(
        "[torch.randn(9000, 4), torch.randperm(9000)[:8000], torch.randn(8000, 4), torch.randn(70_000), torch.randperm(70_000)[:1200]]",
        "x, places, rows, long, few", "x.index_copy(0, places, rows)", "x.half().index_put((places,), rows.half())", "x.t().index_copy(1, places, rows.t()) * 2",
        "long.scatter(0, few, long[:1200] * 2)", "long.scatter(0, few, 3.0)", "x.index_put((places, places % 4), rows[:, 0])",
        "x[:6].scatter(0, places[:4].reshape(2, 2) % 6, x)", "x[:6].scatter_add(0, places[:4].reshape(2, 2) % 6, x)")),
    ("windows_summed", group(
        "[torch.randn(2, 16, 16), torch.randn(2, 18, 25)]", "x, y", "F.fold(x, (5, 5), 2)", "F.fold(y, (9, 9), 3, stride=2, padding=1)")),
    ("far_products", group(
        "[torch.randn(6, 10), torch.randint(0, 9, (6, 10)), torch.randn(3, 10, 10), torch.randn(30, 10)]", "x, w, b, m", "torch.cdist(x, x + 1)", "torch.cdist(m, m + 1)",
        "torch.cdist(x, x + 1, p=1)", "torch.dist(x, x + 1)", "w @ w.T", "F.pdist(x)", "torch._int_mm(w.to(torch.int8), w.T.to(torch.int8)) * 2", "F.bilinear(x, x, b)", "torch.addbmm(x[:, :6], x[None], x.T[None])")),
    ("quantised", group(
        "[torch.randn(6, 10)]", "x", "torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -128, 127)",
        "torch.fake_quantize_per_channel_affine(x, torch.full((10,), 0.05), torch.zeros(10, dtype=torch.int32), 1, -8, 7)")),
    ("many_samples", model('''
def forward(self, x):
    places = torch.tanh(x[:, :2].permute(0, 2, 3, 1))
    return sum(F.grid_sample(x, places * (0.5 + 0.1 * i), align_corners=False) for i in range(6))''', "[torch.randn(2, 4, 8, 8)]")),
    ("smooth_samples", model('''
def forward(self, x):
    places = torch.tanh(x[:, :2].permute(0, 2, 3, 1)) * 0.9
    return F.grid_sample(x, places, mode="bicubic", align_corners=False)''', "[torch.randn(2, 4, 8, 8)]")),
    ("angles", group(
        "[torch.randn(64, 33) * 3, torch.arange(2112).reshape(64, 33) * 3.14159265]", "x, turns", "x.sin()", "x.cos() * 2", "(x * 1000).sin()", "(x * 900).cos()",
        "(x * 1e6).sin()", "(x * 1e5).cos()", "turns.sin() + 2", "turns.cos() + x.sin() * x.cos()", "(x * 1e-4).sin() * 1e4")),
    ("finished_products", model('''
def forward(self, x, w, b, o):
    y = x @ w.t() + b
    gate = torch.sigmoid(x @ w.t() * 0.5)
    return torch.relu(y).square() * o, gate * o + (1 - gate) * y, torch.tanh(x @ w.t()) * o[:, :1] + b''',
        "[torch.randn(3300, 64), torch.randn(1024, 64), torch.randn(1024), torch.randn(3300, 1024)]")),
    ("finished_half_products", model('''
def forward(self, x, w, b, o):
    return torch.relu(x @ w.t() + b).square() * o''',
        "[torch.randn(3300, 64).bfloat16(), torch.randn(1024, 64).bfloat16(), torch.randn(1024).bfloat16(), torch.randn(3300, 1024).bfloat16()]")),
    # Triangular operands, by rows, by columns, with a diagonal inside a block: several matmuls.
    ("triangular_products", model('''
def forward(self, x, w, b, y, v):
    seen = torch.tril(torch.ones(1100, 1100))
    return torch.tril(x, 70) @ w, x @ torch.tril(b).t() + b[:, 0], (y * seen) @ v, v @ torch.triu(y, -40)''',
        "[torch.randn(3890, 1100), torch.randn(1100, 2104), torch.randn(2104, 1100), torch.randn(5, 1100, 1100), torch.randn(5, 1100, 1100)]",)),
    ("gated_products", model('''
def forward(self, x, w, v, b, o):
    first, second = (x @ w.t() + b).chunk(2, dim=-1)
    return F.silu(first) * second, torch.sigmoid(x @ v.t() + o) * (x @ w[:1024].t() * 0.5) + o * x[:, :1]''',
        "[torch.randn(3300, 64), torch.randn(2048, 64), torch.randn(1024, 64), torch.randn(2048), torch.randn(3300, 1024)]")),
    ("gated_half_products", model('''
def forward(self, x, w, b):
    first, second = (x @ w.t() + b).chunk(2, dim=-1)
    return F.gelu(second) * first''', "[torch.randn(3300, 64).half(), torch.randn(1600, 64).half(), torch.randn(1600).half()]")),
    ("moments_of_few", group(
        "[torch.randn(20000, 64) + 1, torch.randn(3, 200000) + 1]", "x, rows", "torch.stack([x.mean(0), x.var(0), ((x - x.mean(0)) ** 3).mean(0)])",
        "((rows - rows.mean(1, keepdim=True)) ** 4).mean(1) / rows.var(1)", "torch.softmax(x, 0).amax(0)")),
    ("odd_rows", group(
        "[torch.randn(3, 12, 161), torch.rand(12, 1) + 0.5, torch.randn(161), torch.randn(6, 2, 3, 7, 19), torch.randn(8, 135).half()]", "x, frequency, offset, z, half",
        "x + torch.sin(frequency * x).square() / frequency", "(x - offset).tanh() * frequency", "x[:, :8] * 2 + offset", "z * z[:, :1].flip(1)",
        "half.sigmoid() * 2 - half", "(half.float() * 0.5).exp()")),
    ("parts_and_a_rest", group(
        "[torch.randn(40009, 33) + 1, torch.randn(39937, 33) + 1, torch.randn(1009, 1013) + 1]", "x, one, all", "torch.stack([x.mean(0), torch.log(x.std(0)), x.amax(0)])", "x.argmax(0)", "x.sum(0) + x[0]",
        "one.amax(0) * 2", "one.sum(0) / one.square().sum(0)", "all.sum() / 7 + all.amax()")),
    ("looked_up_several", group(
        "[torch.randn(1021, 1031), torch.randint(0, 1031, (1021, 1031)), torch.randn(1031)]", "x, order, weight", "torch.gather(x, 1, order) * weight")),
    ("finished_images", group(
        "[torch.randn(20, 40, 35, 36), torch.randn(72, 40, 1, 1) / 6, torch.randn(72), torch.rand(20, 72, 1, 1), torch.randn(20, 72, 35, 36)]",
        "x, w, b, s, o", "torch.relu(F.conv2d(x, w, b)) * s + o", "((F.conv2d(x, w * 0.5) - b[:, None, None]) / (s[0] + 0.5).sqrt() * o[0, 0].sigmoid()).tanh()")),
    ("powers", group(
        "[torch.rand(64, 33) + 1e-3, torch.tensor([0.0, -0.0, 1.0, 2.0, 1e-9, 1e-30, 1e-40, 1e30, float('inf'), -2.0, float('nan')])]", "x, odd",
        "x ** 2.4", "x ** (1 / 3)", "x ** -0.7", "(x * 1e4) ** 3.3", "(x * 1e-4) ** 0.1", "odd ** 2.4", "odd ** (1 / 3)", "odd ** -1.3", "x ** 7.7",
        "torch.where(x > 0.04, ((x + 0.055) / 1.055) ** 2.4, x / 12.92)")),
    ("few_in_a_row", group(
        "[torch.randn(4, 32768, 3), torch.randn(4, 3, 3), torch.randn(4, 32768, 4), torch.randn(2, 3, 256, 256)]", "p, m, q, image",
        "p @ m.transpose(1, 2) + 1", "torch.cat([(q * q).sum(-1, keepdim=True).sqrt(), p * q[..., :1]], -1)", "torch.cross(p, q[..., :3], dim=-1).tanh() * 2",
        "torch.stack([q[..., 0] * q[..., 1], q[..., 2].tanh(), q[..., 3] - q[..., 1]], -1) * p",
        "torch.cat([image.tanh().sum(1, keepdim=True), image[:, 1:2].exp() * image[:, :1].tanh(), image[:, 2:] - image[:, 1:2].exp()], 1)")),
    ("filters_of_one_channel", group(
        "[torch.randn(2, 1, 17, 24), torch.randn(3, 1, 3, 3), torch.randn(2, 1, 5, 5)]", "x, w, v", "F.conv2d(x, w)", "F.conv2d(x, v, stride=2, padding=2).tanh()",
        "F.conv1d(x[:, :, 0], w[:, :, 0], padding=1) * 2", "torch.einsum('bchw,kc->bkhw', x.expand(2, 3, 17, 24) + 1, w[:, 0, 0])",
        "(x[0, 0, :, :3] @ w[:, 0, 0]).relu().sum(1)", "(x[:, 0, :3].transpose(1, 2).softmax(-1) @ w[:, 0, 1]).tanh()")),
    ("samples_of_channels", model('''
def forward(self, x, places):
    return F.grid_sample(x, torch.tanh(places * 2), align_corners=False) * 2''', "[torch.randn(1, 8, 9, 12), torch.randn(1, 1, 131072, 2)]")),
    ("short_rows", group(
        "[torch.randn(5, 12, 4), torch.rand(5, 12, 2) + 0.5, torch.randn(40, 3), torch.randn(3, 6, 6) > 0, torch.randn(7, 1, 9)]", "x, y, p, t, one",
        "(x[..., :2] * y).sum(-1).mean(1)", "(torch.log(y).abs().sum(-1) * x.prod(-1)).amax(1)", "(p[:, None] - p[None]).square().sum(-1).min(1).values",
        "(p[:, None] - p[None]).square().sum(-1).sqrt().exp().sum()", "t.any(1).float() + t[:, :3].all(1)", "x.var(-1).cumsum(1)", "torch.softmax(x.mean(-1), 1)",
        "(one.mean(1) + one.amax((1, 2))[:, None]).sum(1)", "F.pad(x, (1, 1), mode='circular').amin(-1) / x.std(-1, correction=0)",
        "F.pad(F.max_pool2d(x[:, None], 2, 1), (1, 2, 1, 2), mode='reflect')", "F.pad(F.avg_pool2d(x[:, None], 2, 2, 1), (1, 0))",
        "F.avg_pool2d(x[:, None], 2, 2, 1).flatten(1).sum(1)", "F.interpolate(F.adaptive_avg_pool2d(x[:, None], (5, 3)), (11, 7), mode='nearest')")),
    ("filters_of_each_channel", model('''
def __init__(self):
    super().__init__()
    self.filters = nn.ModuleList([nn.Conv2d(4, 4, k, padding=k // 2, groups=4, bias=k > 3) for k in (3, 5, 7)])
    self.norm = nn.BatchNorm2d(12)
    self.blur = nn.Parameter(torch.randn(4, 1, 4, 4))
    self.line = nn.Conv1d(4, 8, 3, groups=4)
    self.small = nn.Conv2d(4, 4, 3, padding=1, groups=4).half()
    self.whole = nn.Conv2d(4, 6, 3)

def forward(self, x, y, z):
    joined = torch.cat([some(part) for some, part in zip(self.filters, x.chunk(3, 1))], 1)
    blurred = F.conv2d(F.pad(F.max_pool2d(y, 2, 1), (1, 2, 1, 2), mode="reflect"), self.blur, stride=2, groups=4)
    inside = self.filters[1](x[:, 4:8, 1:-1, 2:-1])
    halves = self.small(z), self.small(z[..., :12]), self.small(z[..., 1:10])
    return torch.relu(self.norm(joined)), blurred, inside, self.line(y[:, :, 3]), *halves, self.whole(x[:, 8:]), self.whole(x[:, 3:7, 2:])''',
                                  "[torch.randn(2, 12, 9, 16), torch.randn(2, 4, 14, 17), torch.randn(2, 4, 6, 14).half()]")),
    ("means_with_channels_last", model('''
def __init__(self):
    super().__init__()
    self.norm = nn.LayerNorm(8)
    self.first = nn.Conv2d(8, 16, 1)
    self.gate = nn.Conv2d(16, 16, 1)

def forward(self, x):
    y = self.first(self.norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2))
    return y * torch.sigmoid(self.gate(F.adaptive_avg_pool2d(y, 1)))''', "[torch.randn(2, 8, 6, 7)]")),
    ("few_side_by_side", model('''
def forward(self, x, y):
    return x.transpose(1, 2).sigmoid() + y[:, :, None], (x.half().transpose(1, 2) * 2)[:, 1:12]''', "[torch.randn(3, 333, 12), torch.randn(3, 12)]")),
    ("made_of_numbers", model('''
def forward(self, x, y):
    rows, columns = torch.triu_indices(6, 6, 1)
    lower = torch.tril_indices(5, 6, -1)
    kind = {"dtype": x.dtype}
    return (x + torch.eye(6, **kind), x[:, :6] * torch.eye(6, dtype=torch.bool), x[:3, :5] + torch.eye(3, 5, **kind) * 2, x[rows, columns],
            x[lower[0], lower[1]], x * torch.hann_window(6, **kind), x * torch.hamming_window(6, periodic=False, **kind), x * torch.blackman_window(6, **kind),
            F.rrelu(x), *(y[pair[0], pair[1]] for pair in (torch.triu_indices(40, 33, 1), torch.tril_indices(40, 33, -2))))''', "[torch.randn(6, 6), torch.randn(40, 33)]")),
    ("between_values", group(
        "[torch.randn(6, 11), torch.randn(5)]", "x, y", "torch.quantile(x, 0.3, dim=1)", "x.quantile(0.75)", "torch.quantile(x, 0.5, dim=0, keepdim=True, interpolation='nearest')",
        "torch.quantile(x, 1.0, 1, interpolation='midpoint')", "torch.cov(x)", "torch.corrcoef(x)", "torch.cov(x[:1])", "torch.corrcoef(x[:1]) * 2", "torch.where(x > 1, math.inf, x).quantile(1.0)", "torch.cov(y, correction=0)", "torch.corrcoef(y)")),
    ("written_over_time", model('''
def forward(self, x, y):
    kept = torch.empty_like(x)
    state = torch.zeros_like(x[:, 0])
    for t in range(12):
        state = torch.tanh(0.9 * state + x[:, t])
        kept[:, t] = state
    smooth = x.clone()
    for t in range(1, 12):
        smooth[:, t] = 0.9 * smooth[:, t - 1] + 0.1 * x[:, t]
    gains = torch.zeros_like(x)
    gain = 0.0
    for t in reversed(range(2, 12)):
        gain = x[:, t] + 0.5 * gain
        gains[:, t] = gain
    sums = y.clone()
    for i in range(1, 7):
        for j in range(1, 8):
            sums[i, j] = sums[i, j] + sums[i - 1, j] + sums[i, j - 1] - sums[i - 1, j - 1]
    pairs = torch.empty(12, 5, dtype=x.dtype)
    for i in range(6):
        pairs[2 * i:2 * i + 2] = x[:2, i] * (i + 1)
    history = torch.zeros_like(x)
    for t in range(5):
        history[:, t] = x[:, t] + history[:, :t + 1].sum(1)
    return kept, smooth, gains, sums, pairs, history, kept[:, 3:7].amax(1)''', "[torch.randn(3, 12, 5), torch.randn(7, 8)]")),
    ("extremes_in_memory", group(
        "[torch.randn(900, 7), torch.randint(0, 300, (900,)), torch.randn(8, 60), torch.randint(0, 60, (8, 40)), torch.randn(300, 8)]",
        "x, some, y, many, z", "torch.full((300, 7), -math.inf, dtype=x.dtype).index_reduce(0, some, x, 'amax')",
        "torch.zeros(300, 7, dtype=x.dtype).scatter_reduce(0, some[:, None].expand(-1, 7), x, 'amin')",
        "z.scatter_reduce(0, some[:, None].expand(900, 8), torch.cat([x, x[:, :1]], 1), 'amax', include_self=False)",
        "y.scatter_reduce(1, many, y * 0.5, 'amax')", "y.scatter_reduce(1, many, y, 'mean', include_self=False)",
        "torch.zeros(300, 7, dtype=x.dtype).scatter_reduce(0, some[:, None].expand(-1, 7), x, 'mean', include_self=False)",
        "torch.zeros(300, dtype=torch.int64).scatter_reduce(0, some, some * 3 % 101, 'amax')",
        "torch.zeros(300, 7, dtype=x.dtype).scatter_add(0, some[:, None].expand(-1, 7), x)", "z.scatter(0, some[:300, None].expand(-1, 8) * 0 + torch.arange(300)[:, None], z * 2)",
        "z.t().index_reduce(1, some, torch.cat([x, x[:, :1]], 1).t(), 'mean')")),
    ("stream_past_layers", model('''
def __init__(self):
    super().__init__()
    self.layers = nn.ModuleList([nn.Linear(16, 16) for _ in range(4)])
    self.norms = nn.ModuleList([nn.LayerNorm(16) for _ in range(4)])

def forward(self, x):
    y = x
    for layer, norm in zip(self.layers, self.norms):
        x = x + layer(norm(x))
    for layer in self.layers:
        y = layer(F.silu(y)) + y
    return x, y.mean(1), y.transpose(1, 2) * 2''', "[torch.randn(3, 9, 16)]")),
    ("computed_rows", group(
        "[torch.randn(300, 8), torch.randint(0, 300, (900,)), torch.randint(0, 300, (900,)), torch.rand(900), torch.randn(900, 8), torch.randn(300, 7)]",
        "x, s, d, w, e, o", "torch.zeros_like(x).index_add(0, d, x[s] * w[:, None])", "x.index_add(0, d, torch.relu(x[s] + e))",
        "torch.zeros_like(o).index_add(0, d, o[s] * w[:, None] + 1)", "torch.full_like(x, -9.0).index_reduce(0, d, x[s] - e, 'amax')",
        "x.index_reduce(0, d, x[s] * e, 'amin')", "x.index_copy(0, d[:1], x[s[:1]] * 2)",
        "torch.zeros(300, 4, dtype=torch.int32).index_add(0, d, (torch.arange(4, dtype=torch.int32) + s[:, None].int()) * 3)",
        "torch.zeros(300, 3, dtype=torch.int64).index_add(0, d, (torch.arange(3) + s[:, None]) * 3)",
        "torch.zeros(300, dtype=x.dtype).index_add(0, d, torch.exp(w) * x[s, 0])",
        "torch.softmax(torch.zeros_like(x).index_add(0, d, x[s] * w[:, None]), 1)")),
    ("odd_half_products", group(
        "[torch.randn(700, 1001).half(), torch.randn(1001, 901).half() / 32, torch.randn(901).half()]", "a, b, c", "a @ b", "torch.relu(a @ b + c)", "(a.float() @ b.float()).half()")),
    ("zeros_behind_rows", group(
        "[torch.randn(2048, 511), torch.randn(511, 520) / 24]", "a, b", "torch.tanh(a) @ b", "torch.relu(torch.cat([torch.sin(a[:, :300]), a[:, 300:] * 2.0], 1) @ b)")),
    ("digits_put_together", group(
        "[torch.randn(2, 5, 9, 11), torch.rand(2, 40)]", "x, p",
        "x.flatten(2).gather(2, (p * 98).long()[:, None].expand(-1, 5, -1))", "x.flatten(1).gather(1, (p * 494).long())",
        "x.transpose(1, 2).flatten(2).gather(2, (p * 54).long()[:, None].expand(-1, 9, -1))", "x.flatten()[(p * 989).long()]")),
    ("names_of_ours", model("def forward(self, some, take):\n    return some * 2.0 + take[:, None], torch.logsumexp(some[:1003] * take[0], -1)",
                            "[torch.randn(1025, 1025), torch.randn(1025)]")),
    ("turns_of_many", model('''
def forward(self, x, h):
    c = torch.zeros_like(h)
    for t in range(100):
        c = c * 0.99 + torch.sigmoid(h + x[t])
        h = torch.tanh(c)
    return c''', "[torch.randn(100, 1025), torch.randn(1025, 1025)]")),
    ("parts_of_inputs", group("[torch.randn(6, 72)[2:], torch.randn(6, 72)[:, 4:68]]", "x, y", "x * 2", "y.exp() + 1", "x[:, ::2] - x[:, 1::2]", "y.sum(1)", "x.cumsum(1)")),
    ("few_rows_of_bytes", model('''
def __init__(self):
    super().__init__()
    self.register_buffer("bytes", torch.randint(-127, 128, (1031, 1030), dtype=torch.int8))
    self.register_buffer("nibbles", torch.randint(0, 256, (1024, 520), dtype=torch.uint8))
    self.scale, self.bias = nn.Parameter(torch.rand(1031) / 1000), nn.Parameter(torch.randn(1031))

def forward(self, x, y):
    weight = self.bytes.to(x.dtype) * self.scale[:, None]
    codes = torch.stack([self.nibbles & 15, self.nibbles >> 4], -1).flatten(1).to(y.dtype)
    return torch.relu(F.linear(x, weight, self.bias)), y @ ((codes - 8) * 0.01).t()''', "[torch.randn(3, 1030), torch.randn(8, 1040).half()]")),
    ("wide_windows", group(
        "[torch.where(torch.rand(2, 3, 19, 23) < 0.02, math.nan, torch.randn(2, 3, 19, 23)), torch.randn(2, 3, 22, 25).half()]", "x, y",
        "F.max_pool2d(x, 7, 1, 3)", "-F.max_pool2d(-x, (5, 9), (1, 2), (2, 4))", "F.max_pool2d(x, 6, 1, 1, 2).exp()", "F.max_pool2d(F.max_pool2d(y, 5, 1, 2), 5, 1, 2)",
        "F.max_pool2d(y, 11, 2, 5)", "F.max_pool2d(x.nan_to_num(0.0), 7, 1, 3, return_indices=True)[1]")),
    # Large enough for threads that take several outputs of a column.
    ("sliding_windows", model('''
def __init__(self):
    super().__init__()
    self.factor = nn.Parameter(torch.randn(5, 1, 1))

def forward(self, x, halves, volume):
    low = -F.max_pool2d(-x, 7, 1, 3)
    return (low, x - low, F.avg_pool2d(x.nan_to_num(0.0), 3, 1, 1) * self.factor + x, F.avg_pool2d(x.nan_to_num(0.0), (5, 2), (2, 1), (1, 0)),
            F.max_pool2d(halves, (4, 3), 1) * 2, F.avg_pool3d(volume, (3, 2, 2), (1, 2, 1)))''',
        "[torch.where(torch.rand(5, 5, 61, 75) < 0.02, math.nan, torch.randn(5, 5, 61, 75)), torch.randn(6, 3, 65, 90).half(), torch.randn(2, 4, 21, 42, 41)]")),
    # And several of a row, vectorized: that needs many outputs.
    ("windows_beside", model('''
def __init__(self):
    super().__init__()
    self.factor = nn.Parameter(torch.randn(33, 1, 1))

def forward(self, slice):
    return F.max_pool2d(slice, 5, 1, 2) * self.factor - slice''', "[torch.where(torch.rand(8, 33, 61, 72) < 0.02, math.nan, torch.randn(8, 33, 61, 72))]")),
    ("more_windows_beside", model('''
def __init__(self):
    super().__init__()
    self.factor = nn.Parameter(torch.randn(5, 1, 1))

def forward(self, x, pair, volume, between):
    n = x.nan_to_num(0.0)
    return (F.avg_pool2d(n, 3, 1, 1, count_include_pad=False) * self.factor, F.avg_pool2d(n, (5, 2), (2, 1), (1, 0)), F.max_pool2d(x, (5, 4), 2, (2, 1)),
            F.max_pool2d(pair, (4, 3), 1) * 2, F.max_pool2d(pair, 5, 1, 2), F.max_pool2d(pair, (6, 2), (1, 2)).float() + 1, F.avg_pool3d(volume, (3, 2, 2), (1, 2, 1)),
            F.max_pool2d(between, 5, 1, 2), F.max_pool2d(between, 3, 1, 1).float() * 2, pair.unfold(2, 3, 1).unfold(3, 3, 1).amin((-1, -2)), -F.max_pool2d(-pair, 3, 1, 1),
            F.avg_pool3d(volume, (5, 3, 2), (2, 2, 2), (2, 1, 0)), F.max_pool3d(volume, (3, 3, 3), 1, 1) - volume, F.local_response_norm(pair.float(), 7), F.max_pool2d(x, 5, 2, 2, 1, True),
            -F.max_pool2d(-x, (3, 5), 1, (1, 2)) + F.max_pool2d(x, (3, 5), 1, (1, 2)), F.max_pool2d(x, 3, 1, 1, 2), (F.pad(n, (4, 4, 4, 4)).unfold(2, 5, 1).unfold(3, 5, 1) * 2).amax((-1, -2)),
            (n * n).unfold(2, 4, 1).exp().sum(-1) + n[:, :, 3:])''',
        "[torch.where(torch.rand(5, 5, 61, 72) < 0.02, math.nan, torch.randn(5, 5, 61, 72)), torch.where(torch.rand(6, 13, 66, 88) < 0.02, math.nan, torch.randn(6, 13, 66, 88)).half(), torch.randn(2, 4, 21, 44, 40), torch.where(torch.rand(5, 12, 40, 56) < 0.02, math.nan, torch.randn(5, 12, 40, 56)).bfloat16()]")),
    # A consumer of an operand of a concat reads the concat.
    ("parts_read_in_place", model('''
def forward(self, x, y):
    once = F.max_pool2d(x, 3, 1, 1)
    twice = F.max_pool2d(once, 3, 1, 1)
    sums = y.cumsum(1)
    return torch.cat([x, once, twice, F.max_pool2d(twice, 3, 1, 1)], 1), torch.cat([sums, y.relu(), sums.softmax(1)], 1), torch.stack([y, sums]).flip(0), sums.mean(1)''',
        "[torch.where(torch.rand(3, 4, 10, 12) < 0.02, math.nan, torch.randn(3, 4, 10, 12)), torch.randn(7, 40)]")),
    # Rows of odd lengths with several tables: L1 hits decide, not the vector width.
    ("odd_softmax_with_tables", model('''
def __init__(self):
    super().__init__()
    self.scale = nn.Parameter(1 + torch.rand(272, 1))
    self.register_buffer("first", torch.linspace(-1, 1, 1030)[1:])
    self.register_buffer("second", torch.linspace(0, 3, 1029))

def forward(self, xLoaded, x):
    share = torch.softmax(x * self.scale, -1)
    halves = torch.softmax(xLoaded.float() - 1, -1)
    return (share * self.first).sum(-1), (share * self.second).sum(-1), (halves * self.first[:515] * self.second[:515]).sum(-1)''',
        "[torch.where(torch.rand(300, 515) < 0.01, -math.inf, torch.randn(300, 515)).half(), torch.where(torch.rand(272, 1029) < 0.0002, math.nan, torch.randn(272, 1029) * 5)]")),
    ("two_softplus", group(
        "[torch.cat([torch.randn(4, 40) * 12, torch.tensor([math.inf, -math.inf, 20.0, 20.0001]).expand(4, 4)], 1), torch.rand(4, 44)]", "x, y",
        "(y * F.softplus(-x.clamp(-90, 90)) + (1 - y) * F.softplus(x.clamp(-90, 90))).mean(1)", "F.softplus(x)", "F.softplus(-x)", "F.mish(-x[:, :40])", "F.mish(x[:, :40])",
        "F.softplus(x[:, :40], beta=2.0)")),
    ("results_of_few", model('''
def __init__(self):
    super().__init__()
    self.wave, self.bare = nn.Conv1d(1, 40, 10, stride=5), nn.Conv1d(1, 48, 7, stride=3, bias=False)
    self.image, self.scale = nn.Conv2d(1, 36, (2, 3), stride=(1, 2)), nn.Parameter(torch.randn(36, 1, 1))

def forward(self, x, y):
    image = self.image(y)
    return F.gelu(self.wave(x)), self.bare(x), torch.tanh(image) * self.scale + image[:, :1], self.wave(F.pad(x, (3, 2)))[:, 3:9] * 2''',
        "[torch.randn(2, 1, 20503), torch.randn(2, 1, 66, 145)]")),
    ("scattered_into_itself", model('''
def forward(self, x, d, b, e):
    y = torch.relu(x) * 2 + x.roll(1, 1)
    return y.index_add(0, d, y) * 0.5, b.index_reduce(0, d[:900] % 300, e, 'amin'), b.index_reduce(0, d[:900] % 300, e, 'amax')''',
        "[torch.randn(9000, 8), torch.randint(0, 9000, (9000,)), torch.where(torch.rand(300, 8) < 0.1, math.nan, torch.randn(300, 8)), torch.randn(900, 8)]")),
    *BORDERS,
)
