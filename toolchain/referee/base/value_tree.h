// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"

#include <string>
#include <vector>

namespace warpwright {

/// A leaf of a model's result: a tensor or a plain value, with the way to it ("output", "output[1]",
/// "output.hidden"). What the call wrote beside is named by itself: "argument x", "buffer norm.running_mean".
struct ValueLeaf {
    std::string path;
    Json node;

    bool isTensor() const { return node.contains("kind") && node["kind"] == "tensor"; }
};

/// Whether a leaf of this path is a tensor of the model's own that the call changed.
bool isOfState(const std::string &path);

/// All leaves in order. A tree that is not one (a worker sent it) gives one leaf of kind "other".
std::vector<ValueLeaf> leavesOf(const Json &tree, const std::string &path);

/// The nesting without the leaves' contents: "tuple(tensor,tensor)". Lists and tuples count as the same.
std::string shapeOfTree(const Json &tree);

/// "float32[8, 1024]" for a tensor leaf.
std::string describeTensor(const Json &node);

/// {dtype, shape} of each tensor leaf, as the evaluation document lists them.
Json summaryOfTensors(const Json &tree, const std::string &path);

/// The leaf of a tensor without the elements that it shows again (stride 0): each byte of it is written once.
Json withoutRepeats(Json node);

/// "input[0] is float32[8, 64] with the strides [192, 1]" of the first tensor whose elements do not lie side
/// by side; empty: there is none.
std::string describeStridedInput(const Json &inputs);

/// Whether elements at different places of it may still share memory, as in windows.
bool hasWindows(const Json &node);

/// Whether the judge can compute with it: float64, float32, float16, bfloat16.
bool isPlainFloat(const std::string &dtype);

/// Of one element of this dtype; 0 for an unknown one.
uint64_t elementBytes(const std::string &dtype);

/// Sum of the bytes of all tensor leaves that lie densely.
uint64_t bytesOfTensors(const Json &tree);

} // namespace warpwright
