// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/ledger_section.h"

#include "agent/review/prediction_outcome.h"
#include "app/ide/agent/ledger_model.h"
#include "app/ide/kit/card.h"
#include "app/ide/kit/figure_table.h"
#include "widgets/frame/pane.h"

#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace warpwright {

LedgerSection::LedgerSection(const Look &look, int rowsAtMost, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_head(new SectionHead(look, tr("Prediction ledger"), this)),
      m_model(new LedgerModel(this)),
      m_table(new FigureTable(look, m_model, this)),
      m_note(new Words(look, TextRole::Small, "text.tertiary", this)) {
    setObjectName(QStringLiteral("ledgerSection"));
    m_table->setObjectName(QStringLiteral("ledgerTable"));
    m_table->setAccessibleName(tr("Prediction ledger"));
    m_table->setShape(LedgerModel::Move, rowsAtMost);
    m_note->setObjectName(QStringLiteral("ledgerNote"));
    m_note->setWordWrap(true);
    m_note->setContentsMargins(look.px(12), look.px(4), look.px(12), 0);
    m_note->setText(hitRuleText());
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_table);
    column->addWidget(m_note);
    hide();
}

void LedgerSection::setLedger(const std::vector<LedgerLine> &lines, const QString &remark) {
    m_model->setRows(lines);
    m_head->setRemark(remark, true);
    // No column has room for the interval that «undecided» goes by.
    const auto last = std::find_if(lines.rbegin(), lines.rend(), [](const LedgerLine &line) {
        return line.mark == LedgerLine::Undecided && !line.interval.isEmpty();
    });
    m_note->setText(
        last == lines.rend()
            ? hitRuleText()
            : tr("Proposal %1, undecided: measured %2, with an interval of %3. %4")
                  .arg(QString::number(last->number), last->measured, last->interval, hitRuleText()));
    setVisible(!lines.empty());
}

void LedgerSection::resizeEvent(QResizeEvent *) {
    // With fewer columns it is lower, as nothing scrolls sideways: the page's own bar would go for it, and
    // come back with the columns, for ever. What was left out comes back where there is room for that bar,
    // too.
    const auto isNarrow = [this](int wanted, bool was) {
        const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
        return width() < m_look.px(wanted) + (was ? bar : 0);
    };
    // Its tooltip has them as well, and what came of it in words; the range stays, for it decides.
    const bool isShort = isNarrow(380, m_table->isColumnHidden(LedgerModel::Number));
    m_table->setColumnHidden(LedgerModel::Number, isShort);
    m_table->setColumnHidden(LedgerModel::Expected,
                             isNarrow(340, m_table->isColumnHidden(LedgerModel::Expected)));
    m_model->setNarrow(isShort);
}

} // namespace warpwright
