// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/ir/fused_kernel.h"

#include <QStringList>

#include <vector>

namespace warpwright {

/// A row's largest element, and sums of exponentials of the distance from it: what a softmax is made of. They
/// can be formed in one loop, where the largest so far stands for the largest of all: when a larger one
/// comes, what was summed is multiplied by the exponential of their distance.
struct RunningSoftmax {
    int largest = -1; ///< the step that is a row's maximum
    int level = -1;   ///< what is taken from the elements: that, or the step that says 0 where it is infinite
    std::vector<int> sums; ///< steps: each element has exp(v - level) as a factor, and nothing else of it

    bool operator==(const RunningSoftmax &) const = default;
};

/// Only where a loop over the row is saved: all sums of the loop after the largest's can run along.
[[nodiscard]] std::vector<RunningSoftmax> runningSoftmaxOf(const FusedKernel &kernel);

/// Whether the step is the largest element of one of these.
[[nodiscard]] bool isLargestOf(const std::vector<RunningSoftmax> &running, int step);

/// The kernel with these sums in the loop of their largest one. The steps stay as they are, but for their
/// passes.
[[nodiscard]] FusedKernel withRunningSums(FusedKernel kernel, const std::vector<RunningSoftmax> &running);

/// exp(v - largest), never more than 1 but where a row has infinite elements.
[[nodiscard]] bool isExponentialOfDistance(const FusedKernel &kernel, int step);
/// The same of values side by side, the largest of which is found by a chain of comparisons.
[[nodiscard]] bool isExponentialBesideLargest(const FusedKernel &kernel, int step);

/// How one of them is written.
class RisingText {
public:
    /// `element`: the text of one, in a loop over so many with the counter k where `count` says how many.
    /// `guard`: lines for each of these, of which not all are the row's.
    RisingText(const RunningSoftmax &running, const LoopText &loops, const SumText &extreme, QString element,
               QString count, QStringList guard);

    /// What comes before the elements are summed up: the largest rises to theirs.
    [[nodiscard]] QStringList lines() const;
    /// What stands for the running level in what is summed then.
    [[nodiscard]] QString level() const { return m_largest + QStringLiteral("Level"); }

private:
    [[nodiscard]] QString ahead() const { return m_largest + QStringLiteral("Ahead"); }

    QString m_largest;
    QString m_element;
    QString m_larger; ///< of the element and ahead()
    QStringList m_sums;
    QString m_count;
    bool m_isSafe; ///< the level is 0 where the largest is infinite, whatever its sign
    QStringList m_guard;
};

} // namespace warpwright
