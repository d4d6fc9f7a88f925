// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/results/check_page.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/inspect/inspection.h"

namespace warpwright {

class ActionButton;
class DiagnosticsModel;
class FigureTable;
class KernelResourcesModel;
class LogView;
class SectionHead;
class StageRow;

/// Kernels with what they need of the chip, diagnostics in one list, and the tools' own words.
class CompilePage : public CheckPage {
    Q_OBJECT
public:
    CompilePage(const Look &look, const Actions &actions, QWidget *parent = nullptr);
    /// `compiled`: what was said of a newer text than the evaluation's; null: nothing.
    void show(const Shown &shown, const CompiledText *compiled, bool isStale, bool isRunning);
    /// Of the text whose kernels are shown: it knows their launch bounds, which ptxas does not say. Null: its
    /// code was not read.
    void setInspection(const std::shared_ptr<const Inspection> &inspection);
    using QWidget::show;

signals:
    void placeActivated(const QString &file, int line, int column);

private:
    void showLog();

    StageRow *m_stages;
    KernelResourcesModel *m_kernelsModel;
    DiagnosticsModel *m_diagnosticsModel;
    FigureTable *m_kernels;
    SectionHead *m_diagnosticsHead;
    FigureTable *m_diagnostics;
    SectionHead *m_logHead;
    LogView *m_log;
    ActionButton *m_whole; ///< command lines as they were run
    QString m_shownId;
    int m_shownNumber = 0; ///< of a text that was compiled without a check; 0: an evaluation's is shown
    QString m_shownLog;
};

} // namespace warpwright
