// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/results/check_page.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/failure_map/wrong_element.h"
#include "toolchain/inspect/inspection.h"

namespace warpwright {

class DiagnosticsModel;
class FactTable;
class FailureLine;
class FailureMapView;
class FigureTable;
class LogView;
class MessageCard;
class ScrollPage;
class SectionHead;
class StageRow;
class WorstElementsModel;

/// Whether the result is the reference's: what failed in words, the worst elements with index and value,
/// where the errors are and what they have in common, findings and sanitizers with their places, and how it
/// was verified.
class VerifyPage : public CheckPage {
    Q_OBJECT
public:
    VerifyPage(const Look &look, const Actions &actions, QWidget *parent = nullptr);
    void show(const Shown &shown, bool isStale, bool isRunning);
    using QWidget::show;
    /// Where programs of its own find text and builds; none: there is no workspace.
    void setWorkspace(const std::optional<Workspace> &workspace);
    /// What the compiler makes of the text that is shown, for the lines that store; null: not known.
    void setInspection(const std::shared_ptr<const Inspection> &inspection);
    /// While this is in view somebody wants to know that.
    [[nodiscard]] QWidget *inspectionReader() const;

signals:
    void placeActivated(const QString &file, int line, int column);
    void settingsAsked(const QString &row);
    /// A question about what is wrong, to be changed by the person before it is sent.
    void agentAsked(const QString &question);

private:
    void sayMessage(const Evaluation &evaluation);
    void showMap(const Evaluation &evaluation);
    void showElement(const std::optional<WrongElement> &element);
    void showStores();
    void askAgent();
    void copyProgram();
    void enableProgram();
    void selectInMap(int row);
    void selectInTable(const QString &output, const QString &index);

    StageRow *m_stages;
    ScrollPage *m_scroll;
    MessageCard *m_message;
    LogView *m_detail;
    WorstElementsModel *m_worstModel;
    SectionHead *m_worstHead;
    FigureTable *m_worst;
    SectionHead *m_mapHead;
    FailureMapView *m_map;
    FailureLine *m_failure;
    JobNumber m_mapJob;
    JobNumber m_storesJob;
    JobNumber m_questionJob;
    std::optional<Evaluation> m_evaluation; ///< the one that is shown, where something in it is wrong
    std::optional<Workspace> m_workspace;
    std::shared_ptr<const Inspection> m_inspection;
    bool m_isRunning = false; ///< a check is, and what is shown is of the one before
    bool m_isEarlier = false; ///< its text is not the one on the disk
    bool m_isStale = false;
    bool m_hasMap = false;
    DiagnosticsModel *m_findingsModel;
    SectionHead *m_findingsHead;
    FigureTable *m_findings;
    DiagnosticsModel *m_sanitizersModel;
    SectionHead *m_sanitizersHead;
    FigureTable *m_sanitizers;
    SectionHead *m_howHead;
    FactTable *m_how;
    QString m_shownId;
};

} // namespace warpwright
