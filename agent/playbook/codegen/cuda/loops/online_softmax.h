// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/online_softmax.h"

#include <QStringList>

namespace warpwright {

/// How a running softmax is written.
class OnlineSoftmaxUpdate {
public:
    /// `element`: the text of one, in a loop over so many with the counter k where `count` says how many.
    /// `guard`: lines for each of these, of which not all are the row's.
    OnlineSoftmaxUpdate(const OnlineSoftmax &softmax, const LoopNames &loops, const ReductionCode &extreme,
                        QString element, QString count, QStringList guard);

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
