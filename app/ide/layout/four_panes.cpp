// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/four_panes.h"

#include "widgets/frame/pane.h"
#include "widgets/look/look.h"

#include <QDataStream>
#include <QEvent>
#include <QIODevice>
#include <QMenu>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int leftShare = 41; // of 100
constexpr int topShare = 55;
constexpr int leastPaneHeight = 120; // px at 96 dpi, as a pane sets it itself
constexpr int topShareOfFew = 44;    // the text scrolls by lines; a chart of a few is none
constexpr int fewRows = 400;         // px at 96 dpi
constexpr quint32 stateVersion = 1;

} // namespace

FourPanes::FourPanes(const Look &look, const std::array<Pane *, 4> &panes, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_panes(panes),
      m_rows(new QSplitter(Qt::Vertical, this)),
      m_row{new QSplitter(Qt::Horizontal, this), new QSplitter(Qt::Horizontal, this)} {
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_rows);
    m_rows->setChildrenCollapsible(false);
    for (std::size_t i = 0; i < 2; ++i) {
        m_row[i]->setChildrenCollapsible(false);
        m_row[i]->addWidget(panes[2 * i]);
        m_row[i]->addWidget(panes[2 * i + 1]);
        m_rows->addWidget(m_row[i]);
    }
    for (QSplitter *splitter : {m_rows, m_row[0], m_row[1]}) {
        splitter->handle(1)->installEventFilter(this);
        connect(splitter, &QSplitter::splitterMoved, this, [this] { m_isUntouched = false; });
    }
    // Each pane sets its own least size anew at another scale; then there is less room, too.
    connect(&look, &Look::changed, this, [this] {
        fitPanes();
        if (m_isUntouched)
            applyShares();
    });
    for (int i = 0; i < 4; ++i) {
        Pane *pane = panes[static_cast<std::size_t>(i)];
        connect(pane, &Pane::headDoubleClicked, this, [this, i] { enlarge(i); });
        connect(pane, &Pane::headMenuAsked, this, [this, i](const QPoint &at) {
            auto *menu = new QMenu(this);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            connect(menu->addAction(m_enlarged == i ? tr("Restore") : tr("Maximize")), &QAction::triggered,
                    this, [this, i] { enlarge(i); });
            connect(menu->addAction(tr("Swap with its neighbour")), &QAction::triggered, this,
                    [this, i] { swapInRow(i); });
            connect(menu->addAction(tr("Swap upper and lower panes")), &QAction::triggered, this,
                    &FourPanes::swapRows);
            connect(menu->addAction(tr("Reset sizes")), &QAction::triggered, this, &FourPanes::resetSizes);
            menu->popup(at);
        });
    }
}

// In a window of 900 x 560 px with large text two panes of their usual least size would not fit beside or
// below each other, and a splitter hangs out rather than make one smaller.
void FourPanes::fitPanes() {
    const int halfWidth = std::max(0, (width() - m_row[0]->handleWidth()) / 2);
    // Less than a half of it: how the height is shared is decided elsewhere.
    const int lowest = std::max(0, 2 * (height() - m_rows->handleWidth()) / 5);
    for (Pane *pane : m_panes)
        pane->setMinimumSize(std::min(pane->leastWidth(), halfWidth),
                             std::min(m_look.px(leastPaneHeight), lowest));
}

void FourPanes::applyShares() {
    if (m_alone >= 0)
        return;
    int left = leftShare;
    int top = height() < m_look.px(fewRows) ? topShareOfFew : topShare;
    int leftBelow = leftShare;
    if (m_enlarged >= 0) {
        Pane *pane = m_panes[static_cast<std::size_t>(m_enlarged)];
        const bool isUpper =
            m_row[0]->indexOf(pane) >= 0 ? m_rows->indexOf(m_row[0]) == 0 : m_rows->indexOf(m_row[1]) == 0;
        QSplitter *row = m_row[0]->indexOf(pane) >= 0 ? m_row[0] : m_row[1];
        const bool isLeft = row->indexOf(pane) == 0;
        top = isUpper ? 70 : 28;
        (row == m_rows->widget(0) ? left : leftBelow) = isLeft ? 74 : 26;
    }
    const auto share = [](QSplitter *splitter, int first) {
        const int room = splitter->orientation() == Qt::Vertical ? splitter->height() : splitter->width();
        splitter->setSizes({room * first / 100, room - room * first / 100});
    };
    share(m_rows, top);
    share(qobject_cast<QSplitter *>(m_rows->widget(0)), left);
    share(qobject_cast<QSplitter *>(m_rows->widget(1)), leftBelow);
}

