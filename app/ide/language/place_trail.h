// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// Where someone stood in a file; line and column count from 1.
struct StoodAt {
    QString file; ///< absolute
    int line = 1;
    int column = 1;
    int firstLine = 0; ///< the topmost that was shown; 0: not known
    int leftPixels = 0;

    bool operator==(const StoodAt &) const = default;
};

/// The places that were left by a jump, for the way back and forward again: the last hundred.
class PlaceTrail {
public:
    /// Before a jump: what lay forward is forgotten. The same line twice in a row is one place.
    void leave(const StoodAt &place);
    /// Gives the place to go to; `here` is where forward() leads back to. None: nothing lies there.
    [[nodiscard]] std::optional<StoodAt> back(const StoodAt &here);
    [[nodiscard]] std::optional<StoodAt> forward(const StoodAt &here);
    [[nodiscard]] bool hasBack() const { return !m_before.empty(); }
    [[nodiscard]] bool hasForward() const { return !m_after.empty(); }
    void clear();

private:
    std::vector<StoodAt> m_before;
    std::vector<StoodAt> m_after;
};

} // namespace warpwright
