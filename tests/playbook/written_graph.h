// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

// Reference graphs that a test writes itself, for what no recorded sample shows. Nodes are put together with
// +, each after those it needs. They go through readReferenceGraph, as recorded ones do.

/// A tensor that forward is given: its arguments are these, in the order of writing.
/// `strides`: in elements; none: contiguous.
[[nodiscard]] QByteArray input(const QByteArray &name, const warpwright::Shape &shape,
                               const warpwright::Shape &strides = {},
                               warpwright::ElementType type = warpwright::ElementType::Float32);
/// A contiguous weight of the model, which has it under this name.
[[nodiscard]] QByteArray parameter(const QByteArray &name, const warpwright::Shape &shape,
                                   warpwright::ElementType type = warpwright::ElementType::Float32);
/// What an operator makes. `op`: torch's word without its library, "sum.dim_IntList". `arguments`: as
/// torch.fx prints them, "%x, [0, 1], true, null": %x is the tensor of that name, and the rest is JSON.
/// `strides`: where the reference leaves it; none: contiguous.
[[nodiscard]] QByteArray node(const QByteArray &name, const QByteArray &op, const QByteArray &arguments,
                              const warpwright::Shape &shape,
                              warpwright::ElementType type = warpwright::ElementType::Float32,
                              const warpwright::Shape &strides = {});
/// "[2, 3]": sizes as an argument.
[[nodiscard]] QByteArray listOf(const warpwright::Shape &numbers);

/// The whole as the reader of a reference would print it. `outputs`: what forward returns, by name: "y", or
/// "s, t" for a tuple. What is no JSON ends the program: it is the test's own mistake.
[[nodiscard]] QByteArray graphText(const QByteArray &nodes, const QByteArray &outputs);
[[nodiscard]] warpwright::ReferenceGraph graphOf(const QByteArray &nodes, const QByteArray &outputs);
