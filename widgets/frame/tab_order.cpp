// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/tab_order.h"

#include <QScrollArea>
#include <QWidget>

#include <algorithm>

namespace warpwright {
namespace {

bool isStop(const QWidget &widget) {
    return (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget.focusProxy() == nullptr &&
           widget.isEnabled();
}

QList<QWidget *> partsOf(const QWidget &parent, const QWidget *also) {
    QList<QWidget *> parts;
    for (QObject *child : parent.children()) {
        auto *part = qobject_cast<QWidget *>(child);
        if (part == nullptr || part->isWindow())
            continue;
        const bool isSeen = part->isVisible() && !part->size().isEmpty();
        if (isSeen || (also != nullptr && (part == also || part->isAncestorOf(also))))
            parts << part;
    }
    return parts;
}

// Those that begin above the middle of a row's first one stand in its row. Rows are cut off one by one: "in
// the same row" is no order that a sort could use.
void sortAsRead(QList<QWidget *> &parts) {
    const auto isHigher = [](const QWidget *one, const QWidget *other) {
        return one->y() < other->y();
    };
    const auto isFurtherLeft = [](const QWidget *one, const QWidget *other) {
        return one->x() < other->x();
    };
    std::stable_sort(parts.begin(), parts.end(), isHigher);
    for (auto row = parts.begin(); row != parts.end();) {
        const int middle = (*row)->geometry().center().y();
        const auto end =
            std::find_if(row + 1, parts.end(), [middle](const QWidget *part) { return part->y() >= middle; });
        std::stable_sort(row, end, isFurtherLeft);
        row = end;
    }
}

void gather(const QWidget &parent, const QWidget *also, QList<QWidget *> &stops) {
    QList<QWidget *> parts = partsOf(parent, also);
    sortAsRead(parts);
    for (QWidget *part : parts) {
        if (part == also || (part->isVisible() && isStop(*part)))
            stops << part;
        gather(*part, also, stops);
    }
}

} // namespace

QList<QWidget *> tabStops(const QWidget &window, const QWidget *also) {
    QList<QWidget *> stops;
    gather(window, also, stops);
    return stops;
}

bool focusNextStop(QWidget &window, bool isForward) {
    QWidget *now = window.focusWidget();
    const QList<QWidget *> stops = tabStops(window, now);
    const qsizetype at = stops.indexOf(now);
    const qsizetype count = stops.size();
    if (count == 0 || (count == 1 && at == 0))
        return false;
    const qsizetype to = at < 0 ? (isForward ? 0 : count - 1) : (at + (isForward ? 1 : count - 1)) % count;
    QWidget *next = stops[to];
    next->setFocus(isForward ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    // A scroll area of Qt looks only after a focus that it had before.
    for (QWidget *outer = next->parentWidget(); outer != nullptr && outer != &window;
         outer = outer->parentWidget())
        if (auto *area = qobject_cast<QScrollArea *>(outer); area != nullptr)
            area->ensureWidgetVisible(next);
    return true;
}

} // namespace warpwright
