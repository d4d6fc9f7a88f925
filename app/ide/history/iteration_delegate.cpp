// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/history/iteration_delegate.h"

#include "app/ide/history/iteration_model.h"
#include "profiler_views/verdict_look.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/pace_text.h"
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QPainter>
#include <QSortFilterProxyModel>

namespace warpwright {
namespace {

constexpr int laneWidth = 12;
constexpr int firstLane = 14;

const char *iconOf(AuthorKind kind) {
    switch (kind) {
    case AuthorKind::You:
        return "person";
    case AuthorKind::Playbook:
        return "playbook";
    case AuthorKind::Model:
        return "model";
    case AuthorKind::Acp:
    case AuthorKind::Mcp:
        return "acp";
    case AuthorKind::Replay:
        return "replay";
    case AuthorKind::Script:
        return "file";
    }
    return "person";
}

// The speed-up above it is over an eager that each check measures anew: steps whose times fall may rise in
// it.
QString timeAndNoteOf(const IterationRecord &record, bool isAwaited) {
    // What a run has left of it comes first: there may be no room for more.
    const QString left = iterationMarkWords(record.mark);
    const QString note =
        left.isEmpty() ? noteOf(record) : QStringLiteral("%1; %2").arg(left, record.iteration.note);
    if (isAwaited || !record.latest || !record.latest->candidate || record.latest->verdict != Verdict::Pass ||
        record.latest->unexercised)
        return note;
    const ArmTiming &time = *record.latest->candidate;
    const QString text = timeScaleOf(time.medianMicroseconds, time.lowMicroseconds, time.highMicroseconds)
                             .text(time.medianMicroseconds);
    return note.isEmpty() ? text : QStringLiteral("%1 · %2").arg(text, note);
}

} // namespace

IterationDelegate::IterationDelegate(const Look &look, const IterationModel &model, QObject *parent)
    : QStyledItemDelegate(parent), m_look(look), m_model(model) {}

QSize IterationDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const {
    return {m_look.px(120), m_look.px(40)};
}

void IterationDelegate::paintLane(QPainter *painter, const QRect &rect, int row) const {
    const auto &lane = m_model.lane(row);
    const auto x = [&](int number) {
        return rect.left() + m_look.px(firstLane + std::min(number, 4) * laneWidth);
    };
    const int middle = rect.center().y();
    painter->setPen(QPen(m_look.color("border.strong"), 1));
    for (const int passing : lane.passing)
        painter->drawLine(x(passing), rect.top(), x(passing), rect.bottom());
    if (lane.hasParent && lane.parentLane == lane.own) {
        painter->drawLine(x(lane.own), rect.top(), x(lane.own), middle);
    } else if (lane.hasParent) {
        painter->drawLine(x(lane.parentLane), rect.top(), x(lane.own), middle);
    }
    if (lane.hasChildBelow)
        painter->drawLine(x(lane.own), middle, x(lane.own), rect.bottom());
}

// Dashed: it is not there yet, and may never be.
void IterationDelegate::paintGhost(QPainter *painter, const QRect &rect, const QModelIndex &source) const {
    const IterationModel::Ghost *ghost = m_model.ghostAt(source);
    if (ghost == nullptr)
        return;
    painter->save();
    paintLane(painter, rect, source.row());
    const int lane = std::min(m_model.lane(source.row()).own, 4);
    const int icon = m_look.px(14);
    const QRect iconRect(rect.left() + m_look.px(firstLane + lane * laneWidth) - icon / 2,
                         rect.center().y() - icon / 2, icon, icon);
    painter->fillRect(iconRect.adjusted(0, -1, 0, 1), m_look.color("bg.bar"));
    m_look.icon(QStringLiteral("pending"), m_look.color("accent.text")).paint(painter, iconRect);
    painter->setPen(QPen(m_look.color("accent.text"), 1, Qt::DashLine));
    painter->drawLine(rect.left(), rect.top(), rect.right(), rect.top());
    painter->drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom());
    const int x = rect.left() + std::max(m_look.px(firstLane + lane * laneWidth + 16), m_look.px(44));
    const int room = rect.right() - m_look.px(10) - x;
    painter->setFont(m_look.font(TextRole::Body, QFont::DemiBold));
    painter->setPen(m_look.color("accent.text"));
    const QRect first(x, rect.top() + m_look.px(3), room, m_look.px(18));
    painter->drawText(first, Qt::AlignVCenter | Qt::AlignLeft, ghost->title);
    const int used = painter->fontMetrics().horizontalAdvance(ghost->title) + m_look.px(6);
    painter->setFont(m_look.font(TextRole::Small));
    painter->setPen(m_look.color("text.secondary"));
    painter->drawText(first.adjusted(used, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, tr("proposed"));
    painter->drawText(QRect(x, rect.top() + m_look.px(20), room, m_look.px(16)),
                      Qt::AlignVCenter | Qt::AlignLeft,
                      painter->fontMetrics().elidedText(ghost->note, Qt::ElideRight, room));
    painter->restore();
}

void IterationDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                              const QModelIndex &index) const {
    const auto *proxy = qobject_cast<const QSortFilterProxyModel *>(index.model());
    const QModelIndex source = proxy != nullptr ? proxy->mapToSource(index) : index;
    const IterationRecord *record = m_model.record(source);
    if (record == nullptr)
        return paintGhost(painter, option.rect, source);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    const QRect rect = option.rect;
    const bool isSelected = (option.state & QStyle::State_Selected) != 0;
    if (isSelected)
        painter->fillRect(rect, m_look.color("bg.selected"));
    else if ((option.state & QStyle::State_MouseOver) != 0)
        painter->fillRect(rect, m_look.color("bg.hover"));
    if (isSelected)
        painter->fillRect(rect.left(), rect.top(), m_look.px(3), rect.height(), m_look.color("accent.focus"));
    paintLane(painter, rect, source.row());

    const auto &lane = m_model.lane(source.row());
    const Verdict verdict = record->latest ? record->latest->verdict : Verdict::NotRun;
    const bool isAwaited = m_model.isAwaited(*record);
    const bool isUnexercised = record->latest && record->latest->unexercised && verdict == Verdict::Pass;
    VerdictLook look = isUnexercised     ? lookOf(verdict, record->latest->unexercised)
                       : !record->latest ? notCheckedLook()
                                         : lookOf(verdict);
    if (isAwaited)
        look.icon = "running";
    const int icon = m_look.px(14);
    const int laneX = rect.left() + m_look.px(firstLane + std::min(lane.own, 4) * laneWidth);
    const QRect iconRect(laneX - icon / 2, rect.center().y() - icon / 2, icon, icon);
    painter->fillRect(iconRect.adjusted(0, -1, 0, 1), m_look.color(isSelected ? "bg.selected" : "bg.bar"));
    m_look.icon(QString::fromLatin1(look.icon), m_look.color(look.ink)).paint(painter, iconRect);

    int right = rect.right() - m_look.px(10);
    const int small = m_look.px(14);
    m_look.icon(QString::fromLatin1(iconOf(record->iteration.author.kind)))
        .paint(painter, QRect(right - small, rect.top() + m_look.px(5), small, small));
    right -= small + m_look.px(6);
    if (record->latest && record->latest->reward && *record->latest->reward > 0) {
        const int pip = m_look.px(5);
        for (int i = 2; i >= 0; --i) {
            right -= pip;
            const QRect box(right, rect.top() + m_look.px(10), pip, pip);
            if (i < *record->latest->reward)
                painter->fillRect(box, m_look.color(isUnexercised ? "border.strong" : "text.secondary"));
            else
                drawBox(painter, box, 0, {}, m_look.color("border.strong"));
            right -= m_look.px(2);
        }
        right -= m_look.px(4);
    }
    int x = rect.left() + m_look.px(firstLane + std::min(m_model.lane(source.row()).own, 4) * laneWidth + 16);
    x = std::max(x, rect.left() + m_look.px(44));
    const QRect first(x, rect.top() + m_look.px(3), std::max(0, right - x), m_look.px(18));
    painter->setPen(m_look.color("text.primary"));
    painter->setFont(m_look.font(TextRole::Body, QFont::DemiBold));
    const QString number = QString::number(record->iteration.number);
    painter->drawText(first, Qt::AlignVCenter | Qt::AlignLeft, number);
    int used = painter->fontMetrics().horizontalAdvance(number) + m_look.px(6);
    const QString headline = isAwaited ? tr("Running") : headlineOf(*record);
    const bool isPass = verdict == Verdict::Pass && !isUnexercised;
    if (!isPass) {
        painter->setFont(m_look.font(TextRole::Small));
        painter->setPen(m_look.color(look.ink));
    }
    // That it is the best is not left out for want of room: what it is faster than gives way.
    const bool isBest = m_model.best() == record->iteration.number;
    const int tagged =
        isBest ? QFontMetrics(m_look.font(TextRole::Axis, QFont::Medium)).horizontalAdvance(tr("best")) +
                     m_look.px(8) + m_look.px(6) + 1
               : 0;
    const QString shown = painter->fontMetrics().elidedText(headline, Qt::ElideRight,
                                                            std::max(0, first.width() - used - tagged));
    painter->drawText(first.adjusted(used, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, shown);
    used += painter->fontMetrics().horizontalAdvance(shown) + m_look.px(6);
    if (isBest) {
        painter->setFont(m_look.font(TextRole::Axis, QFont::Medium));
        // With the number that it is the best by where that is not the one before it: here, or where there
        // is room.
        const QString pace = paceText(*record->latest) == headline ? QString() : paceText(*record->latest);
        for (const QString &best : {pace.isEmpty() ? tr("best") : tr("best: %1").arg(pace), tr("best")}) {
            const QRect tag(first.left() + used, first.top() + m_look.px(2),
                            painter->fontMetrics().horizontalAdvance(best) + m_look.px(8), m_look.px(15));
            if (tag.right() >= right)
                continue;
            drawBox(painter, tag, m_look.px(3), {}, m_look.color("accent.text"));
            painter->setPen(m_look.color("accent.text"));
            painter->drawText(tag, Qt::AlignCenter, best);
            break;
        }
    }
    painter->setFont(m_look.font(TextRole::Small));
    painter->setPen(m_look.color("text.secondary"));
    if (record->mark == IterationMark::NotDecided) { // as a proposal is drawn that waits
        painter->setPen(QPen(m_look.color("border.strong"), 1, Qt::DashLine));
        painter->drawLine(rect.left(), rect.top(), rect.right(), rect.top());
        painter->drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom());
        painter->setPen(m_look.color("text.secondary"));
    }
    const QRect second(x, rect.top() + m_look.px(20), rect.right() - m_look.px(10) - x, m_look.px(16));
    painter->drawText(
        second, Qt::AlignVCenter | Qt::AlignLeft,
        painter->fontMetrics().elidedText(timeAndNoteOf(*record, isAwaited), Qt::ElideRight, second.width()));
    if ((option.state & QStyle::State_HasFocus) != 0 &&
        (option.state & QStyle::State_KeyboardFocusChange) != 0)
        drawBox(painter, rect, 0, {}, m_look.color("accent.focus"), 2);
    painter->restore();
}

} // namespace warpwright
