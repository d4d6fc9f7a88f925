// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/found_rows.h"

#include "widgets/look/look.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace warpwright {
namespace {

QString iconOf(SearchedText::Kind kind) {
    switch (kind) {
    case SearchedText::Reference:
        return QStringLiteral("target");
    case SearchedText::CompilerOutput:
    case SearchedText::Console:
        return QStringLiteral("terminal");
    case SearchedText::Sass:
    case SearchedText::Ptx:
        return QStringLiteral("sass");
    case SearchedText::Conversation:
        return QStringLiteral("playbook");
    case SearchedText::PastRun:
        return QStringLiteral("history");
    case SearchedText::Candidate:
    case SearchedText::OtherFile:
        break;
    }
    return QStringLiteral("file");
}

/// A tab in a row of its own would be as wide as it likes.
QString oneLine(QString words) {
    return words.replace(u'\t', u' ').replace(u'\n', QChar(0x21b5));
}

} // namespace

QString wordsBefore(const QString &left, const QString &right, int room, const QFontMetrics &metrics) {
    // What follows gets a third of the room, where it needs as much.
    const int follows = std::min(metrics.horizontalAdvance(right), std::max(0, room) / 3);
    return metrics.elidedText(left, Qt::ElideLeft, std::max(0, room - follows));
}

void FoundRows::begin(std::vector<SearchedText> texts) {
    beginResetModel();
    m_texts = std::move(texts);
    m_hits.clear();
    m_rows.clear();
    m_counts.assign(m_texts.size(), 0);
    endResetModel();
}

void FoundRows::add(const std::vector<FoundHit> &hits) {
    std::vector<Row> rows;
    int counted = -1; // the text whose count changes though it is listed
    std::size_t last = m_rows.empty() ? m_texts.size() : m_rows.back().text;
    for (const FoundHit &hit : hits) {
        if (hit.text != last) {
            rows.push_back({hit.text, -1});
            last = hit.text;
        } else if (rows.empty() && counted < 0) {
            counted = static_cast<int>(hit.text);
        }
        ++m_counts[hit.text];
        rows.push_back({hit.text, static_cast<int>(m_hits.size())});
        m_hits.push_back(hit);
    }
    if (rows.empty())
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
    m_rows.insert(m_rows.end(), rows.begin(), rows.end());
    endInsertRows();
    if (counted >= 0) {
        int head = first - 1;
        while (head > 0 && m_rows[static_cast<std::size_t>(head)].hit >= 0)
            --head;
        emit dataChanged(index(head), index(head));
    }
}

void FoundRows::lay() {
    m_rows.clear();
    m_counts.assign(m_texts.size(), 0);
    std::size_t last = m_texts.size();
    for (std::size_t i = 0; i < m_hits.size(); ++i) {
        const std::size_t text = m_hits[i].text;
        if (std::exchange(last, text) != text)
            m_rows.push_back({text, -1});
        m_rows.push_back({text, static_cast<int>(i)});
        ++m_counts[text];
    }
}

void FoundRows::dismiss(int row) {
    if (row < 0 || row >= rowCount())
        return;
    const Row gone = m_rows[static_cast<std::size_t>(row)];
    beginResetModel();
    if (gone.hit >= 0)
        m_hits.erase(m_hits.begin() + gone.hit);
    else
        m_hits.erase(std::remove_if(m_hits.begin(), m_hits.end(),
                                    [&gone](const FoundHit &hit) { return hit.text == gone.text; }),
                     m_hits.end());
    lay();
    endResetModel();
}

int FoundRows::textCount() const {
    return static_cast<int>(
        std::count_if(m_counts.begin(), m_counts.end(), [](int count) { return count > 0; }));
}

const FoundHit *FoundRows::hitAt(int row) const {
    if (row < 0 || row >= rowCount())
        return nullptr;
    const int hit = m_rows[static_cast<std::size_t>(row)].hit;
    return hit < 0 ? nullptr : &m_hits[static_cast<std::size_t>(hit)];
}

int FoundRows::nextHit(int row, int by) const {
    const int count = rowCount();
    int at = row < 0 && by < 0 ? 0 : row;
    for (int tried = 0; tried < count; ++tried) {
        at = (at + by + count) % count;
        if (hitAt(at) != nullptr)
            return at;
    }
    return -1;
}

const SearchedText &FoundRows::textAt(int row) const {
    return m_texts[m_rows[static_cast<std::size_t>(row)].text];
}

int FoundRows::hitsOf(int row) const {
    return m_counts[m_rows[static_cast<std::size_t>(row)].text];
}

int FoundRows::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant FoundRows::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::AccessibleTextRole))
        return {};
    const FoundHit *hit = hitAt(index.row());
    if (hit == nullptr) {
        const QString &title = textAt(index.row()).title;
        return role == Qt::DisplayRole ? title : tr("%1, %n hits", nullptr, hitsOf(index.row())).arg(title);
    }
    if (role == Qt::DisplayRole)
        return hit->words;
    const QString line = tr("line %1: %2").arg(hit->line).arg(hit->words);
    return hit->replacement ? tr("%1, becomes %2").arg(line, *hit->replacement) : line;
}

