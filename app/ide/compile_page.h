// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench.h"

#include <QWidget>

namespace warpwright {

class Actions;
class DiagnosticsModel;
class EmptyState;
class FigureTable;
class KernelResourcesModel;
class LogView;
class Look;
class SectionHead;
class StageRow;

/// Kernels with what they need of the chip, diagnostics in one list, and the tools' own words.
class CompilePage : public QWidget {
    Q_OBJECT
public:
    CompilePage(const Look &look, const Actions &actions, QWidget *parent = nullptr);
    void show(const Shown &shown, bool isStale, bool isRunning);
    using QWidget::show;

signals:
    void placeActivated(const QString &file, int line, int column);

private:
    const Look &m_look;
    StageRow *m_stages;
    KernelResourcesModel *m_kernelsModel;
    DiagnosticsModel *m_diagnosticsModel;
    FigureTable *m_kernels;
    SectionHead *m_diagnosticsHead;
    FigureTable *m_diagnostics;
    SectionHead *m_logHead;
    LogView *m_log;
    EmptyState *m_empty;
    void sayEmpty(bool isRunning);

    const Actions &m_actions;
    std::optional<bool> m_saysRunning; ///< what the empty page says
    QString m_shownId;
    QString m_shownLog;
};

} // namespace warpwright
