// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/ledger_model.h"

#include "agent/review/prediction_outcome.h"
#include "profiler_views/value_role.h"

#include <algorithm>

namespace warpwright {

namespace {

QString wordOf(LedgerLine::Mark mark) {
    switch (mark) {
    case LedgerLine::Open:
        break;
    case LedgerLine::Hit:
        return outcomeWord(PredictionOutcome::Hit);
    case LedgerLine::Undecided:
        return outcomeWord(PredictionOutcome::Undecided);
    case LedgerLine::Off:
        return outcomeWord(PredictionOutcome::Outside);
    case LedgerLine::Failed:
        return outcomeWord(PredictionOutcome::Failed);
    }
    return outcomeWord(PredictionOutcome::Open);
}

/// "hit, partly applied": the figures beside it are those of the whole proposal.
QString outcomeOf(const LedgerLine &row) {
    const QString word = wordOf(row.mark);
    return row.taken.isEmpty() ? word : LedgerModel::tr("%1; %2").arg(word, row.taken.section(u':', 0, 0));
}

QString toolTipOf(const LedgerLine &row) {
    const QString expected = row.expected.isEmpty() ? LedgerModel::tr("nothing")
                             : row.promised.isEmpty()
                                 ? row.expected
                                 : LedgerModel::tr("%1, %2").arg(row.expected, row.promised);
    const QString measured = row.measured.isEmpty() ? LedgerModel::tr("not yet")
                             : row.interval.isEmpty()
                                 ? row.measured
                                 : LedgerModel::tr("%1 (%2)").arg(row.measured, row.interval);
    QStringList lines{LedgerModel::tr("Proposal %1, %2: %3 expected %4, measured %5")
                          .arg(QString::number(row.number), row.move,
                               row.who.isEmpty() ? LedgerModel::tr("the agent") : row.who, expected,
                               measured)};
    if (!row.range.isEmpty() && row.range != row.expected) // what is hidden has none
        lines << (row.isGranted ? LedgerModel::tr("A hit is %1: ±10 % of the time, for no range was given")
                                : LedgerModel::tr("A hit is %1"))
                     .arg(row.range);
    if (!row.base.isEmpty())
        lines << row.base;
    lines << wordOf(row.mark);
    if (!row.taken.isEmpty())
        lines << LedgerModel::tr("%1; expected and measured are of the whole proposal")
                     .arg(row.taken.at(0).toUpper() + row.taken.mid(1));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void LedgerModel::setRows(const std::vector<LedgerLine> &rows) {
    const auto isSame = [](const LedgerLine &a, const LedgerLine &b) {
        return a.number == b.number && a.who == b.who;
    };
    // Mostly the last rows of a run that went on a little: what stays there is not laid out again.
    const auto first =
        rows.empty() ? m_rows.end() : std::find_if(m_rows.begin(), m_rows.end(), [&](const LedgerLine &row) {
            return isSame(row, rows.front());
        });
    const auto gone = static_cast<int>(first - m_rows.begin());
    const std::size_t kept = std::min(m_rows.size() - static_cast<std::size_t>(gone), rows.size());
    if (kept == 0 || !std::equal(first, first + static_cast<std::ptrdiff_t>(kept), rows.begin(), isSame)) {
        beginResetModel();
        m_rows = rows;
        endResetModel();
        return;
    }
    if (gone > 0) {
        beginRemoveRows({}, 0, gone - 1);
        m_rows.erase(m_rows.begin(), first);
        endRemoveRows();
    }
    if (m_rows.size() > kept) {
        beginRemoveRows({}, static_cast<int>(kept), static_cast<int>(m_rows.size()) - 1);
        m_rows.resize(kept);
        endRemoveRows();
    }
    for (std::size_t row = 0; row < kept; ++row)
        if (m_rows[row] != rows[row]) {
            m_rows[row] = rows[row];
            emit dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), ColumnCount - 1));
        }
    if (rows.size() > kept) {
        beginInsertRows({}, static_cast<int>(kept), static_cast<int>(rows.size()) - 1);
        m_rows = rows;
        endInsertRows();
    }
}

void LedgerModel::setNarrow(bool isNarrow) {
    if (m_isNarrow == isNarrow)
        return;
    beginResetModel(); // columns that were wide get narrow again
    m_isNarrow = isNarrow;
    endResetModel();
}

bool LedgerModel::isSecondOfProposal(int row) const {
    return row > 0 &&
           m_rows[static_cast<std::size_t>(row) - 1].number == m_rows[static_cast<std::size_t>(row)].number;
}

int LedgerModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int LedgerModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LedgerModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const LedgerLine &row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool isNumber = column >= Expected && column <= Measured;
    switch (role) {
    case Qt::TextAlignmentRole:
        return QVariant((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case EmphasisRole:
        return column == Measured;
    case Qt::ToolTipRole:
        return toolTipOf(row);
    case IconNameRole:
        if (column != Outcome)
            return {};
        return row.mark == LedgerLine::Hit         ? QStringLiteral("check")
               : row.mark == LedgerLine::Undecided ? QStringLiteral("inconclusive")
               : row.mark == LedgerLine::Open      ? QStringLiteral("pending")
                                                   : QStringLiteral("warning");
    case ColorRole:
        if (column != Outcome)
            return column == Expected || column == Range ? QStringLiteral("text.secondary") : QString();
        return row.mark == LedgerLine::Hit    ? QStringLiteral("verdict.pass")
               : row.mark == LedgerLine::Open ? QStringLiteral("text.tertiary")
                                              : QStringLiteral("verdict.inconclusive");
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
    case ValueRole:
        break;
    default:
        return {};
    }
    switch (column) {
    case Number:
        return QString::number(row.number);
    case Move:
        // Where somebody else expects something of the same proposal, who it is stays in sight.
        if (row.who.isEmpty() || row.isOfAgent)
            return row.move;
        return m_isNarrow && isSecondOfProposal(index.row())
                   ? row.who
                   : QStringLiteral("%1: %2").arg(row.who, row.move);
    case Expected:
        return row.expected;
    case Range:
        return row.range;
    case Measured:
        return row.measured;
    default:
        return m_isNarrow && role == Qt::DisplayRole ? QString() : outcomeOf(row);
    }
}

QVariant LedgerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section >= Expected && section <= Measured ? Qt::AlignRight : Qt::AlignLeft) |
                        Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != ValueRole)
        return {};
    switch (section) {
    case Number:
        return QStringLiteral("#");
    case Move:
        return tr("move");
    case Expected:
        return tr("expected");
    case Range:
        return tr("range");
    case Measured:
        return tr("measured");
    default:
        return role == ValueRole ? QVariant(tr("outcome")) : QVariant(QString());
    }
}

} // namespace warpwright
