// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>

namespace warpwright {

/// Numbers on the command line, with complaints for people: CLI11's own PositiveNumber names the smallest and
/// the largest double, in 300 digits.
[[nodiscard]] CLI::Validator aboveZero();
/// "3", and no "2.5": a whole number from `least` on. `most`: of the type that it is kept in.
[[nodiscard]] CLI::Validator wholeFrom(int least, std::int64_t most = std::numeric_limits<int>::max());
/// Both included; CLI11's own Range writes 0.1 as 0.100000.
[[nodiscard]] CLI::Validator between(double least, double most);
/// "3", of an iteration of a workspace that stands before it.
[[nodiscard]] CLI::Validator iterationNumber();

} // namespace warpwright
