// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/process/terminal.h"
#include "toolchain/progress/stage_progress.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace warpwright {

/// What is going on, on standard error: one line that is rewritten on a terminal, one line a step in a pipe.
class ProgressLine : public QObject {
    Q_OBJECT
public:
    explicit ProgressLine(const Terminal &terminal, QObject *parent = nullptr);
    ~ProgressLine() override;

    void show(const StageProgress &progress);
    void stageEnded(const QString &stage, StageStatus status, double seconds);
    /// Takes the line away, so that other text can be printed.
    void clear();

private:
    void draw();

    Terminal m_terminal;
    StageProgress m_progress;
    QElapsedTimer m_since;
    QTimer m_tick;
    bool m_isShown = false;
};

/// "verify 2 of 5: seed 2" and what the last time took.
[[nodiscard]] QString progressText(const StageProgress &progress);

} // namespace warpwright
