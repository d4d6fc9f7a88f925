// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/comparison/error_rule.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warpwright {

/// Whether the wrong elements of a result are right ones of another place: two dimensions exchanged, one step
/// aside, or what the call before gave there; or the right ones times a factor, or with something added.

/// A few of the result's wrong elements, and where to look.
struct WrongElements {
    std::vector<int64_t> sizes;  ///< of the dimensions that are not 1
    std::vector<int64_t> places; ///< from 0, in the order of the dimensions
    ElementRule rule;
    /// Numbers at places, in their order.
    using Values = std::function<std::vector<double>(const std::vector<int64_t> &places)>;
    Values got;
    Values reference;
    Values expected;
    Values before; ///< the result of the call before; empty: there is none
};

/// As a list of {kind, right, of} with, by kind,
/// `transposed`: `dimensions`, two of `sizes` that were exchanged when the result was written;
/// `shifted`: `dimension` of `sizes` (-1: of all elements in a row) and `by`: an element holds what is
/// expected so many places further on;
/// `before`: it is, bit for bit, what the call before gave;
/// `scaled`, `offset`: `number`, that what is expected has to be multiplied by, or what is to be added to it.
/// Only what explains at least half of the elements that have a counterpart.
Json movedResults(const WrongElements &wrong);

} // namespace warpwright
