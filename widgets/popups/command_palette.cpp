// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/popups/command_palette.h"

#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>

namespace warpwright {

CommandPalette::CommandPalette(const Look &look, QWidget *parent)
    : FoundList(look, {QStringLiteral("palette"), 560, 9, 32, 190}, parent) {
    setObjectName(QStringLiteral("commandPalette"));
    field()->setAccessibleName(tr("Command palette"));
}

void CommandPalette::setKinds(std::vector<PaletteKind> kinds) {
    Q_ASSERT(!kinds.empty() && kinds.front().prefix.isEmpty());
    m_kinds = std::move(kinds);
}

void CommandPalette::setRows(const QString &prefix, std::vector<PaletteRow> rows) {
    m_rows[prefix] = std::move(rows);
    if (isVisible() && kindOf(field()->text()).prefix == prefix)
        filter();
}

const PaletteKind &CommandPalette::kindOf(const QString &typed) const {
    for (const PaletteKind &kind : m_kinds)
        if (!kind.prefix.isEmpty() && typed.startsWith(kind.prefix))
            return kind;
    return m_kinds.front();
}

void CommandPalette::open(const QString &typed) {
    if (isVisible()) {
        if (kindOf(field()->text()).prefix == kindOf(typed).prefix)
            closeAndReturn();
        else
            field()->setText(typed);
        return;
    }
    openWith(typed);
}

void CommandPalette::filter() {
    const PaletteKind &kind = kindOf(field()->text());
    QString words = field()->text().mid(kind.prefix.size());
    m_line = 0;
    static const QRegularExpression line(QStringLiteral("^(.*?):(\\d*)$"));
    if (const auto match = line.match(words); kind.takesLine && match.hasMatch()) {
        words = match.captured(1);
        m_line = match.captured(2).toInt();
    }
    field()->setPlaceholderText(kind.invites);
    const QString id = chosen() == nullptr ? QString() : chosen()->row.id;
    const std::vector<PaletteRow> &rows = m_rows[kind.prefix];
    std::vector<FoundRow> found = foundRows(rows, words, kind.isFuzzy);
    const QLocale english(QLocale::English);
    const QString foot = tr("%1 of %2 %3")
                             .arg(english.toString(static_cast<qlonglong>(found.size())),
                                  english.toString(static_cast<qlonglong>(rows.size())), kind.what);
    if (found.size() > mostRows)
        found.resize(mostRows);
    const auto again =
        std::find_if(found.begin(), found.end(), [&id](const FoundRow &row) { return row.row.id == id; });
    const int chosen = again == found.end() ? 0 : static_cast<int>(again - found.begin());
    const QString typed = words.trimmed();
    showRows(std::move(found), chosen, foot,
             typed.isEmpty() ? kind.whenNone : tr("Nothing fits «%1». %2").arg(typed, kind.whenNone));
}

void CommandPalette::take(const FoundRow &found) {
    emit picked(found.row.id, m_line);
}

void CommandPalette::paintEvent(QPaintEvent *event) {
    FoundList::paintEvent(event);
    QPainter painter(this);
    const int y = height() - look().px(14);
    int x = width() - look().px(14);
    painter.setFont(look().font(TextRole::Axis));
    const auto hint = [&](const QString &key, const QString &word) {
        painter.setFont(look().font(TextRole::Axis));
        x -= painter.fontMetrics().horizontalAdvance(word);
        painter.setPen(look().color("text.tertiary"));
        painter.drawText(QRect(x, height() - look().px(28), look().px(80), look().px(28)), Qt::AlignVCenter,
                         word);
        x -= look().px(6) + drawKeyCap(nullptr, look(), key, 0, 0, {}, {});
        drawKeyCap(&painter, look(), key, x, y, look().color("text.secondary"),
                   look().color("border.normal"));
        x -= look().px(10);
    };
    hint(tr("Esc"), tr("closes"));
    hint(tr("Enter"), kindOf(field()->text()).prefix == QLatin1String(">") ? tr("runs") : tr("opens"));
    for (auto kind = m_kinds.rbegin(); kind != m_kinds.rend(); ++kind)
        if (!kind->prefix.isEmpty() && kind->prefix != kindOf(field()->text()).prefix)
            hint(kind->prefix, kind->what);
    if (kindOf(field()->text()).takesLine)
        hint(QStringLiteral(":12"), tr("line"));
}

} // namespace warpwright
