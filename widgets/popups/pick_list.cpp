// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/popups/pick_list.h"

#include <QLineEdit>

namespace warpwright {
namespace {

constexpr std::size_t mostRows = 200;

} // namespace

PickList::PickList(const Look &look, QWidget *parent)
    : FoundList(look, {QStringLiteral("pick"), 720, 12, 28, 0}, parent) {
    setObjectName(QStringLiteral("pickList"));
}

void PickList::open(const QString &prompt, const std::vector<PickRow> &rows, int current) {
    m_rows.clear();
    for (const PickRow &row : rows) {
        PaletteRow made;
        made.id = QString::number(m_rows.size());
        made.name = row.name;
        made.otherNames = row.behind;
        made.behind = row.behind;
        made.iconName = row.icon;
        made.depth = row.depth;
        made.isBehindCode = row.isBehindCode;
        m_rows.push_back(made);
    }
    m_current = current;
    field()->setPlaceholderText(prompt);
    field()->setAccessibleName(prompt);
    openWith({});
}

void PickList::filter() {
    const QString typed = field()->text().trimmed();
    std::vector<FoundRow> found = foundRows(m_rows, typed, true);
    const std::size_t fitting = found.size();
    found.resize(std::min(found.size(), mostRows));
    const bool isWhole = typed.isEmpty();
    if (!isWhole) // what it lies in may not be there
        for (FoundRow &row : found)
            row.row.depth = 0;
    const QString foot = fitting > found.size()
                             ? tr("the first %1 of %2; type to find others").arg(found.size()).arg(fitting)
                             : tr("%1 of %2").arg(fitting).arg(m_rows.size());
    const int chosen = isWhole && m_current < static_cast<int>(found.size()) ? m_current : 0;
    showRows(std::move(found), chosen, foot);
}

void PickList::take(const FoundRow &found) {
    emit picked(found.row.id.toInt());
}

} // namespace warpwright
