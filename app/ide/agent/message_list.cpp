// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/message_list.h"

#include "app/ide/agent/agent_event_model.h"
#include "widgets/look/look.h"

#include <QApplication>
#include <QClipboard>
#include <QFocusEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int settleAfterMs = 16;  // words of a stream come faster than they can be read
constexpr int readsForMs = 10'000; // after the wheel was turned
constexpr int keptFar = 40;        // rows beyond the view that stay laid out

} // namespace

MessageList::MessageList(const Look &look, AgentEventModel &model, QWidget *parent)
    : QAbstractScrollArea(parent), m_look(look), m_model(model) {
    setObjectName(QStringLiteral("messageList"));
    setAccessibleName(tr("Messages"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    verticalScrollBar()->setProperty("ground", QStringLiteral("bg.bar"));
    // Words of the tail would take the viewport's Base for their ground, and Text for their colour.
    viewport()->setBackgroundRole(QPalette::Window);
    m_settling.setSingleShot(true);
    m_settling.setInterval(settleAfterMs);
    connect(&m_settling, &QTimer::timeout, this, &MessageList::settle);
    const auto later = [this] {
        if (!m_settling.isActive())
            m_settling.start();
    };
    connect(&model, &QAbstractItemModel::modelReset, this, &MessageList::reset);
    connect(&model, &QAbstractItemModel::rowsInserted, this,
            [this, later](const QModelIndex &, int first, int last) {
                for (int row = first; row <= last; ++row) {
                    m_rows.emplace_back();
                    m_rows.back().height = guess(m_model.event(row));
                }
                later();
            });
    connect(&model, &QAbstractItemModel::dataChanged, this,
            [this, later](const QModelIndex &from, const QModelIndex &to) {
                for (int at = from.row(); at <= to.row(); ++at)
                    m_rows[static_cast<std::size_t>(at)].isMeasured = false;
                later();
            });
    connect(&look, &Look::changed, this, &MessageList::forgetLayout);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) { reveal(now); });
    reset();
}

MessageList::~MessageList() = default;

QSize MessageList::minimumSizeHint() const {
    return {m_look.px(200), m_look.px(80)};
}

void MessageList::reset() {
    m_rows.clear();
    for (int row = 0; row < m_model.rowCount(); ++row) {
        m_rows.emplace_back();
        m_rows.back().height = guess(m_model.event(row));
    }
    m_current = -1;
    m_followsEnd = true;
    settle();
}

void MessageList::forgetLayout() {
    for (std::size_t at = 0; at < m_rows.size(); ++at) {
        m_rows[at].laid.reset();
        m_rows[at].isMeasured = false;
        m_rows[at].height = guess(m_model.event(static_cast<int>(at)));
    }
    settle();
}

// Good enough for the scroll bar; what comes into view is measured.
int MessageList::guess(const AgentEvent &event) const {
    if (event.kind == AgentEvent::Tool)
        return MessageRow::toolHeight(m_look);
    if (event.text.isEmpty() && !event.thought.isEmpty())
        return MessageRow::toolHeight(m_look);
    const int width = std::max(m_look.px(120), viewport()->width() - m_look.px(24));
    const int letters = std::max(1, width / std::max(1, m_look.px(6.5)));
    const auto lines = event.text.size() / letters + event.text.count(u'\n') + 1;
    return m_look.px(36) + static_cast<int>(lines) * m_look.px(18);
}

bool MessageList::measure(int at) {
    Row &row = m_rows[static_cast<std::size_t>(at)];
    if (row.laid != nullptr && row.isMeasured)
        return false;
    if (row.laid != nullptr)
        row.laid->take(m_model.event(at), row.isOpen);
    else
        row.laid = std::make_unique<MessageRow>(m_look, m_model.event(at), viewport()->width(), row.isOpen);
    row.isMeasured = true;
    ++m_laidOut;
    const bool isOther = row.height != row.laid->height();
    row.height = row.laid->height();
    return isOther;
}

void MessageList::sum() {
    m_tops.resize(m_rows.size() + 1);
    int top = m_look.px(4);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        m_tops[row] = top;
        top += m_rows[row].height;
    }
    m_tops.back() = top;
}

int MessageList::rowAt(int y) const {
    const auto found = std::upper_bound(m_tops.begin(), m_tops.end() - 1, y);
    return std::max(0, static_cast<int>(found - m_tops.begin()) - 1);
}

