// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/comparison_choice.h"

#include <QObject>

class QJsonObject;

namespace warpwright {

class CompareController;
class ComparePage;
class DisplayedIterations;
class WindowPages;
class Workbench;

/// The comparison of two texts: its page, and what comes back of it with a workspace.
class Comparing : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Workbench &bench;
        CompareController &compareController;
        ComparePage &comparePage;
        WindowPages &pages;
        const DisplayedIterations &shown;
    };
    Comparing(const Parts &parts, QObject *parent);

    void compare(const ComparisonChoice &left, const ComparisonChoice &right);
    void gather(QJsonObject &state) const; ///< where its page is shown
    void restore(const QJsonObject &state);

private:
    const Parts m_parts;
};

} // namespace warpwright
