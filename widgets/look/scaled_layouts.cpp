// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/scaled_layouts.h"

#include "widgets/look/look.h"

#include <QBoxLayout>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace warpwright {
namespace {

constexpr int hairline = 2; ///< px: as thin as this a line stays

double unitOf(const Look &look) {
    return look.px(1000) / 1000.0;
}

} // namespace

ScaledLayouts::ScaledLayouts(const Look &look, QWidget &window)
    : QObject(&window), m_look(look), m_window(window), m_unit(unitOf(look)) {
    connect(&look, &Look::changed, this, &ScaledLayouts::follow);
}

// What they were at 96 dpi is a whole number, and is found again from what was made of it: nothing drifts
// while the text is not made smaller than usual, and by a pixel where it is.
void ScaledLayouts::follow() {
    const double unit = unitOf(m_look);
    const double before = std::exchange(m_unit, unit);
    if (unit == before)
        return;
    const auto anew = [this, before](int pixels) {
        return pixels <= hairline ? pixels : m_look.px(std::round(pixels / before));
    };
    const auto allAnew = [&anew](const QMargins &margins) {
        return QMargins(anew(margins.left()), anew(margins.top()), anew(margins.right()),
                        anew(margins.bottom()));
    };
    // All is read before any of it is set: a layout within another may take its gaps from there.
    std::vector<std::function<void()>> changes;
    for (QLayout *layout : m_window.findChildren<QLayout *>()) {
        if (layout->parentWidget() == nullptr || layout->parentWidget()->window() != m_window.window())
            continue; // a dialog's
        if (auto *box = qobject_cast<QBoxLayout *>(layout)) {
            changes.emplace_back([box, gap = anew(box->spacing())] { box->setSpacing(gap); });
        } else if (auto *grid = qobject_cast<QGridLayout *>(layout)) {
            changes.emplace_back(
                [grid, across = anew(grid->horizontalSpacing()), down = anew(grid->verticalSpacing())] {
                    grid->setHorizontalSpacing(across);
                    grid->setVerticalSpacing(down);
                });
        } else if (auto *form = qobject_cast<QFormLayout *>(layout)) {
            changes.emplace_back(
                [form, across = anew(form->horizontalSpacing()), down = anew(form->verticalSpacing())] {
                    form->setHorizontalSpacing(across);
                    form->setVerticalSpacing(down);
                });
        } else {
            continue;
        }
        changes.emplace_back(
            [layout, margins = allAnew(layout->contentsMargins())] { layout->setContentsMargins(margins); });
        for (int i = 0; i < layout->count(); ++i)
            if (QSpacerItem *gap = layout->itemAt(i)->spacerItem(); gap != nullptr) {
                const QSize size = gap->sizeHint();
                const QSizePolicy policy = gap->sizePolicy();
                gap->changeSize(anew(size.width()), anew(size.height()), policy.horizontalPolicy(),
                                policy.verticalPolicy());
            }
        changes.emplace_back([layout] { layout->invalidate(); });
    }
    for (QLabel *label : m_window.findChildren<QLabel *>())
        if (label->frameWidth() == 0 && label->window() == m_window.window())
            changes.emplace_back(
                [label, margins = allAnew(label->contentsMargins())] { label->setContentsMargins(margins); });
    for (const std::function<void()> &change : changes)
        change();
}

} // namespace warpwright