void FourPanes::showAlone(int index) {
    if (index == m_alone)
        return;
    if (m_alone < 0)
        m_beforeAlone = saveState();
    m_alone = index;
    for (int i = 0; i < 4; ++i)
        m_panes[static_cast<std::size_t>(i)]->setVisible(index < 0 || i == index);
    for (std::size_t row = 0; row < m_row.size(); ++row)
        m_row[row]->setVisible(index < 0 || static_cast<std::size_t>(index) / 2 == row);
    if (index >= 0)
        return;
    restoreState(std::exchange(m_beforeAlone, {}));
    if (m_isUntouched)
        applyShares();
}

void FourPanes::enlarge(int index) {
    m_enlarged = m_enlarged == index ? -1 : index;
    m_isUntouched = true;
    applyShares();
    if (m_enlarged >= 0)
        m_panes[static_cast<std::size_t>(index)]->setFocus();
}

void FourPanes::resetSizes() {
    m_enlarged = -1;
    m_isUntouched = true;
    if (m_rows->indexOf(m_row[0]) != 0)
        swapRows();
    for (std::size_t i = 0; i < 2; ++i)
        if (m_row[i]->indexOf(m_panes[2 * i]) != 0)
            swapInRow(static_cast<int>(2 * i));
    applyShares();
}

void FourPanes::swapRows() {
    const QList<int> sizes = m_rows->sizes();
    m_rows->insertWidget(0, m_rows->widget(1));
    m_rows->setSizes(sizes);
}

void FourPanes::swapInRow(int index) {
    QSplitter *row = m_row[static_cast<std::size_t>(index) / 2];
    const QList<int> sizes = row->sizes();
    row->insertWidget(0, row->widget(1));
    row->setSizes({sizes.value(0), sizes.value(1)});
}

QByteArray FourPanes::saveState() const {
    if (m_alone >= 0)
        return m_beforeAlone;
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << stateVersion << m_isUntouched << m_enlarged << (m_rows->indexOf(m_row[0]) != 0)
        << (m_row[0]->indexOf(m_panes[0]) != 0) << (m_row[1]->indexOf(m_panes[2]) != 0) << m_rows->saveState()
        << m_row[0]->saveState() << m_row[1]->saveState();
    return bytes;
}

void FourPanes::restoreState(const QByteArray &state) {
    QDataStream in(state);
    quint32 version = 0;
    bool isUntouched = true, rowsAreSwapped = false, firstIsSwapped = false, secondIsSwapped = false;
    int enlarged = -1;
    QByteArray rows, first, second;
    in >> version >> isUntouched >> enlarged >> rowsAreSwapped >> firstIsSwapped >> secondIsSwapped >> rows >>
        first >> second;
    if (in.status() != QDataStream::Ok || version != stateVersion)
        return;
    if (rowsAreSwapped != (m_rows->indexOf(m_row[0]) != 0))
        swapRows();
    if (firstIsSwapped != (m_row[0]->indexOf(m_panes[0]) != 0))
        swapInRow(0);
    if (secondIsSwapped != (m_row[1]->indexOf(m_panes[2]) != 0))
        swapInRow(2);
    m_isUntouched = isUntouched;
    m_enlarged = enlarged >= -1 && enlarged < 4 ? enlarged : -1;
    if (!isUntouched) {
        m_rows->restoreState(rows);
        m_row[0]->restoreState(first);
        m_row[1]->restoreState(second);
    }
}

void FourPanes::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    fitPanes();
    m_rows->setGeometry(rect());
    if (m_isUntouched)
        applyShares();
}

bool FourPanes::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::MouseButtonDblClick) {
        resetSizes();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace warpwright
