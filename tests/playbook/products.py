# SPDX-License-Identifier: GPL-3.0-or-later
"""Matmuls with an epilogue fused into our SM90 kernels, for check.py --emulated: at least 100 tiles each, below which a library
would run them. A row as in rows.py."""

from odd import model


def matmul(name, result, inputs, arguments="x, w, b, o"):
    return name, model(f"def forward(self, {arguments}):\n    return {result}", f"[{inputs}]")


def complex_matmul(name, columns, result):
    return name, model(f"""def forward(self, x, w, y, v):
    re = x @ w.t() - y @ v.t()
    im = x @ v.t() + y @ w.t()
    s = torch.rsqrt(re * re + im * im + 1.0)
    return {result}""", f"[torch.randn(1661, 100), torch.randn({columns}, 100) / 8, torch.randn(1661, 100), torch.randn({columns}, 100) / 8]")


ROWS = (
    # Tiles of 192 columns. Rows and columns do not fill the tiles, nor K a stage.
    matmul("edges_in_halves", "torch.relu(x @ w.t() + b) * o",
            "torch.randn(3301, 72).half(), torch.randn(912, 72).half() / 8, torch.randn(912).half(), torch.randn(3301, 912).half()"),
    # Tiles of 128 columns, and more epilogue operands than registers hold at once.
    matmul("edges_in_floats", "torch.tanh(x @ w.t() * o[:, :1] + b) * o + x[:, 1:2] * v - u * c",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1016), *torch.randn(3, 1661, 1016), torch.randn(1016)",
            "x, w, b, o, v, u, c"),
    # A copy transposes the second matrix; its rows are padded, and the padding is not written. Sums of positive numbers,
    # less their mean: truncation to TF32 instead of rounding makes them 1e-2 too small, and 4e-3 is allowed.
    matmul("turned_in_floats", "(x @ w + b).abs()",
            "torch.randn(1661, 204) / 10 + 0.7, torch.randn(204, 1000) / 10 + 0.7, torch.full((1000,), -100.0)", "x, w, b"),
    # Both matrices are copied, with zero-padded rows.
    matmul("padded_in_bfloats", "torch.sigmoid(x @ w.t() + b) - o",
            "torch.randn(1661, 299).bfloat16(), torch.randn(1008, 299).bfloat16() / 8, torch.randn(1008).bfloat16(), torch.randn(1661, 1008).bfloat16()"),
    # Slices of tensors, and a slice of the result.
    matmul("parts_of_tensors", "torch.cat([o[..., :16], torch.relu(x[..., 16:] @ w[8:, :64].t() + b[8:]) * o[..., 16:]], -1)",
            "torch.randn(4, 415, 80).half(), torch.randn(1000, 80).half() / 8, torch.randn(1000).half(), torch.randn(4, 415, 1008).half()"),
    # Two matmuls of one input: halves of one weight, whose columns fill no tile, and two weights, with epilogue operands.
    matmul("gated_in_halves", "F.silu((x @ w.t() + b)[:, :464]) * (x @ w.t() + b)[:, 464:]",
            "torch.randn(3301, 72).half(), torch.randn(928, 72).half() / 8, torch.randn(928).half()", "x, w, b"),
    matmul("gated_in_floats", "torch.sigmoid(x @ w.t() + b) * (x @ v.t()) + o * x[:, :1]",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1016), torch.randn(1661, 1016), torch.randn(1016, 100) / 8", "x, w, b, o, v"),
    # A gate before a row norm.
    matmul("gated_before_norm", "(g := torch.sigmoid(x @ w.t() + b) * (x @ v.t())) * torch.rsqrt(g.square().mean(-1, keepdim=True) + 1e-6)",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1016), torch.randn(1016, 100) / 8", "x, w, b, v"),
    # 1x1 convolutions of NCHW images. Pixels, channels and K do not fill their tiles, and of two stages the second is
    # short or absent; epilogue operands are shaped like the result, like one image, or one a channel.
    matmul("images_in_floats", "torch.relu(F.conv2d(x, w, b)) * s + o",
            "torch.randn(20, 40, 35, 36), torch.randn(72, 40, 1, 1) / 6, torch.randn(72), torch.rand(20, 72, 1, 1), torch.randn(20, 72, 35, 36)", "x, w, b, s, o"),
    matmul("wide_images_in_floats", "((F.conv2d(x, w) - m) / (v + 1e-5).sqrt() * p).tanh()",
            "torch.randn(13, 68, 32, 33), torch.randn(200, 68, 1, 1) / 8, torch.randn(200, 1, 1), torch.rand(200, 1, 1) + 0.5, torch.randn(32, 33)", "x, w, m, v, p"),
    # Rounded to TF32, not truncated, as above; a slice of the channels.
    matmul("parts_of_images", "(F.conv1d(x[:, 8:], w) - 70.0).abs()",
            "torch.randn(60, 212, 500) / 10 + 0.7, torch.randn(64, 204, 1) / 10 + 0.7", "x, w"),
    # Batched matmuls, whose rows and columns fill no tile: scores, with an epilogue operand a batch, row, column and
    # element; half precision, whose first matrix all batches share.
    matmul("scores_of_batches", "torch.tanh(torch.bmm(x, w.transpose(1, 2)) / 4 * s + m) * o - b[:, None, :] * r",
            "torch.randn(15, 250, 100), torch.randn(15, 504, 100) / 8, torch.randn(15, 1, 1), torch.randn(504), torch.randn(15, 250, 504), "
            "torch.randn(15, 504), torch.randn(15, 250, 1)", "x, w, s, m, o, b, r"),
    matmul("batches_of_one_matrix", "torch.sigmoid(torch.matmul(x, w.transpose(1, 2)) + b) - o",
            "torch.randn(370, 72).half(), torch.randn(18, 496, 72).half() / 8, torch.randn(18, 370, 1).half(), torch.randn(18, 370, 496).half()", "x, w, b, o"),
    # Experts: the second matrix is column-major.
    matmul("experts_in_floats", "F.relu(torch.bmm(x, w) + b[:, None, :]).square() * s",
            "torch.randn(13, 330, 68), torch.randn(13, 68, 524) / 8, torch.randn(13, 524), torch.randn(13, 330, 1)", "x, w, b, s"),
    # Our branch-free sine and cosine; angles beyond their range are computed again.
    matmul("angles_of_sums", "torch.sin(x @ w.t() + b) + torch.cos(x @ w.t() + b + o) * o",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1016), torch.randn(1661, 1016)"),
    matmul("gated_angles", "torch.sin(x @ w.t() + b) * torch.cos(x @ v.t()) + o",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1016), torch.randn(1661, 1016), torch.randn(1016, 100) / 8", "x, w, b, o, v"),
    matmul("large_angles", "F.softplus(x @ w.t() + b) * torch.cos(o) + torch.log1p(o * o) * torch.sin(b * 3e7)",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1016), torch.randn(1661, 1016) * torch.exp(20.0 * torch.rand(1661, 1016))"),
    # No operand is shaped like the result: each round checks once for large angles. Some of a warp's are, others not.
    matmul("far_angles_of_columns", "F.softplus(x @ w.t()) * torch.sin(b) + torch.cos(r)",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1016) * torch.exp(20.0 * torch.rand(1016)), torch.randn(1661, 1) * torch.exp(20.0 * torch.rand(1661, 1))", "x, w, b, r"),
    matmul("gated_far_angles", "torch.sigmoid(x @ w.t()) * torch.sin(b) * (x @ v.t())",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1016) * torch.exp(20.0 * torch.rand(1016)), torch.randn(1016, 100) / 8", "x, w, b, v"),
    # Unaligned rows: a scalar epilogue. With all kinds of operands; two matmuls of one input; batches; halves with an odd
    # K, whose copies are zero-padded.
    matmul("odd_columns", "torch.tanh(x @ w.t() * o[:, :1] + b) * o + u - x[:, 1:2]",
            "torch.randn(1661, 100), torch.randn(1013, 100) / 8, torch.randn(1013), torch.randn(1661, 1013), torch.randn(1661, 1013)", "x, w, b, o, u"),
    matmul("odd_gates", "torch.sigmoid(x @ w.t() + b) * (x @ v.t()) + o[:, 1:]",
            "torch.randn(1661, 100), torch.randn(1014, 100) / 8, torch.randn(1014), torch.randn(1661, 1015), torch.randn(1014, 100) / 8", "x, w, b, o, v"),
    matmul("odd_batches", "torch.relu(torch.bmm(x, w.transpose(1, 2)) - b[:, None, :]) * s",
            "torch.randn(15, 250, 100), torch.randn(15, 500, 100) / 8, torch.randn(15, 500), torch.randn(15, 1, 1)", "x, w, b, s"),
    matmul("odd_halves_of_sums", "torch.sigmoid(x @ w.t() + b) - o",
            "torch.randn(1661, 299).half(), torch.randn(1011, 299).half() / 8, torch.randn(1011).half(), torch.randn(1661, 1011).half()"),
    matmul("packs_within_sectors", "torch.sin(x @ w.t() + b) * o - r",
            "torch.randn(1661, 104).half(), torch.randn(1012, 104).half() / 8, torch.randn(1012).half(), torch.randn(1661, 1012).half(), torch.randn(1661, 1).half()",
            "x, w, b, o, r"),
    # Rows that begin inside sectors, read so often that aligned copies are worth it.
    matmul("gates_by_lines", "torch.sigmoid(x @ w.t() + b) * (x @ v.t()) + x[:, :1]",
            "torch.randn(2050, 580) / 3, torch.randn(1100, 580) / 8, torch.randn(1100), torch.randn(1100, 580) / 8", "x, w, b, v"),
    matmul("distances_by_lines", "torch.exp(-(x.square().sum(1, keepdim=True) + w.square().sum(1) - 2 * (x @ w.t())).clamp(min=0.0) / b) + F.elu(x @ w.t())",
            "torch.randn(2050, 260) / 8, torch.randn(2052, 260) / 8, torch.rand(2052) + 0.5", "x, w, b"),
    # One matmul whose rows a consumer splits into batches, with an operand a batch and shared ones.
    matmul("rows_of_batches", "torch.tanh(F.linear(x, w, b)) * s[:, None, :] + o",
            "torch.randn(9, 190, 100), torch.randn(1016, 100) / 8, torch.randn(1016), torch.randn(190, 1016), torch.randn(9, 1016)", "x, w, b, o, s"),
    matmul("turned_rows_of_batches", "torch.tanh(x @ w + b) * o",
            "torch.randn(17, 120, 204), torch.randn(204, 1000) / 10, torch.randn(1000), torch.randn(120, 1)"),
    # Column-major, row-major and mixed halves: boxes of 64 elements.
    matmul("experts_in_halves", "F.relu(torch.bmm(x, w) + b[:, None, :]) * s",
            "torch.randn(13, 330, 72).half(), torch.randn(13, 72, 536).half() / 8, torch.randn(13, 536).half(), torch.randn(13, 330, 1).half()", "x, w, b, s"),
    matmul("turned_bfloats", "torch.tanh(x.t() @ w + b) - o",
            "torch.randn(100, 1664).bfloat16(), torch.randn(100, 1016).bfloat16() / 8, torch.randn(1016).bfloat16(), torch.randn(1664, 1016).bfloat16()"),
    matmul("turned_first_of_batches", "torch.sigmoid(torch.bmm(x.transpose(1, 2), w.transpose(1, 2))) * s",
            "torch.randn(9, 104, 248).half(), torch.randn(9, 760, 104).half() / 8, torch.randn(9, 1, 1).half()", "x, w, s"),
)

