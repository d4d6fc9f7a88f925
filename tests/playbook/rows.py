# SPDX-License-Identifier: GPL-3.0-or-later
"""References whose row lengths and row counts select different thread mappings, for check.py --emulated."""

MODEL = """
import functools
import math

import torch
import torch.nn.functional as F

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn({width}))

    def forward(self, x):
        return {result}

def get_inputs():
    return [torch.randn({shape}){type}]

def get_init_inputs():
    return []
"""


def row(name, shape, result, type=""):
    width = shape[-1]
    return name, MODEL.format(shape=", ".join(map(str, shape)), result=result, width=width, type=type)


ROWS = (
    # Interleaved pairs, triples and quadruples.
    row("interleaved", (7, 24, 32), "(x[..., ::2] * torch.sigmoid(x[..., 1::2]), torch.stack([x[..., 1::2], -x[..., ::2]], -1).flatten(-2), x[..., 2::4] + x[..., 1::4])"),
    row("interleaved_halves", (9, 64), "(x[..., ::2].clamp(max=0.5) * (x[..., 1::2] + 1), x.reshape(9, 16, 4)[:, :, 1] - x.reshape(9, 16, 4)[:, :, 3])", ".bfloat16()"),
    row("interleaved_rows", (5, 4, 96), "(torch.softmax(x[..., ::3] - x[..., 2::3], -1), x[:, 1:3, 1::2].sum(-1), x[..., 4::2].exp().mean(-1))"),
    # Rows of a thread block cluster: in registers, one or two vectors a thread, scalar, in several passes.
    row("long_softmax", (3, 20000), "torch.softmax(x * self.weight, dim=-1)"),
    row("long_norm", (2, 33, 1200), "F.layer_norm(x, x.shape[1:], self.weight.expand(33, 1200))"),
    row("long_uneven", (2, 10007), "torch.log_softmax(x, dim=-1) + self.weight"),
    row("long_sums", (2, 70001), "((x * self.weight).sum(-1), x.amax(-1), (x * x).sum(-1).sqrt())"),
    row("long_moments", (2, 70001), "F.layer_norm(5.0 + x * self.weight, x.shape[1:])"),
    row("few_moments", (2, 3001), "(x.var(-1), (x + 3.0 - (x + 3.0).mean(-1, keepdim=True)) * self.weight)"),
    row("very_long", (1, 2, 200004), "torch.softmax(x, dim=-1) * self.weight"),
    # One, two and four blocks a row, by the number of rows.
    row("a_row_a_block", (125, 4099), "((x * self.weight).sum(-1), (x - x.mean(-1, keepdim=True)).square().mean(-1))"),
    row("two_blocks_a_row", (64, 8192), "(x * self.weight).sum(-1), x.amax(-1)"),
    row("four_blocks_a_row", (140, 4096), "(x.var(-1), (x * self.weight).sum(-1))"),
    # Register-resident rows: the length is a multiple of vectors times threads; nearly; not at all.
    row("exact_norm", (265, 4096), "F.layer_norm(x, x.shape[-1:]) * self.weight"),
    row("nearly_exact_norm", (265, 4100), "F.layer_norm(x, x.shape[-1:]) * self.weight"),
    row("odd_log_softmax", (265, 2051), "torch.log_softmax(x * self.weight, dim=-1)"),
    # Arrays of structs: boxes, points, halves, an odd count, register-resident, a single row, rows of one block.
    row("boxes", (3, 5001, 4), "((x[..., 2] - x[..., 0]) * (x[..., 3] - x[..., 1]).abs()).sum(-1)"),
    row("points", (4, 3000, 2), "(x[..., 0] * x[..., 1]).mean(-1), x[..., 1].amax(-1)"),
    row("odd_points", (4, 3001, 2), "(x[..., 0] - 2.0 * x[..., 1]).square().mean(-1)"),
    row("half_boxes", (2, 2600, 4), "(x[..., 2:].float().prod(-1) - x[..., :2].float().prod(-1)).mean(-1)", ".half()"),
    row("boxes_kept", (2, 2500, 4), "((x[..., 0] * x[..., 3]) - (x[..., 0] * x[..., 3]).mean(-1, keepdim=True)).square().sum(-1)"),
    row("all_points", (2222, 2), "(x[:, 0] * x[:, 1]).sum()"),
    row("short_quaternions", (66, 300, 4), "(x[..., 0] * x[..., 2] - x[..., 1] * x[..., 3]).abs().sum(-1)"),
    # Several rows a block, the last block not full; several rows a warp.
    row("short_softmax", (77, 33), "torch.softmax(x * self.weight, dim=-1)"),
    row("short_norm", (133, 64), "F.rms_norm(x, (64,), self.weight)"),
    row("tiny_rows", (301, 5), "x / x.norm(dim=-1, keepdim=True).clamp(min=1e-3) + self.weight"),
    row("two_of_each", (19, 7, 120), "(x.mean(-1), x.var(-1), torch.softmax(x + self.weight, -1))"),
    row("half_rows", (45, 96), "torch.softmax(x.float() * self.weight, dim=-1).half()", ".half()"),
    # Two independent scans in one kernel.
    row("two_running_sums", (6, 30, 3000), "(x - torch.cumsum(x.sum(1), -1)[:, None]) / torch.sqrt(torch.cumsum((x * x).sum(1), -1) + 1.0)[:, None] * self.weight"),
    # Column scans in chunks: the last chunk short, rows that the last block repeats, many tiles.
    row("down_sums", (301, 70), "torch.cumsum(x * self.weight, 0) + x"),
    row("down_products", (2, 260, 40), "torch.cumprod(1.0 + 0.01 * x, 1) * self.weight"),
    row("down_extremes", (1111, 33), "torch.cummax(x + self.weight, 0).values - x"),
    row("down_logs", (600, 45), "torch.logcumsumexp(x, 0).sigmoid() / self.weight.exp()"),
    row("down_endless_logs", (700, 41), "torch.logcumsumexp(torch.where(x < 0.3, -math.inf, torch.where(x > 3.3, math.inf, x * 30.0)), 0)"),
    row("down_double_logs", (300, 33), "torch.logcumsumexp(x * self.weight, 0)", ".double()"),
    row("down_counts", (3, 270, 37), "((x > 0).long().cumsum(1) * 2 + 1, )"),
    row("down_logs_and_more", (2, 515, 70), "torch.logcumsumexp(x * self.weight, 1) - x * x"),
    row("down_padded", (400, 40), "torch.cumsum(F.pad(x, (0, 0, 3, 0)), 0) * 0.5"),
    # The same with so many columns that a warp takes several.
    row("down_wide_logs", (259, 7999), "torch.logcumsumexp(x * self.weight, 0) - x"),
    row("down_wider_sums", (2, 301, 6001), "torch.cumsum(x.flip(1), 1).flip(1) * self.weight - x", ".half()"),
    # Row scans, vectorized: aligned, unaligned from both ends, halves, integers, with an epilogue, two in sequence, a single row.
    row("along_sums", (5, 7, 964), "torch.cumsum(x, -1) * self.weight"),
    row("along_short", (70, 68), "torch.cumprod(1.0 + 0.1 * x, 1) - x"),
    row("along_odd", (4, 3, 333), "torch.cumsum(torch.exp(x * self.weight), -1) / (torch.exp(x * self.weight) + 1.0)"),
    row("along_odd_backwards", (8, 517), "torch.cumsum((x * self.weight).flip(1), 1).flip(1) - self.weight"),
    row("along_backwards", (3, 4, 132), "torch.cumsum(x.flip(-1), -1).flip(-1) + torch.cumsum(x, -1)"),
    row("along_halves", (8, 1003), "torch.cumsum(x.float(), 1).half() * x", ".half()"),
    row("along_no_packs", (7, 335), "torch.cumsum(x, 1) * 2.0"),
    # The input has the name of an array of the kernel's text.
    ("along_names", MODEL.format(shape="8, 333", width=333, type="", result="torch.cumsum(torch.cumsum(cached1.exp(), 1) * self.weight, 1) * cached1.exp()").replace("(self, x)", "(self, cached1)")),
    row("along_pairs", (6, 333), "torch.cumsum(x, 1) * 2.0"),
    row("along_extremes", (8, 1303), "(torch.cummax(torch.cumsum(x * 0.1, 1), 1)[0], torch.cummin(x, 1)[1], torch.cumsum((x > 0).long(), 1))"),
    row("along_endless", (4, 1401), "torch.cummax(torch.where(x > 2.5, math.nan, torch.where(x < 0, -math.inf, x)), 1)[0]"),
    row("along_logs", (12, 641), "torch.logcumsumexp(torch.where(x < -1, -math.inf, x * self.weight), 1)"),
    row("along_one", (1, 70004), "torch.cumsum(x, 1) + 1.0"),
    row("along_ones", (8, 203), "torch.cumsum(torch.where(x > 0, 1, 0), 1) % 7"),
    # Reductions of row scans: exclusive ones too, with interleaved triples, of unaligned rows.
    row("passed_before", (9, 192), "(lambda p: ((torch.cat([torch.ones_like(p[:, :1]), p[:, :-1]], 1)[..., None] * torch.stack([x, x * x, x.cos()], -1)).sum(1), (F.pad(p[:, :-1], (1, 0)) * self.weight).amax(1)))(torch.cumprod(torch.sigmoid(x + 3.0), 1))"),
    row("summed_before", (8, 131), "(lambda p: ((F.pad(p[:, :-1], (1, 0)) * x).sum(1), torch.cat([torch.full_like(p[:, :1], 7.0), p[:, :-1]], 1).square().sum(1).sqrt()))(torch.cumsum(x * self.weight, 1))"),
    row("largest_before", (12, 333), "(lambda p: (x - torch.cat([p[:, :1], p[:, :-1]], 1)).clamp(min=0).sum(1))(torch.cummax(x, 1)[0])"),
    row("summed_along", (6, 5, 260), "((torch.cumsum(x, -1) * self.weight).sum(-1), torch.cumsum(x, -1).amax(-1).exp(), torch.cumsum(x, -1).amin(-1))"),
    row("colours_along", (7, 4, 96), "(lambda p: (torch.cat([torch.ones_like(p[:, :1]), p[:, :-1]], 1)[:, None] * x[:, 1:] * self.weight).sum(-1))(torch.cumprod(torch.sigmoid(x[:, 0]), 1))"),
    # No exclusive scan: the shift is by two, or only some rows are shifted.
    row("before_but_the_first", (6, 96), "((F.pad(p[:, 1:-1], (2, 0)) * self.weight).sum(1) for p in (torch.cumsum(x, 1),)).__next__()"),
    row("before_in_some_rows", (6, 96), "(lambda p: (torch.cat([F.pad(p[:4, :-1], (1, 0)), x[4:]], 0) * self.weight + F.pad(p[:4, :-1], (1, 0, 0, 2))).sum(1))(torch.cumsum(x, 1))"),
    # Passes visit shared values once: along each path it would take exponential time.
    row("many_ways", (6, 96), "(lambda y, z: (y.sum(1) * z.sum(1), (y * F.log_softmax(x, -1) * (z + F.log_softmax(x, -1))).sum(1), self.weight.view(-1, 8)[functools.reduce(lambda i, _: (i * i + i) % 11, range(30), (x[:, 0] > 0).long() + 1)]))"
        "(functools.reduce(lambda y, _: y * y, range(40), torch.cos(x * 1e-3)), functools.reduce(lambda z, _: (z + z * 0.5 + z.sin()) * 0.3, range(40), torch.sigmoid(x)))"),
    row("weights_before", (9, 132), "(lambda p: torch.cat([torch.ones_like(p[:, :1]), p[:, :-1]], 1) * (1.0 - torch.sigmoid(x + 3.0)) * self.weight)(torch.cumprod(torch.sigmoid(x + 3.0), 1))"),
    row("odd_weights_before", (12, 333), "F.pad(torch.cumsum(x, 1)[:, :-1], (1, 0)) * self.weight + x"),
    row("begun_before", (9, 132), "(lambda a: (a * torch.cumprod(torch.cat([torch.ones(9, 1), 1.0 - a + 1e-10], -1), -1)[:, :-1] * self.weight).sum(-1))(torch.sigmoid(x - 2.0))"),
    row("begun_sums", (8, 333), "torch.cumsum(torch.cat([torch.zeros_like(x[:, :1]), x * self.weight], 1), 1)[:, :-1] * x"),
    row("begun_and_read", (8, 100), "(lambda p: (p[:, 1:] * x, p[:, :-1].sum(1)))(torch.cumsum(torch.cat([torch.zeros_like(x[:, :1]), x * self.weight], 1), 1))"),
    row("doubles_before", (5, 80), "(F.pad(torch.cumsum(x, 1)[:, :-1], (1, 0)) * self.weight).sum(1)", ".double()"),
    # Reductions of few columns, in memory order.
    row("few_columns", (5, 800, 12), "(x.softmax(1), (x * 0.5).exp().sum(1), x.amax(1) - x.mean(1))"),
    row("few_columns_kept", (9, 70, 7), "((x - x.mean(1, keepdim=True)) * (x.var(1, keepdim=True) + 1e-5).rsqrt() * self.weight, torch.logsumexp(x, 1), x.argmax(1))"),
    row("few_half_columns", (3, 301, 25), "(x.softmax(1) * 2, x.float().square().sum(1))", ".half()"),
    # Register-resident rows of halves, not widened: aligned, unaligned, two slices of a tensor, of a cluster, beside floats.
    row("halves_as_read", (40, 2056), "(x.float() * (x.float().square().mean(-1, keepdim=True) + 1e-5).rsqrt() * self.weight).bfloat16()", ".bfloat16()"),
    row("odd_halves_as_read", (16, 1003), "(x.float() * (x.float().square().mean(-1, keepdim=True) + 1e-5).rsqrt()).half()", ".half()"),
    row("two_halves_as_read", (40, 2, 1032), "(F.normalize(x[:, 0].float(), dim=-1) * x[:, 0].float().amax(-1, keepdim=True) + F.normalize(x[:, 1].float(), dim=-1)).half()", ".half()"),
    row("long_halves_as_read", (3, 40008), "F.layer_norm(x.float(), (40008,)).half()", ".half()"),
    row("halves_and_floats", (48, 1032), "(lambda h: h * (h.square().mean(-1, keepdim=True) + 1e-5).rsqrt() + x * x.amax(-1, keepdim=True))(x.float() + self.weight)", ".half()"),
    # A split reduction that shares its partial sums with another: a matrix norm and its row sums.
    row("norm_of_matrices", (3, 1310, 1034), "x / torch.linalg.matrix_norm(x, keepdim=True) * x.abs().sum(2, keepdim=True)"),
    row("range_beside_rows", (2, 1000, 2052), "((x - x.amin((1, 2), keepdim=True)) / (x.amax((1, 2), keepdim=True) - x.amin((1, 2), keepdim=True)), x.square().sum(2))"),
    # The same in other types than the input's.
    row("parts_of_types", (3, 1310, 1034), "(lambda y: ((y - y.amin((1, 2), keepdim=True)) / y.amax((1, 2), keepdim=True), y.amax(2), y.amin(2), (y > 4).any(2)))(torch.where(x > 5.0, math.nan, x))"),
    row("whole_parts_beside", (3, 1310, 1034), "(lambda i: (i - i.sum((1, 2), keepdim=True), i.sum(2), i.amax(2)))((x * 10).long())"),
    row("half_parts_beside", (3, 2620, 1034), "((x.float() / x.float().square().sum((1, 2), keepdim=True).sqrt()).half(), x.float().abs().sum(2))", ".half()"),
    # Reductions of softmax and log-softmax, which are not materialized.
    row("softmax_entropy", (37, 301), "(lambda l: (-(l.exp() * l).sum(-1), l.exp().amax(-1), l.amax(-1)))(F.log_softmax(x * self.weight, -1))"),
    row("softmax_distance", (16, 1030), "F.kl_div(F.log_softmax(x * 0.5, -1), F.log_softmax(x * self.weight, -1), reduction='none', log_target=True).sum(-1)"),
    row("softmax_labels", (21, 132), "(-(torch.sigmoid(x) * F.log_softmax(x * self.weight, -1)).sum(-1), (self.weight.softmax(-1) * (x - torch.logsumexp(x, -1, keepdim=True))).sum(-1))"),
    row("softmax_focus", (9, 96), "((1.0 - x.softmax(-1)).square() * F.log_softmax(x, -1) * self.weight).sum(-1), ((x - torch.logsumexp(x, -1, keepdim=True)).exp() * self.weight * x).sum(-1)"),
    row("softmax_numbers", (11, 140), "(lambda l: ((l * 0.1).sum(-1), (l * 0.1 * self.weight).sum(-1) - l.exp().sum(-1)))(F.log_softmax(x, -1))"),
    row("softmax_endless", (8, 200), "(lambda e: ((e - torch.logsumexp(e, -1, keepdim=True)).exp() * self.weight.sigmoid()).sum(-1))(torch.where(x > 2.6, math.inf, torch.where(x < -0.5, -math.inf, x)))"),
    row("softmax_no_numbers", (8, 200), "(lambda e: (((e - torch.logsumexp(e, -1, keepdim=True)) * self.weight).sum(-1), (e.sigmoid() * (e - torch.logsumexp(e, -1, keepdim=True) - x) * x).sum(-1)))(torch.where(x > 2.6, math.inf, torch.where(x[:, :1] < -1.0, -math.inf, x)))"),
    row("softmax_far", (8, 200), "(lambda l: (-(l.exp() * l).sum(-1), (l.exp() * self.weight).sum(-1)))(F.log_softmax(x * 30.0 + 1000.0, -1))"),
    row("softmax_halves", (12, 264), "(lambda l: -(l.exp() * l).sum(-1))(F.log_softmax(x, -1))", ".half()"),
    # Short reductions along an outer dimension, several adjacent outputs a thread: pooling windows, their borders, a value a row, halves.
    row("side_pool", (4, 33, 31, 24), "F.max_pool2d(x.permute(0, 3, 1, 2), 3, 2, 1).permute(0, 2, 3, 1).contiguous()"),
    row("side_response", (3, 16, 400), "F.local_response_norm(x * self.weight, 5)"),
    row("side_sums", (64, 7, 128), "((x * self.weight).sum(1) / self.weight.exp() + x[:, 0], x.amax(1) * self.weight)"),
    row("side_halves", (64, 5, 136), "(x.float().mean(1) + self.weight).half()", ".half()"),
    # Three channels, padded to four when channels last.
    row("padded_stem", (2, 3, 17, 96), "F.relu(F.conv2d(x, self.weight.view(8, 3, 2, 2), stride=2) + 0.5)"),
    # Split reductions: partial sums, then their sum with its epilogue; over two loops; integers.
    row("down_all", (4096, 40), "(x.mean(0), x.square().mean(0), self.weight * (x.square().mean(0) + 1e-5).rsqrt())"),
    row("one_number", (96, 1024), "((x * self.weight).square().mean() / 2.0, x.amax())"),
    row("few_numbers", (64, 3, 8192), "((x > self.weight).sum((0, 2)), (x.abs() + 1.0).prod(0)[:, :5].amin(1), x.amin((0, 2)).exp())"),
    row("half_numbers", (2048, 64), "(x.float() * self.weight).sum(0).half()", ".half()"),
    # Gathers of rows, vectorized: halves, a condition a row, repeated rows.
    row("chosen_rows", (65, 40), "F.embedding((x[:, 0] * 7).long().clamp(0, 64), x * self.weight) + x"),
    row("chosen_halves", (48, 64), "F.layer_norm(x[(x[:, 1] * 9).long().clamp(0, 47)].float() * self.weight + x.float(), (64,))", ".half()"),
    row("padded_rows", (33, 24), "torch.where((x[:, :1] > 0), (x + self.weight)[(x[:, 2].abs() * 9).long().clamp(0, 32)], x)"),
    row("chosen_pairs", (40, 64), "x + self.weight * x[(x[:, :2].abs() * 9).long().clamp(0, 39)].sum(1)"),
    row("shared_pairs", (33, 96), "(x.float()[(x[:, :3].float().abs() * 9).long().clamp(0, 32)] * x[:, :3, None].float()).sum(1) * self.weight", ".half()"),
    # Embedding bags: vectorized where outputs are many.
    row("many_bags", (16393, 64), "(x[torch.arange(16393 * 33).view(-1, 33) * 7919 % 16393] * x[:, :33, None].sigmoid()).sum(1) * self.weight"),
    # Online softmax and argmax do not use these vectors.
    row("logs_of_bags", (16393, 64), "torch.logsumexp(x[torch.arange(16393 * 40).view(-1, 40) * 7919 % 16393], 1)"),
    row("side_places", (64, 7, 128), "x.max(1)"),
    # Unaligned rows: floats and halves, outputs of the same and of another layout, after a matmul with row padding.
    row("odd_softmax", (8, 1003), "torch.softmax(x * self.weight, dim=-1)"),
    row("odd_halves", (8, 3001), "(torch.log_softmax(x.float() + self.weight, -1).half(), x.float().amax(-1))", ".half()"),
    row("odd_turned", (4, 5, 777), "(x - x.mean(-1, keepdim=True)).transpose(0, 1).contiguous() * self.weight"),
    row("odd_padded", (4, 1001), "torch.softmax(F.pad(x * self.weight, (0, 0, 0, 4)), -1)"),
    row("odd_behind", (6, 515), "torch.softmax(x @ (self.weight * x).T @ x, dim=-1)"),
    # Exact divisions, because the quotient is rounded to an integer, and approximate ones.
    row("whole_parts", (40, 63), "(torch.floor((x * 8).round() / 2.0), torch.trunc((x * 4).round() / (self.weight.abs() + 1).floor()))"),
    row("quotients", (40, 64), "(x / self.weight, x / 3.0 + (x * x + 1.0) ** -0.75, 1e37 * x / (3e37 * self.weight))"),
    # Our roots and powers: an exponent an element, some out of range; powers of 2, 1/8 and 3.
    row("roots_and_powers", (40, 64), "(torch.sqrt(x * x + 1e-6) * self.weight, x.abs() ** (3.0 * self.weight.abs()), 2.0 ** x, 0.125 ** x, 3.0 ** x, "
        "torch.zeros_like(x) ** (x * 0 + 2), (x.abs() * 1e-12) ** self.weight.abs())"),
    # Scalars hoisted into the producer of a sum, and short reductions inlined into their consumer.
    row("hoisted", (64, 300), "((x - torch.log((x * x).sum(0, keepdim=True) + 1.5)).amax(1), (x * x).sum(0))"),
    row("hoisted_alone", (64, 300), "(x - 1.0 / torch.sqrt((x * x).sum(0, keepdim=True))).amax(1)"),
    row("short_lengths", (140000, 4), "F.normalize(x, dim=-1)[:, 1:] * x[:, :3]"),
    # Online softmax: vectorized, unaligned vectors, scalar, columns.
    row("running_sums", (300, 640), "((torch.softmax(x * self.weight, -1) * x).sum(-1), x.mean(-1))"),
    row("running_ragged", (280, 601), "torch.logsumexp(x.float(), -1) - x.float().mean(-1)", ".bfloat16()"),
    row("running_smoothed", (272, 555), "F.cross_entropy(x, torch.arange(272) % 555, label_smoothing=0.1, reduction='none')"),
    row("running_where", (300, 64), "(torch.softmax(x, -1) * torch.where(x > 0, x, 0.0)).sum(-1) + torch.softmax(x, -1)[:, 3]"),
    row("running_endless_softmax", (300, 520), "(torch.softmax(torch.where(x[:, :1] > 0, -math.inf, torch.where(x < 0, -math.inf, x)), -1) * self.weight).sum(-1)"),
    row("sum_far_from_zero", (300, 1024), "((x * 0.01 + 10000.0) - (x * 0.01 + 10000.0).amax(-1, keepdim=True)).sum(-1)"),
    row("running_short", (300, 50), "torch.logsumexp(x + self.weight, -1)"),
    row("running_columns", (3, 90, 70), "(torch.softmax(x, 1) * torch.arange(90.0)[:, None]).sum(1) + torch.logsumexp(x * 2, 1)"),
    row("running_long_columns", (2, 2311, 33), "(torch.softmax(x, 1) * torch.arange(2311.0)[:, None]).sum(1) + torch.logsumexp(torch.where(x > 2.0, x, -math.inf), 1)"),
    row("running_far_columns", (3, 301, 65), "torch.logsumexp(torch.where(x > 3.0, math.inf, torch.where(torch.arange(301)[:, None] < 290, -math.inf, x)), 1)"),
    row("running_endless", (300, 520), "torch.logsumexp(torch.where(x[:, :1] > 0, -math.inf, torch.where(x > 2.5, math.inf, torch.where(x < 0, -math.inf, x))), -1)"),
    row("running_masked", (300, 520), "torch.logsumexp(torch.where(torch.arange(520) < 300, -math.inf, x), -1)"),
    # Register-resident columns.
    row("kept_columns", (3, 180, 50), "(F.layer_norm(x.transpose(1, 2), (180,)).transpose(1, 2) * 2.0, torch.softmax(x * 3.0, 1))"),
    row("kept_odd_columns", (2, 37, 33), "x - x.mean(1, keepdim=True) + x.var(1, keepdim=True)"),
    # The same, two a thread, where adjacent columns begin inside sectors.
    row("near_columns", (2, 36, 17010), "((x - x.mean(1, keepdim=True)) * torch.rsqrt(x.var(1, unbiased=False, keepdim=True) + 1e-5) + x[:, :1] * self.weight, x.var(1) + self.weight)"),
    row("near_halves", (3, 41, 11530), "torch.softmax(x.float() * self.weight.float(), 1).half()", ".half()"),
    # Online argmax: columns, vectorized, unaligned vectors, a cluster.
    row("far_places", (3, 600, 40), "((x * self.weight).argmax(1), x.max(1)[0] - x.min(1)[1])"),
    row("far_endless_places", (2, 700, 33), "torch.where(x[:, :, :1] > -9, torch.where(x < 1.5, -math.inf, math.nan), x)[:, :, ::2].argmax(1)"),
    row("long_places", (4, 60000), "x.argmin(-1)"),
    row("odd_places", (3, 30001), "x.argmax(-1)", ".half()"),
    # Kth values by radix select: in registers, of a cluster, unaligned vectors, columns, several rows a warp, and from memory.
    row("ranked_rows", (300, 640), "(x.topk(40, -1).values.mean(-1) + x.mean(-1), torch.where(x >= x.topk(64, -1).values[:, -1:], x * self.weight, 0.0))"),
    row("ranked_long", (3, 20000), "x.topk(1000, -1).values.mean(-1) - (x * self.weight).median(-1).values"),
    row("ranked_odd", (280, 601), "(x.float() - x.float().median(-1, keepdim=True).values).abs().median(-1).values", ".half()"),
    row("ranked_columns", (3, 90, 70), "x.topk(30, 1).values.mean(1) * self.weight"),
    # Kth values near an end of the row: few candidates are collected, or too many equal ones.
    row("ranked_near", (270, 2003), "(x.topk(20, -1).values.mean(-1), x.kthvalue(7, -1).values, (x * self.weight).topk(3, -1).values[:, -1])"),
    row("ranked_alike", (270, 2003), "(torch.relu(x - 3).topk(20, -1).values.sum(-1), x.round().kthvalue(7, -1).values, (x * 0).topk(9, -1).values.mean(-1))"),
    # Only 64 threads hold the largest elements: fewer candidates than the rank.
    row("ranked_of_few_threads", (266, 4096), "(x + 10.0 * ((torch.arange(4096) < 256) & (torch.arange(4096) % 4 == 0))).kthvalue(3997, -1).values"),
    row("ranked_short", (77, 33), "x.sort(-1).values[:, 8:25].mean(-1)"),
    row("ranked_very_long", (1, 2, 200004), "x.kthvalue(150000, -1).values"),
    # Scalar access with four loads in flight a thread.
    row("many_odd_elements", (1031, 1021), "torch.sigmoid(x[:, 2:] * self.weight[:1])"),
)
