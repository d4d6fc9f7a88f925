// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/process/in_pool.h"

namespace warpwright {

/// Answers to older questions are dropped: take a number before asking, compare it when the answer comes.
class JobNumber {
public:
    int next() { return ++m_last; }
    [[nodiscard]] bool isStale(int number) const { return number != m_last; }

private:
    int m_last = 0;
};

} // namespace warpwright
