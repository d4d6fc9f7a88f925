// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/ledger_section.h"

#include "agent/prediction_outcome.h"
#include "app/ide/card.h"
#include "app/ide/figure_table.h"
#include "app/ide/ledger_model.h"
#include "widgets/pane.h"

#include <QVBoxLayout>

namespace warpwright {

LedgerSection::LedgerSection(const Look &look, int rowsAtMost, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_head(new SectionHead(look, tr("Prediction ledger"), this)),
      m_model(new LedgerModel(this)),
      m_table(new FigureTable(look, m_model, this)) {
    setObjectName(QStringLiteral("ledgerSection"));
    m_table->setObjectName(QStringLiteral("ledgerTable"));
    m_table->setAccessibleName(tr("Prediction ledger"));
    m_table->setShape(LedgerModel::Move, rowsAtMost);
    auto *note = new Words(look, TextRole::Small, "text.tertiary", this);
    note->setObjectName(QStringLiteral("ledgerNote"));
    note->setWordWrap(true);
    note->setContentsMargins(look.px(12), look.px(4), look.px(12), 0);
    note->setText(hitRuleText());
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_table);
    column->addWidget(note);
    hide();
}

void LedgerSection::setLedger(const std::vector<LedgerLine> &lines, const QString &remark) {
    m_model->setRows(lines);
    m_head->setRemark(remark, true);
    setVisible(!lines.empty());
}

void LedgerSection::resizeEvent(QResizeEvent *) {
    // Its tooltip has them as well, and what came of it in words; the range stays, for it decides.
    m_table->setColumnHidden(LedgerModel::Number, width() < m_look.px(380));
    m_table->setColumnHidden(LedgerModel::Expected, width() < m_look.px(340));
    m_model->setNarrow(width() < m_look.px(380));
}

} // namespace warpwright
