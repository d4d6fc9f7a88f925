// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace warpwright {

/// What a function of a library is called for, as the rules of the task see it.
enum class LibraryUse {
    Helper,      ///< handles, descriptors, sizes, copies: never counts
    Layout,      ///< brings operands into order: allowed beside a product or a convolution
    Product,     ///< of matrices, of a matrix and a vector, of two vectors
    Convolution, ///< also backwards: that is what a transposed convolution is
    Computes,    ///< anything else: the candidate's own kernels are there for that
    RuntimeCode, ///< compiles code or loads code that was compiled elsewhere
    TorchInside, ///< torch's own kernels, past its dispatcher
    // Libraries that make a thing first and then execute it: what was made decides.
    Executes,
    PlansLayout,
    PlansProduct,
    PlansConvolution,
    PlansOther,
    Unknown, ///< of a library that is watched, and not in the table
};

/// The table: by the name that the linker knows. A number after a colon is the kind that
/// cudnnBackendCreateDescriptor was asked for.
LibraryUse useOf(const std::string &function);

/// A C++ name as people write it; others stay.
std::string readableFunction(const std::string &function);

} // namespace warpwright