int MessageList::tailHeight() const {
    if (m_tail == nullptr || m_tail->isHidden())
        return 0;
    const int width = viewport()->width();
    const QSize hint = m_tail->sizeHint();
    return m_tail->hasHeightForWidth() ? m_tail->heightForWidth(width) : hint.height();
}

/// Measures what is in view, keeps the topmost row where it is, and sets the scroll bar.
void MessageList::settle() {
    if (m_isSettling)
        return;
    m_isSettling = true;
    QScrollBar &bar = *verticalScrollBar();
    const int height = viewport()->height();
    const int tail = tailHeight();
    int anchor = 0;
    int into = 0;
    if (!m_followsEnd && m_tops.size() > 1) {
        anchor = std::min(rowAt(bar.value()), static_cast<int>(m_rows.size()) - 1);
        into = bar.value() - m_tops[static_cast<std::size_t>(std::max(0, anchor))];
    }
    int first = 0;
    int last = -1;
    for (int round = 0; round < 8; ++round) {
        sum();
        const int most = std::max(0, m_tops.back() + tail + m_look.px(8) - height);
        int value = most;
        if (!m_followsEnd)
            value = std::clamp(m_rows.empty() ? 0 : m_tops[static_cast<std::size_t>(anchor)] + into, 0, most);
        bar.setRange(0, most);
        bar.setPageStep(height);
        bar.setSingleStep(m_look.px(24));
        bar.setValue(value);
        if (m_rows.empty())
            break;
        bool isSettled = true;
        first = rowAt(value);
        last = std::min(rowAt(value + height), static_cast<int>(m_rows.size()) - 1);
        for (int row = first; row <= last; ++row)
            isSettled = !measure(row) && isSettled;
        if (isSettled)
            break;
    }
    dropFar(first, last);
    if (m_tail != nullptr)
        m_tail->setGeometry(0, m_tops.back() + m_look.px(8) - bar.value(), viewport()->width(), tail);
    viewport()->update();
    m_isSettling = false;
}

void MessageList::dropFar(int first, int last) {
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        if (row < first - keptFar || row > last + keptFar)
            m_rows[static_cast<std::size_t>(row)].laid.reset();
}

void MessageList::setTail(QWidget *tail) {
    m_tail = tail;
    tail->setParent(viewport());
    tail->show();
    settle();
}

// Tab may lead to a part of the tail that is out of sight.
void MessageList::reveal(const QWidget *part) {
    if (part == nullptr || m_tail == nullptr || !m_tail->isAncestorOf(part))
        return;
    const int top = part->mapTo(viewport(), QPoint(0, 0)).y() - m_look.px(4);
    const int bottom = top + part->height() + m_look.px(8);
    QScrollBar &bar = *verticalScrollBar();
    if (top < 0)
        bar.setValue(bar.value() + top);
    else if (bottom > viewport()->height())
        bar.setValue(bar.value() + std::min(top, bottom - viewport()->height()));
}

void MessageList::refit() {
    settle();
}

bool MessageList::isAtEnd() const {
    return m_followsEnd;
}

void MessageList::goToEnd() {
    m_followsEnd = true;
    settle();
}

void MessageList::goToLast() {
    m_followsEnd = true;
    settle();
    QScrollBar &bar = *verticalScrollBar();
    if (m_rows.empty())
        return;
    measure(static_cast<int>(m_rows.size()) - 1);
    settle();
    const int top = m_tops[m_rows.size() - 1];
    if (top < bar.value())
        bar.setValue(top);
    m_scrolled.invalidate();
}

void MessageList::showInTail(const QWidget *from, const QWidget *part) {
    settle();
    const int height = viewport()->height();
    const int top = from->mapTo(viewport(), QPoint(0, 0)).y();
    const int bottom = part->mapTo(viewport(), QPoint(0, part->height())).y() + m_look.px(8);
    QScrollBar &bar = *verticalScrollBar();
    if (bottom - top > height)
        bar.setValue(bar.value() + bottom - height);
    else if (top < 0)
        bar.setValue(bar.value() + top);
    else if (bottom > height)
        bar.setValue(bar.value() + bottom - height);
    m_scrolled.invalidate();
}

bool MessageList::isBeingRead() const {
    return !m_followsEnd && (hasFocus() || (m_scrolled.isValid() && m_scrolled.elapsed() < readsForMs));
}