SUMMED = (
    # Sums of matmuls of different K in one accumulator: a difference; halves with column-major second matrices; three
    # matmuls, one with a factor; a complex one: two sums of two matmuls; two sums of separate matrices, one with a long K.
    matmul("summed_in_floats", "torch.tanh(x @ w.t() - h @ v.t() + b) * o",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1661, 72), torch.randn(1016, 72) / 8, torch.randn(1016), "
            "torch.randn(1661, 1016)", "x, w, h, v, b, o"),
    matmul("summed_in_halves", "torch.sigmoid(x @ w + (h @ v + b))",
            "torch.randn(3301, 72).half(), torch.randn(72, 912).half() / 8, torch.randn(3301, 104).half(), torch.randn(104, 912).half() / 8, "
            "torch.randn(912).half()", "x, w, h, v, b"),
    matmul("summed_of_three", "x @ w.t() + 0.25 * (h @ v.t()) - c @ u.t()",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1661, 20), torch.randn(1016, 20) / 4, torch.randn(1661, 68), "
            "torch.randn(1016, 68) / 8", "x, w, h, v, c, u"),
    matmul("complex_in_floats", "torch.sqrt((x @ w.t() - y @ v.t() + b).square() + (x @ v.t() + y @ w.t() + c).square() + 1e-6)",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1016), "
            "torch.randn(1016)", "x, w, y, v, b, c"),
    # The same with two results that depend on both sums: separate, also with unaligned rows; concatenated; and
    # interleaved by element.
    complex_matmul("complex_apart", 1016, "re * s, im * s"),
    complex_matmul("complex_in_odd_rows", 1013, "re * s, im * s"),
    complex_matmul("complex_in_planes", 1016, "torch.stack([re * s, im * s])"),
    complex_matmul("complex_by_turns", 1016, "torch.stack([re * s, im * s], -1)"),
    # A first matrix that is a concat: of three, with a bias and an operand shaped like the result; of two, for a gate and
    # its value.
    matmul("joined_in_floats", "torch.relu(F.linear(torch.cat([x, h, c], 1), w, b)) + o",
            "torch.randn(1661, 100), torch.randn(1661, 72), torch.randn(1661, 20), torch.randn(1016, 192) / 12, torch.randn(1016), "
            "torch.randn(1661, 1016)", "x, h, c, w, b, o"),
    matmul("joined_gates_in_halves", "torch.sigmoid(torch.cat([x, h], 1) @ w.t() + b) * torch.tanh(torch.cat([x, h], 1) @ v.t())",
            "torch.randn(3301, 72).half(), torch.randn(3301, 136).half(), torch.randn(464, 208).half() / 12, torch.randn(464).half(), "
            "torch.randn(464, 208).half() / 12", "x, h, w, b, v"),
    # Twelve matrices; and slices of one matrix that share their begin, with two results, and inputs with the names of the
    # text's own functions and variables.
    matmul("joined_of_four_in_halves", "torch.sigmoid((z := torch.cat([x, h, c, d], 1)) @ w.t()) * torch.tanh(z @ v.t())",
            "torch.randn(3301, 72).half(), torch.randn(3301, 136).half(), torch.randn(3301, 8).half(), torch.randn(3301, 24).half(), "
            "torch.randn(464, 240).half() / 12, torch.randn(464, 240).half() / 12", "x, h, c, d, w, v"),
    matmul("parts_of_one_matrix", "torch.tanh(s := multiply1 @ fourthMap.t() + multiply1[:, :72] @ fourthMap[:, :72].t() + otherResult), s * multiply2",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1016), torch.randn(1661, 1016)",
            "multiply1, fourthMap, otherResult, multiply2"),
    # Before a row norm, and before sums of four neighbours.
    matmul("summed_before_norm", "F.layer_norm(x @ w.t() - h @ v.t() + b, (1016,))",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1661, 72), torch.randn(1016, 72) / 8, torch.randn(1016)",
            "x, w, h, v, b"),
    matmul("multiplied_before_sums", "((x @ w.t()) * (h @ v.t())).view(1661, 254, 4).sum(-1) / 4",
            "torch.randn(1661, 100), torch.randn(1016, 100) / 8, torch.randn(1661, 72), torch.randn(1016, 72) / 8", "x, w, h, v"),
    matmul("multiplied_in_halves", "torch.tanh((x @ w.t() + b) * (h @ v.t()))",
            "torch.randn(3301, 136).half(), torch.randn(464, 136).half() / 8, torch.randn(3301, 72).half(), torch.randn(464, 72).half() / 8, "
            "torch.randn(464).half()", "x, w, h, v, b"),
)

# Nearly covered by others: only by name, or with --all.
BY_NAME = ("batches_of_one_matrix", "distances_by_lines", "gated_angles", "angles_of_sums", "odd_columns", "odd_batches", "turned_rows_of_batches", "experts_in_halves", "turned_first_of_batches")
