// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/comparison_choice.h"

#include <QObject>

namespace warpwright {

class Actions;
class Comparing;
class IterationsPanel;
class ProfilePanel;
class WindowNotices;
class Workbench;

/// The actions that compare what is shown: with its parent, the text, an arm, the counters' baseline.
class CompareActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        Workbench &bench;
        Comparing &comparing;
        IterationsPanel &iterations;
        WindowNotices &notices;
        ProfilePanel &profile;
    };
    CompareActions(const Parts &parts, QObject *parent);

    void enable();

private:
    void compareWithBaseline();
    [[nodiscard]] ComparisonChoice shownChoice() const;

    const Parts m_parts;
};

} // namespace warpwright
