// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/workbench.h"
#include "widgets/frame/pane.h"

class QTableView;

namespace warpwright {

class Actions;
class CommandPage;
class CompilePage;
class LogView;
struct Inspection;
struct ProposedText;
class VerifyPage;

/// What compile and verify said of the shown iteration, and the console of everything that was done.
class BuildPanel : public Pane {
    Q_OBJECT
public:
    BuildPanel(const Look &look, Workbench &bench, const Actions &actions, QWidget *parent = nullptr);

    /// "compile", "verify", "console", "command"; false for any other name.
    bool showPage(const QString &name);
    /// Opens the page where this verdict is explained.
    void showFor(Verdict verdict);
    [[nodiscard]] CommandPage &command() const { return *m_command; }
    [[nodiscard]] VerifyPage &verify() const { return *m_verify; }
    /// Of the text on disk, or of the earlier iteration that is shown, for the page of the compile; null: its
    /// code was not read.
    void setInspection(const std::shared_ptr<const Inspection> &inspection);

    /// What an agent's run does while it measures the text first; null: it does not.
    void setMeasuredByRun(const StageProgress *now);
    /// The proposal that a person reads, in whose pages it is; null: there is none. The caller's until the
    /// next call.
    void setProposed(const ProposedText *proposed);

signals:
    void placeActivated(const QString &file, int line, int column);
    void settingsAsked(const QString &row);

private:
    void describe();
    void describeInspection();

    Workbench &m_bench;
    std::optional<StageProgress> m_measuredByRun;
    const ProposedText *m_proposed = nullptr;
    std::shared_ptr<const Inspection> m_inspection; ///< of the text on disk
    QString m_described;                            ///< id of the evaluation that is shown
    CompilePage *m_compile;
    VerifyPage *m_verify;
    LogView *m_console;
    CommandPage *m_command;
};

} // namespace warpwright
