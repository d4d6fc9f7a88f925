// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/task/task_session.h"

#include <ATen/core/Tensor.h>

namespace warpwright {

/// The inputs at hand as they were drawn: a copy of them, or their fingerprint where there is no room for
/// one.
class DrawnInputs {
public:
    explicit DrawnInputs(TaskSession &session) : m_session(session) {}

    void remember();
    [[nodiscard]] bool areWhole() const;
    /// Puts them back. False: they have changed, and there is no copy.
    [[nodiscard]] bool putBack();

private:
    [[nodiscard]] at::Tensor bytes() const; ///< where the set at hand lies
    [[nodiscard]] Json print() const;

    TaskSession &m_session;
    at::Tensor m_copy;
    Json m_print;
};

} // namespace warpwright
