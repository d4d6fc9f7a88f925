// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tab_strip.h"

#include "widgets/house_style.h"
#include "widgets/look.h"

#include <QPainter>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int usualPadding = 10;
constexpr int leastPadding = 4;
constexpr int fewTabs = 12; ///< of more, closer ones are no help

} // namespace

TabStrip::TabStrip(const Look &look, QWidget *parent) : QTabBar(parent), m_look(look) {
    setDrawBase(false);
    setExpanding(false);
    setElideMode(Qt::ElideNone);
    setUsesScrollButtons(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    const auto restyle = [this] {
        setFont(m_look.font(TextRole::Small));
        update();
    };
    restyle();
    connect(&look, &Look::changed, this, restyle);
}

TabStrip::Mark TabStrip::markOf(int index) const {
    const QVariantList parts = tabData(index).toList();
    if (parts.size() != 3)
        return {};
    static const char *const tokens[] = {"text.secondary",   "verdict.pass",       "verdict.wrong",
                                         "verdict.rejected", "accent.text",        "verdict.inconclusive",
                                         "verdict.notRun",   "verdict.buildFailed"};
    Mark mark;
    mark.icon = parts[0].toString();
    for (const char *token : tokens)
        if (parts[1].toString() == QLatin1String(token))
            mark.token = token;
    mark.isDirty = parts[2].toBool();
    return mark;
}

void TabStrip::setMark(int index, const Mark &mark) {
    setTabData(index, QVariantList{mark.icon, QString::fromLatin1(mark.token), mark.isDirty});
    // A text set anew is what makes QTabBar lay itself out again.
    const QString text = tabText(index);
    setTabText(index, text + QLatin1Char(' '));
    setTabText(index, text);
}

void TabStrip::setTabMark(int index, const QString &iconName, const char *token) {
    Mark mark = markOf(index);
    if (mark.icon == iconName && qstrcmp(mark.token, token) == 0)
        return;
    mark.icon = iconName;
    mark.token = token;
    setMark(index, mark);
}

void TabStrip::setTabDirty(int index, bool isDirty) {
    Mark mark = markOf(index);
    if (mark.isDirty == isDirty)
        return;
    mark.isDirty = isDirty;
    setMark(index, mark);
}

int TabStrip::tabWidth(int index, int padding) const {
    const Mark mark = markOf(index);
    int width =
        QFontMetrics(m_look.font(TextRole::Small, QFont::DemiBold)).horizontalAdvance(tabText(index)) +
        2 * padding;
    if (!mark.icon.isEmpty())
        width += m_look.px(20);
    if (mark.isDirty)
        width += m_look.px(12);
    return width;
}

int TabStrip::widthWith(int padding) const {
    int sum = 0;
    for (int i = 0; i < count(); ++i)
        sum += tabWidth(i, padding);
    return sum;
}

int TabStrip::leastWidth() const {
    return widthWith(m_look.px(leastPadding));
}

int TabStrip::padding() const {
    if (count() == 0 || count() > fewTabs)
        return m_look.px(usualPadding);
    return std::clamp((width() - widthWith(0)) / (2 * count()), m_look.px(leastPadding),
                      m_look.px(usualPadding));
}

QSize TabStrip::sizeHint() const {
    return {widthWith(m_look.px(usualPadding)), QTabBar::sizeHint().height()};
}

QSize TabStrip::tabSizeHint(int index) const {
    return {tabWidth(index, padding()), m_look.px(31)};
}

QSize TabStrip::minimumTabSizeHint(int index) const {
    return tabSizeHint(index); // names stay whole; those that find no room are reached by the arrows
}

void TabStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const int padding = this->padding();
    for (int i = 0; i < count(); ++i) {
        const QRect rect = tabRect(i);
        const bool isCurrent = i == currentIndex();
        const bool isHovered = rect.contains(mapFromGlobal(QCursor::pos())) && underMouse();
        const Mark mark = markOf(i);
        if (isHovered && !isCurrent)
            painter.fillRect(rect, m_look.color("bg.hover"));
        int x = rect.left() + padding;
        const int icon = m_look.px(14);
        if (!mark.icon.isEmpty()) {
            m_look.icon(mark.icon, m_look.color(mark.token))
                .paint(&painter, QRect(x, rect.center().y() - icon / 2, icon, icon));
            x += m_look.px(20);
        }
        int right = rect.right() - padding;
        if (mark.isDirty) {
            const int dot = m_look.px(6);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_look.color("accent.text"));
            painter.drawEllipse(QRect(right - dot, rect.center().y() - dot / 2, dot, dot));
            right -= m_look.px(12);
        }
        painter.setFont(m_look.font(TextRole::Small, isCurrent ? QFont::Medium : QFont::Normal));
        painter.setPen(m_look.color(!isTabEnabled(i) ? "text.disabled"
                                    : isCurrent      ? "text.primary"
                                                     : "text.secondary"));
        painter.drawText(QRect(x, rect.top(), right - x + 2, rect.height()), Qt::AlignVCenter | Qt::AlignLeft,
                         tabText(i));
        if (isCurrent)
            painter.fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2),
                             m_look.color("accent.focus"));
        if (isCurrent && hasFocus())
            drawBox(&painter, rect.adjusted(2, 3, -2, -4), m_look.px(4), {}, m_look.color("accent.focus"), 2);
    }
}

} // namespace warpwright
