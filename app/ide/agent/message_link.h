// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// Where a link in an agent's message leads: a place in the workspace, an iteration, or neither.
struct MessageLink {
    QString file; ///< empty: none
    int line = 0; ///< from 1; 0: none was named
    int column = 0;
    int iteration = 0; ///< above 0: that one

    [[nodiscard]] bool isKnown() const { return iteration > 0 || !file.isEmpty(); }
    bool operator==(const MessageLink &) const = default;
};

/// "kernels/a.cu", "kernels/a.cu:12", "kernels/a.cu:12:3", "file:kernels/a.cu#L12", "iteration:3". Addresses
/// of the web lead nowhere here.
[[nodiscard]] MessageLink messageLink(const QString &address);

} // namespace warpwright