void MessageList::scrollContentsBy(int, int) {
    if (m_isSettling)
        return;
    m_scrolled.start();
    m_followsEnd = verticalScrollBar()->value() >= verticalScrollBar()->maximum();
    settle();
}

void MessageList::resizeEvent(QResizeEvent *event) {
    if (event->oldSize().width() != event->size().width())
        forgetLayout();
    else
        settle();
}

void MessageList::paintEvent(QPaintEvent *event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_look.color("bg.bar"));
    if (m_rows.empty())
        return;
    const int value = verticalScrollBar()->value();
    const int last = std::min(rowAt(value + viewport()->height()), static_cast<int>(m_rows.size()) - 1);
    for (int at = rowAt(value); at <= last; ++at) {
        const Row &row = m_rows[static_cast<std::size_t>(at)];
        if (row.laid != nullptr)
            row.laid->paint(painter, m_model.event(at), m_tops[static_cast<std::size_t>(at)] - value,
                            row.isOpen, at == m_current && m_showsFocus && hasFocus());
    }
}

void MessageList::toggle(int at) {
    if (m_model.event(at).foldedText().isEmpty())
        return;
    Row &row = m_rows[static_cast<std::size_t>(at)];
    row.isOpen = !row.isOpen;
    row.isMeasured = false;
    m_followsEnd = false; // what was pressed stays under the mouse
    settle();
}

void MessageList::mousePressEvent(QMouseEvent *event) {
    const int y = static_cast<int>(event->position().y()) + verticalScrollBar()->value();
    if (event->button() != Qt::LeftButton || m_rows.empty() || y >= m_tops.back() || y < m_tops.front())
        return;
    m_showsFocus = false;
    const int at = rowAt(y);
    m_current = at;
    const Row &row = m_rows[static_cast<std::size_t>(at)];
    const int top = m_tops[static_cast<std::size_t>(at)];
    const QString link =
        row.laid == nullptr ? QString() : row.laid->linkAt({event->position().x(), double(y - top)});
    if (!link.isEmpty())
        emit linkActivated(link);
    else if (row.laid != nullptr && row.laid->isFoldAt(y - top))
        toggle(at);
}

void MessageList::copy(const AgentEvent &event) const {
    QApplication::clipboard()->setText(event.text.isEmpty() ? event.thinking : event.text);
}

void MessageList::setCurrent(int row) {
    m_current = std::clamp(row, 0, static_cast<int>(m_rows.size()) - 1);
    m_showsFocus = true;
    measure(m_current);
    sum();
    QScrollBar &bar = *verticalScrollBar();
    const int top = m_tops[static_cast<std::size_t>(m_current)];
    const int bottom = m_tops[static_cast<std::size_t>(m_current) + 1];
    if (top < bar.value())
        bar.setValue(top);
    else if (bottom > bar.value() + viewport()->height())
        bar.setValue(std::min(top, bottom - viewport()->height()));
    setAccessibleDescription(m_model.index(m_current).data().toString());
    viewport()->update();
}

void MessageList::showRow(int at) {
    if (at < 0 || at >= static_cast<int>(m_rows.size()))
        return;
    Row &row = m_rows[static_cast<std::size_t>(at)];
    if (!row.isOpen && !m_model.event(at).foldedText().isEmpty()) {
        row.isOpen = true;
        row.isMeasured = false;
    }
    m_followsEnd = false;
    settle();
    setCurrent(at);
}

void MessageList::keyPressEvent(QKeyEvent *event) {
    if (m_rows.empty())
        return QAbstractScrollArea::keyPressEvent(event);
    const int last = static_cast<int>(m_rows.size()) - 1;
    if (event->matches(QKeySequence::Copy) && m_current >= 0)
        return copy(m_model.event(m_current));
    switch (event->key()) {
    case Qt::Key_Up:
        return setCurrent(m_current < 0 ? last : m_current - 1);
    case Qt::Key_Down:
        return setCurrent(m_current < 0 ? last : m_current + 1);
    case Qt::Key_Home:
        return setCurrent(0);
    case Qt::Key_End:
        m_current = last;
        return goToEnd();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current >= 0)
            toggle(m_current);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void MessageList::focusInEvent(QFocusEvent *event) {
    m_showsFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (m_current < 0 && m_showsFocus && !m_rows.empty())
        m_current = static_cast<int>(m_rows.size()) - 1;
    viewport()->update();
}

void MessageList::focusOutEvent(QFocusEvent *) {
    viewport()->update();
}

} // namespace warpwright
