// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/review/hunk_bar.h"

#include "widgets/frame/action_button.h"
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int pad = 12;
constexpr int mostBlocks = 40; // a strip of more says nothing

int countOf(const std::vector<ShownHunk> &hunks, ShownHunk::State state) {
    return static_cast<int>(std::count_if(hunks.begin(), hunks.end(),
                                          [state](const ShownHunk &hunk) { return hunk.state == state; }));
}

} // namespace

QString reviewProgress(const std::vector<ShownHunk> &hunks, int current, bool isShort) {
    const auto found = std::find_if(hunks.begin(), hunks.end(),
                                    [current](const ShownHunk &hunk) { return hunk.id == current; });
    QStringList words;
    if (found == hunks.end())
        words << (hunks.size() == 1 ? HunkBar::tr("1 hunk") : HunkBar::tr("%1 hunks").arg(hunks.size()));
    else
        words << HunkBar::tr("hunk %1 of %2").arg(found - hunks.begin() + 1).arg(hunks.size());
    const auto say = [&](int count, const QString &word) {
        if (count > 0)
            words << QStringLiteral("%1 %2").arg(count).arg(word);
    };
    say(countOf(hunks, ShownHunk::Accepted), HunkBar::tr("accepted"));
    say(countOf(hunks, ShownHunk::Rejected), HunkBar::tr("rejected"));
    const auto untouched = static_cast<int>(
        std::count_if(hunks.begin(), hunks.end(), [](const auto &hunk) { return hunk.isUntouched; }));
    say(countOf(hunks, ShownHunk::Edited) - untouched, HunkBar::tr("edited"));
    const auto left =
        untouched + std::count_if(hunks.begin(), hunks.end(), [](const auto &hunk) { return hunk.isLeft(); });
    words << HunkBar::tr("%1 left").arg(left);
    if (isShort)
        words = {words.front(), words.back()};
    return words.join(QStringLiteral(", "));
}

HunkBar::HunkBar(const Look &look, const HunkActions &actions, QWidget *parent)
    : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("hunkBar"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto add = [this](QAction *action, const char *name, const char *icon, const QString &text) {
        auto *button = new ActionButton(m_look, ActionButton::Kind::Plain, this);
        button->setObjectName(QLatin1String(name));
        button->setSmall(true);
        button->setIconName(QLatin1String(icon));
        button->setProperty("words", text);
        button->setProperty("iconWord", QLatin1String(icon));
        button->setAction(action, false);
        m_buttons.push_back(button);
        return button;
    };
    add(actions.previous, "previousHunkButton", "prev", {});
    add(actions.next, "nextHunkButton", "next", {});
    m_acceptRest = add(actions.acceptRest, "acceptRestButton", "accept", tr("Accept rest"));
    m_rejectRest = add(actions.rejectRest, "rejectRestButton", "reject", tr("Reject rest"));
    m_goOn = add(actions.goOn, "goOnButton", "run", tr("Apply and go on"));
    add(actions.undo, "undoHunkButton", "undo", {});
    connect(actions.goOn, &QAction::changed, this, &HunkBar::sayGoOn); // whose name is another
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        layOut();
    });
    hide();
}

void HunkBar::setReview(const QString &name, const std::vector<ShownHunk> &hunks, int current) {
    m_name = name;
    m_hunks = hunks;
    m_current = current;
    m_progress = reviewProgress(hunks, current);
    const auto is = [&hunks](const auto &test) {
        return !hunks.empty() && std::all_of(hunks.begin(), hunks.end(), test);
    };
    m_isAnswered = is([](const ShownHunk &hunk) { return !hunk.isLeft() && !hunk.isUntouched; });
    const bool takesNone = is([](const ShownHunk &hunk) { return hunk.state == ShownHunk::Rejected; });
    m_goOn->setProperty("words", takesNone ? tr("Go on") : tr("Apply and go on"));
    sayGoOn();
    for (ActionButton *button : {m_acceptRest, m_rejectRest, m_goOn})
        button->setVisible(isOffered(button));
    setAccessibleName(name + QStringLiteral(", ") + m_progress);
    layOut();
    setVisible(!hunks.empty());
}

bool HunkBar::isOffered(const ActionButton *button) const {
    return button == m_goOn                                   ? m_isAnswered
           : button == m_acceptRest || button == m_rejectRest ? !m_isAnswered
                                                              : true;
}

void HunkBar::sayGoOn() {
    m_goOn->setAccessibleName(m_goOn->property("words").toString());
}

QSize HunkBar::sizeHint() const {
    return {m_look.px(280), m_look.px(40)};
}

