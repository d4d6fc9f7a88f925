// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/iteration_tree.h"

#include <QObject>

#include <optional>

namespace warpwright {

class ReplayController;
class Workbench;

/// The iterations that the window shows: of the past run that is open, else of the workspace.
class DisplayedIterations : public QObject {
    Q_OBJECT
public:
    DisplayedIterations(Workbench &bench, QObject *parent);
    void setReplay(ReplayController &replay) { m_replay = &replay; } ///< once it is made

    [[nodiscard]] SharedTree tree() const;
    void show(int number);
    /// The name of the past run that is open; nothing: none is.
    [[nodiscard]] std::optional<QString> pastRun() const;

private:
    Workbench &m_bench;
    ReplayController *m_replay = nullptr;
};

} // namespace warpwright
