// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/check_page.h"
#include "app/ide/job.h"
#include "app/ide/workbench.h"

namespace warpwright {

class DiagnosticsModel;
class FactTable;
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

signals:
    void placeActivated(const QString &file, int line, int column);
    void settingsAsked(const QString &row);

private:
    void showMap(const Evaluation &evaluation);
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
    JobNumber m_mapJob;
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