void HunkBar::layOut() {
    const QFontMetrics strong(m_look.font(TextRole::Body, QFont::DemiBold));
    const QFontMetrics plain(m_look.font(TextRole::Small));
    const auto wordsWidth = [&](bool hasName) {
        return m_look.px(pad) + (hasName ? strong.horizontalAdvance(m_name) + m_look.px(8) : 0) +
               plain.horizontalAdvance(m_shown) + m_look.px(12);
    };
    m_shown = m_progress;
    m_showsName = true;
    const int count = std::min(static_cast<int>(m_hunks.size()), mostBlocks);
    m_blockWidth = m_look.px(count > 12 ? 6 : 12);
    const int strip = m_hunks.size() > mostBlocks ? 0 : count * (m_blockWidth + m_look.px(2));
    int buttons = 0;
    const auto sizeButtons = [&](bool hasWords) {
        buttons = 0;
        for (ActionButton *button : m_buttons) {
            const QString text = button->property("words").toString();
            button->setText(hasWords ? text : QString());
            button->setIconName(text.isEmpty() || !hasWords ? button->property("iconWord").toString()
                                                            : QString());
            button->resize(button->sizeHint());
            buttons += isOffered(button) ? button->width() + m_look.px(6) : 0;
        }
    };
    // First the strip leaves, then the counts, then the name, which the agent's pane has too: a mark alone
    // beside the arrows would be taken for an answer to the hunk at hand.
    sizeButtons(true);
    if (wordsWidth(true) + buttons > width())
        m_shown = reviewProgress(m_hunks, m_current, true);
    m_showsName = wordsWidth(true) + buttons <= width();
    if (wordsWidth(m_showsName) + buttons > width()) {
        sizeButtons(false);
        m_showsName = wordsWidth(true) + buttons <= width();
    }
    const int words = wordsWidth(m_showsName);
    m_wordsRight = width() - buttons - m_look.px(8);
    m_stripLeft = words + strip <= m_wordsRight && strip > 0 ? words : -1;
    int x = width() - m_look.px(pad) + m_look.px(6) - buttons;
    for (ActionButton *button : m_buttons) {
        button->move(x, (height() - button->height()) / 2);
        x += isOffered(button) ? button->width() + m_look.px(6) : 0;
    }
    update();
}

void HunkBar::resizeEvent(QResizeEvent *) {
    layOut();
}

QRect HunkBar::blockRect(std::size_t index) const {
    const int tall = m_look.px(7);
    return {m_stripLeft + static_cast<int>(index) * (m_blockWidth + m_look.px(2)), (height() - tall) / 2,
            m_blockWidth, tall};
}

int HunkBar::blockAt(const QPoint &point) const {
    if (m_stripLeft < 0)
        return -1;
    for (std::size_t i = 0; i < m_hunks.size(); ++i)
        if (blockRect(i).adjusted(-1, -m_look.px(9), 1, m_look.px(9)).contains(point))
            return static_cast<int>(i);
    return -1;
}

void HunkBar::mousePressEvent(QMouseEvent *event) {
    if (const int block = blockAt(event->pos()); block >= 0)
        emit hunkPicked(m_hunks[static_cast<std::size_t>(block)].id);
}

bool HunkBar::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const int block = blockAt(help->pos()); block >= 0) {
        const ShownHunk &hunk = m_hunks[static_cast<std::size_t>(block)];
        const QString word = lookOf(hunk, false).word;
        QToolTip::showText(help->globalPos(),
                           tr("Hunk %1: %2").arg(hunk.number).arg(hunk.title) +
                               (word.isEmpty() ? QString() : QStringLiteral(", ") + word),
                           this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

// Decided ones are filled, those that are left have an edge only; the current one is taller.
void HunkBar::paintBlock(QPainter &painter, std::size_t index) const {
    const ShownHunk &hunk = m_hunks[index];
    const bool isCurrent = hunk.id == m_current;
    QRect rect = blockRect(index);
    if (isCurrent)
        rect.adjust(0, -m_look.px(2), 0, m_look.px(2));
    const QColor ink = m_look.color(isCurrent && hunk.isLeft() ? "accent.focus" : lookOf(hunk, false).ink);
    drawBox(&painter, rect, 1, hunk.isLeft() && !isCurrent ? QColor() : ink, ink);
}

void HunkBar::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
    int x = m_look.px(pad);
    const auto word = [&](const QString &text, const QFont &font, const char *token, int gap) {
        painter.setFont(font);
        painter.setPen(m_look.color(token));
        const int room = std::max(0, m_wordsRight - x);
        const QString shown = painter.fontMetrics().elidedText(text, Qt::ElideRight, room);
        painter.drawText(QRect(x, 0, room, height()), Qt::AlignVCenter | Qt::AlignLeft, shown);
        x += painter.fontMetrics().horizontalAdvance(shown) + gap;
    };
    if (m_showsName)
        word(m_name, m_look.font(TextRole::Body, QFont::DemiBold), "text.primary", m_look.px(8));
    word(m_shown, m_look.font(TextRole::Small), "text.secondary", 0);
    for (std::size_t i = 0; m_stripLeft >= 0 && i < m_hunks.size(); ++i)
        paintBlock(painter, i);
}

} // namespace warpwright