FoundDelegate::FoundDelegate(const Look &look, const FoundRows &rows, QObject *parent)
    : QStyledItemDelegate(parent), m_look(look), m_rows(rows) {}

void FoundDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const {
    const bool isSelected = (option.state & QStyle::State_Selected) != 0;
    const FoundHit *hit = m_rows.hitAt(index.row());
    painter->fillRect(option.rect, m_look.color(isSelected       ? "bg.selected"
                                                : hit == nullptr ? "bg.bar"
                                                                 : "bg.pane"));
    painter->save();
    painter->setClipRect(option.rect);
    if (hit == nullptr)
        paintText(painter, option.rect, index.row());
    else
        paintHit(painter, option.rect, *hit);
    painter->restore();
}

void FoundDelegate::paintText(QPainter *painter, const QRect &rect, int row) const {
    const SearchedText &text = m_rows.textAt(row);
    const int icon = m_look.px(14);
    m_look.icon(iconOf(text.kind), m_look.color("text.secondary"))
        .paint(painter, QRect(rect.left() + m_look.px(12), rect.center().y() - icon / 2 + 1, icon, icon));
    const int left = rect.left() + m_look.px(32);
    painter->setFont(m_look.font(TextRole::Small));
    const QString count = QLocale(QLocale::English).toString(m_rows.hitsOf(row));
    const int counted = painter->fontMetrics().horizontalAdvance(count) + m_look.px(12);
    painter->setPen(m_look.color("text.tertiary"));
    painter->drawText(QRect(rect.right() - counted, rect.top(), counted, rect.height()),
                      Qt::AlignVCenter | Qt::AlignLeft, count);
    painter->setFont(m_look.font(TextRole::Small, QFont::DemiBold));
    painter->setPen(m_look.color("text.primary"));
    const int room = rect.right() - counted - m_look.px(8) - left;
    painter->drawText(QRect(left, rect.top(), std::max(0, room), rect.height()),
                      Qt::AlignVCenter | Qt::AlignLeft,
                      painter->fontMetrics().elidedText(text.title, Qt::ElideMiddle, room));
}

void FoundDelegate::paintHit(QPainter *painter, const QRect &rect, const FoundHit &hit) const {
    painter->setFont(m_look.font(TextRole::Log));
    const QFontMetrics metrics = painter->fontMetrics();
    const int numbers = rect.left() + m_look.px(62);
    painter->setPen(m_look.color("text.tertiary"));
    painter->drawText(QRect(rect.left(), rect.top(), m_look.px(54), rect.height()),
                      Qt::AlignVCenter | Qt::AlignRight, QString::number(hit.line));
    int x = numbers + m_look.px(4);
    const int inset = m_look.px(3);
    const auto draw = [&](const QString &words, const char *ground, const char *ink, bool isStruck) {
        const QString shown = oneLine(words);
        const int width = metrics.horizontalAdvance(shown);
        if (ground != nullptr)
            painter->fillRect(x, rect.top() + inset, width, rect.height() - 2 * inset, m_look.color(ground));
        QFont font = m_look.font(TextRole::Log);
        font.setStrikeOut(isStruck);
        painter->setFont(font);
        painter->setPen(m_look.color(ink));
        painter->drawText(QRect(x, rect.top(), width + m_look.px(4), rect.height()),
                          Qt::AlignVCenter | Qt::AlignLeft, shown);
        if (ground != nullptr && !isStruck) // the colour is not the only sign
            painter->fillRect(x, rect.bottom() - inset, width, 1, m_look.color(ink));
        x += width;
    };
    const QString match = hit.words.mid(hit.start, hit.length);
    // Where there is little room the hit and what is around it are shown, not the beginning of its line.
    const int beside = rect.right() - m_look.px(8) - x -
                       metrics.horizontalAdvance(oneLine(match + hit.replacement.value_or(QString())));
    draw(wordsBefore(oneLine(hit.words.left(hit.start)), oneLine(hit.words.mid(hit.start + hit.length)),
                     beside, metrics),
         nullptr, "text.secondary", false);
    if (hit.replacement) {
        draw(match, "diff.delBg", "text.primary", true);
        draw(*hit.replacement, "diff.addBg", "text.primary", false);
    } else {
        draw(match, "verdictBg.inconclusive", "text.primary", false);
    }
    draw(metrics.elidedText(oneLine(hit.words.mid(hit.start + hit.length)), Qt::ElideRight,
                            std::max(0, rect.right() - m_look.px(4) - x)),
         nullptr, "text.secondary", false);
}

QSize FoundDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const {
    return {m_look.px(200), m_look.px(24)};
}

} // namespace warpwright
