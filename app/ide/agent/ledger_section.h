// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"

#include <QWidget>

namespace warpwright {

class FigureTable;
class LedgerModel;
class Look;
class SectionHead;
class Words;

/// The prediction ledger of a run, live or past: its head, a row a proposal, and what counts as a hit. Not in
/// sight while there is nothing to tell.
class LedgerSection : public QWidget {
    Q_OBJECT
public:
    /// More rows than `rowsAtMost` are scrolled to.
    LedgerSection(const Look &look, int rowsAtMost, QWidget *parent = nullptr);

    void setLedger(const std::vector<LedgerLine> &lines, const QString &remark);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    const Look &m_look;
    SectionHead *m_head;
    LedgerModel *m_model;
    FigureTable *m_table;
    Words *m_note;
};

} // namespace warpwright
