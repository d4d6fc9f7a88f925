// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/review/file_review.h"

#include <list>

/// The review of one file once more, by other means: a list of elements in which each hunk is a pair of marks
/// around its lines. No positions are kept, so none can be wrong. Slow, and plain enough to be believed.
class ReviewOracle {
public:
    ReviewOracle(const warpwright::TextLines &base, const std::vector<warpwright::Hunk> &hunks);

    void typed(const warpwright::TextEdit &edit);
    /// Puts these lines between the marks of the hunk.
    void stand(int hunk, const warpwright::TextLines &lines);

    [[nodiscard]] warpwright::TextLines text() const;
    [[nodiscard]] warpwright::TextLines linesOf(int hunk) const;
    [[nodiscard]] int startOf(int hunk) const;

private:
    struct Element {
        enum Kind { Line, Begin, End } kind = Line;
        int hunk = 0;
        QByteArray bytes;
    };
    std::list<Element> m_elements;
};
