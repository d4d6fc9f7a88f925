// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/popups/palette_model.h"

#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"
#include "widgets/popups/palette_match.h"

#include <QPainter>

namespace warpwright {
namespace {

// One that is named so and cannot be chosen comes before those that are only called so, too: else Enter would
// run what nobody asked for, and the reason would stay unread.
constexpr int byOtherName = 200000;
constexpr int disabled = 100000;

} // namespace

QStringList keyParts(const QString &key) {
    QStringList parts = key.split(QLatin1Char('+'), Qt::SkipEmptyParts);
    if (key.endsWith(QLatin1Char('+'))) // the key itself is a plus
        parts << QStringLiteral("+");
    return parts;
}

std::vector<FoundRow> foundRows(const std::vector<PaletteRow> &rows, const QString &typed, bool isFuzzy) {
    struct Ranked {
        int rank;
        std::size_t row;
        std::vector<int> letters;
    };
    std::vector<Ranked> ranked;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const PaletteRow &row = rows[i];
        PaletteMatch match = paletteMatch(row.name, typed, isFuzzy);
        // By what else people call it, behind those that are named so.
        if (match.rank < 0 && !row.otherNames.isEmpty()) {
            match = paletteMatch(row.name + QLatin1Char(' ') + row.otherNames, typed);
            match.letters.erase(std::remove_if(match.letters.begin(), match.letters.end(),
                                               [&row](int at) { return at >= row.name.size(); }),
                                match.letters.end());
            if (match.rank >= 0)
                match.rank += byOtherName;
        }
        if (match.rank >= 0)
            ranked.push_back(
                {match.rank + (row.whyDisabled.isEmpty() ? 0 : disabled), i, std::move(match.letters)});
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const Ranked &a, const Ranked &b) { return a.rank < b.rank; });
    std::vector<FoundRow> found;
    for (Ranked &each : ranked)
        found.push_back({rows[each.row], std::move(each.letters)});
    return found;
}

void PaletteModel::setFound(std::vector<FoundRow> found) {
    beginResetModel();
    m_found = std::move(found);
    endResetModel();
}

const FoundRow *PaletteModel::at(const QModelIndex &index) const {
    return index.isValid() ? &m_found[static_cast<std::size_t>(index.row())] : nullptr;
}

int PaletteModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_found.size());
}

QVariant PaletteModel::data(const QModelIndex &index, int role) const {
    const FoundRow *found = at(index);
    if (found == nullptr)
        return {};
    if (role == Qt::DisplayRole)
        return found->row.name;
    if (role != Qt::AccessibleTextRole)
        return {};
    QStringList words{found->row.name, found->row.behind, found->row.key, found->row.whyDisabled};
    words.removeAll(QString());
    return words.join(QStringLiteral(", "));
}

PaletteDelegate::PaletteDelegate(const Look &look, const PaletteModel &model, int rowHeight, QObject *parent)
    : QStyledItemDelegate(parent), m_look(look), m_model(model), m_rowHeight(rowHeight) {}

void PaletteDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const {
    const FoundRow *found = m_model.at(index);
    if (found == nullptr)
        return;
    const PaletteRow &row = found->row;
    const bool isSelected = (option.state & QStyle::State_Selected) != 0;
    painter->fillRect(option.rect, m_look.color(isSelected ? "bg.selected" : "bg.card"));
    if (isSelected)
        painter->fillRect(option.rect.left(), option.rect.top(), m_look.px(3), option.rect.height(),
                          m_look.color("accent.focus"));
    const bool isEnabled = row.whyDisabled.isEmpty();
    const char *ink = isEnabled ? "text.primary" : "text.tertiary";
    const int inwards = row.depth * m_look.px(16);
    const int icon = m_look.px(16);
    if (!row.iconName.isEmpty())
        m_look.icon(row.iconName, m_look.color(isEnabled ? "text.secondary" : "text.tertiary"))
            .paint(painter, QRect(option.rect.left() + m_look.px(14) + inwards,
                                  option.rect.center().y() - icon / 2 + 1, icon, icon));
    int right = option.rect.right() - m_look.px(12);
    const QStringList keys = keyParts(row.key);
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
        right -= drawKeyCap(nullptr, m_look, *key, 0, 0, {}, {});
        drawKeyCap(painter, m_look, *key, right, option.rect.center().y() + 1, m_look.color("text.secondary"),
                   m_look.color("border.normal"));
        right -= m_look.px(4);
    }
    int x = option.rect.left() + m_look.px(40) + inwards;
    const auto draw = [&](const QString &text, QFont::Weight weight, TextRole role, const char *color) {
        painter->setFont(m_look.font(role, weight));
        painter->setPen(m_look.color(color));
        const int room = right - x - m_look.px(8);
        const QString shown = painter->fontMetrics().elidedText(text, Qt::ElideRight, room);
        painter->drawText(QRect(x, option.rect.top(), std::max(0, room), option.rect.height()),
                          Qt::AlignVCenter | Qt::AlignLeft, shown);
        x += painter->fontMetrics().horizontalAdvance(shown);
    };
    // Runs of letters that were found, and of those between them.
    qsizetype at = 0;
    for (std::size_t i = 0; i < found->letters.size();) {
        const qsizetype start = found->letters[i];
        qsizetype end = start;
        for (; i < found->letters.size() && found->letters[i] == end; ++i)
            ++end;
        if (start > at)
            draw(row.name.mid(at, start - at), QFont::Normal, TextRole::Body, ink);
        draw(row.name.mid(start, end - start), QFont::DemiBold, TextRole::Body, ink);
        at = end;
    }
    if (at < row.name.size())
        draw(row.name.mid(at), QFont::Normal, TextRole::Body, ink);
    x += m_look.px(8);
    QString behind = row.behind;
    if (!isEnabled)
        behind += (behind.isEmpty() ? QString() : QStringLiteral(" · ")) + row.whyDisabled;
    draw(behind, QFont::Normal, row.isBehindCode ? TextRole::Log : TextRole::Small,
         row.isBehindCode ? "text.secondary" : "text.tertiary");
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const {
    return {m_look.px(200), m_look.px(m_rowHeight)};
}

} // namespace warpwright
