// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench.h"

#include <QWidget>

namespace warpwright {

class Actions;
class EmptyState;
class FactTable;
class FigureTable;
class LogView;
class Look;
class MessageCard;
class ScrollPage;
class SectionHead;
class StageRow;
class WorstElementsModel;

/// Whether the result is the reference's: what failed in words, the worst elements with index and value, and
/// how it was verified.
class VerifyPage : public QWidget {
    Q_OBJECT
public:
    VerifyPage(const Look &look, const Actions &actions, QWidget *parent = nullptr);
    void show(const Shown &shown, bool isStale, bool isRunning);
    using QWidget::show;

signals:
    void placeActivated(const QString &file, int line, int column);
    void settingsAsked(const QString &row);

private:
    const Look &m_look;
    StageRow *m_stages;
    ScrollPage *m_scroll;
    MessageCard *m_message;
    LogView *m_detail;
    WorstElementsModel *m_worstModel;
    SectionHead *m_worstHead;
    FigureTable *m_worst;
    SectionHead *m_howHead;
    FactTable *m_how;
    EmptyState *m_empty;
    void sayEmpty(bool isRunning);

    const Actions &m_actions;
    std::optional<bool> m_saysRunning; ///< what the empty page says
    QString m_shownId;
};

} // namespace warpwright
