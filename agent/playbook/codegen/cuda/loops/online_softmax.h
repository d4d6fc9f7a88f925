// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/online_softmax.h"

#include <QStringList>

namespace warpwright {

/// Lines of an online softmax.
class OnlineSoftmaxUpdate {
public:
    /// `element`: the text of one; in a loop over `count` elements with the counter k, unless `count` is
    /// empty. `guard`: lines for each of these, with the bounds check.
    OnlineSoftmaxUpdate(const OnlineSoftmax &softmax, const LoopNames &loops, const ReductionCode &extreme,
                        QString element, QString count, QStringList guard);

    /// Lines before the elements are added: they update the maximum and rescale the sums.
    [[nodiscard]] QStringList lines() const;
    /// The level of the exponentials that are then added.
    [[nodiscard]] QString level() const { return m_largest + QStringLiteral("Level"); }

private:
    [[nodiscard]] QString ahead() const { return m_largest + QStringLiteral("New"); }

    QString m_largest;
    QString m_element;
    QString m_larger; ///< maximum of the element and ahead()
    QStringList m_sums;
    QString m_count;
    bool m_isSafe; ///< the level is 0 where the maximum is infinite, of either sign
    QStringList m_guard;
};

} // namespace warpwright
