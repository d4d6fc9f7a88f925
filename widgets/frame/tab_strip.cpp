// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/tab_strip.h"

#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <limits>
#include <utility>

namespace warpwright {
namespace {

constexpr int usualPadding = 10;
constexpr int leastPadding = 4;
constexpr int fewTabs = 12;  ///< of more, closer ones are no help
constexpr int leastTab = 56; ///< of one that yields: it can still be hit

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
    if (parts.size() != 4)
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
    mark.words = parts[3].toString();
    return mark;
}

void TabStrip::setMark(int index, const Mark &mark) {
    setTabData(index, QVariantList{mark.icon, QString::fromLatin1(mark.token), mark.isDirty, mark.words});
    layOut();
}

// A text set anew is what makes QTabBar lay itself out again.
void TabStrip::layOut() {
    if (count() == 0)
        return;
    const QString text = tabText(0);
    setTabText(0, text + QLatin1Char(' '));
    setTabText(0, text);
}

void TabStrip::setTabMark(int index, const QString &iconName, const char *token, const QString &words) {
    Mark mark = markOf(index);
    if (mark.icon == iconName && qstrcmp(mark.token, token) == 0 && mark.words == words)
        return;
    mark.words = words;
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
    return nameOf(index).whole + 2 * padding + besideText(markOf(index));
}

int TabStrip::besideText(const Mark &mark) const {
    return (mark.icon.isEmpty() ? 0 : m_look.px(20)) + (mark.isDirty ? m_look.px(12) : 0);
}

// Asked for each tab of each layout, by each of the others: nothing is measured twice.
const TabStrip::Name &TabStrip::nameOf(int index) const {
    bool isKnown = m_measuredAt == m_look.scale() && m_names.size() == static_cast<std::size_t>(count());
    for (int i = 0; isKnown && i < count(); ++i)
        isKnown = m_names[static_cast<std::size_t>(i)].text == tabText(i);
    if (!isKnown) {
        QStringList names;
        for (int i = 0; i < count(); ++i)
            names << tabText(i);
        const std::vector<TellingName> telling =
            m_othersYield ? tellingNames(names) : std::vector<TellingName>(static_cast<std::size_t>(count()));
        const QFontMetrics metrics(m_look.font(TextRole::Small, QFont::DemiBold));
        m_names.clear();
        for (int i = 0; i < count(); ++i) {
            const TellingName &least = telling[static_cast<std::size_t>(i)];
            m_names.push_back({names[i], least, metrics.horizontalAdvance(names[i]),
                               metrics.horizontalAdvance(shortenedName(names[i], least, metrics, 0))});
        }
        m_measuredAt = m_look.scale();
    }
    return m_names[static_cast<std::size_t>(index)];
}

int TabStrip::leastOfOther(int index) const {
    const int padding = closestPadding();
    return std::min(
        tabWidth(index, padding),
        std::max(m_look.px(leastTab), nameOf(index).shortest + 2 * padding + besideText(markOf(index))));
}

QString TabStrip::shownText(int index) const {
    const bool isCurrent = index == currentIndex();
    const QFontMetrics metrics(m_look.font(TextRole::Small, isCurrent ? QFont::Medium : QFont::Normal));
    const int room = tabRect(index).width() - 2 * padding() - besideText(markOf(index)) + 2;
    return m_othersYield ? shortenedName(tabText(index), nameOf(index).telling, metrics, room)
                         : metrics.elidedText(tabText(index), Qt::ElideMiddle, room);
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

int TabStrip::leastWidthOf(int index) const {
    return tabWidth(index, closestPadding());
}

int TabStrip::closestPadding() const {
    return m_look.px(count() > fewTabs ? usualPadding : leastPadding);
}

void TabStrip::setOthersYield() {
    m_othersYield = true;
    m_names.clear(); // they are to be told apart from now on
    connect(this, &QTabBar::currentChanged, this, &TabStrip::layOut);
    layOut();
}

int TabStrip::mostOfOthers() const {
    const int padding = closestPadding();
    if (!m_othersYield || widthWith(padding) <= width())
        return std::numeric_limits<int>::max();
    int room = width();
    std::vector<std::pair<int, int>> ranges; // what each may be narrowed to, and what it would like
    for (int i = 0; i < count(); ++i) {
        if (i == currentIndex())
            room -= tabWidth(i, padding);
        else
            ranges.emplace_back(leastOfOther(i), tabWidth(i, padding));
    }
    // The narrow ones stay as they are, and what they leave goes to the others.
    int fits = 0;
    int tooWide = width();
    while (tooWide - fits > 1) {
        const int most = (fits + tooWide) / 2;
        int sum = 0;
        for (const auto &[least, whole] : ranges)
            sum += std::clamp(most, least, whole);
        (sum <= room ? fits : tooWide) = most;
    }
    return fits;
}

void TabStrip::tabLayoutChange() {
    QTabBar::tabLayoutChange();
    const bool isCrowded = count() > 0 && leastWidth() > width();
    if (std::exchange(m_isCrowded, isCrowded) != isCrowded)
        emit crowdedChanged(isCrowded);
    emit laidOut();
}

bool TabStrip::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QTabBar::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int index = tabAt(help->pos());
    const Mark mark = markOf(index);
    QStringList lines;
    for (const QString &line : {tabToolTip(index), mark.isDirty ? tr("not saved") : QString(), mark.words})
        if (!line.isEmpty())
            lines << line;
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this, tabRect(index));
    return true;
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
    const int width = tabWidth(index, padding());
    if (!m_othersYield || index == currentIndex())
        return {width, m_look.px(31)};
    return {std::min(width, std::max(mostOfOthers(), leastOfOther(index))), m_look.px(31)};
}

QSize TabStrip::minimumTabSizeHint(int index) const {
    return tabSizeHint(index); // names stay whole; those that find no room are reached by the arrows
}

void TabStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const int padding = this->padding();
    int end = width();
    for (const QToolButton *arrow : findChildren<QToolButton *>(QString(), Qt::FindDirectChildrenOnly))
        if (arrow->isVisible())
            end = std::min(end, arrow->x());
    for (int i = 0; i < count(); ++i) {
        if (!isTabVisible(i))
            continue; // it has no place, and its icon would lie at the beginning
        const QRect rect = tabRect(i);
        const bool isCurrent = i == currentIndex();
        const bool isHovered = rect.contains(mapFromGlobal(QCursor::pos())) && underMouse();
        const Mark mark = markOf(i);
        if (isHovered && !isCurrent)
            painter.fillRect(rect, m_look.color("bg.hover"));
        // A few letters of a name at an edge are no name: the arrows bring it whole.
        if (!isCurrent && (rect.left() + padding < 0 || rect.right() - padding > end))
            continue;
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
                         shownText(i));
        if (isCurrent)
            painter.fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2),
                             m_look.color("accent.focus"));
        if (isCurrent && hasFocus())
            drawBox(&painter, rect.adjusted(2, 3, -2, -4), m_look.px(4), {}, m_look.color("accent.focus"), 2);
    }
}

} // namespace warpwright
