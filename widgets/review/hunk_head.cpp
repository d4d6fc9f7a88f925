// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/review/hunk_head.h"

#include "widgets/frame/action_button.h"
#include "widgets/frame/tab_order.h"
#include "widgets/look/look.h"
#include "widgets/look/tool_tip_text.h"

#include <QMouseEvent>
#include <QPainter>

namespace warpwright {
namespace {

constexpr int pad = 12;
constexpr int iconWidth = 20;

} // namespace

HunkLook lookOf(const ShownHunk &hunk, bool isCurrent) {
    if (hunk.isPast()) {
        ShownHunk asLive = hunk;
        asLive.answer.clear();
        HunkLook look = lookOf(asLive, isCurrent);
        look.word = hunk.answer;
        return look;
    }
    switch (hunk.state) {
    case ShownHunk::Open:
        return {"", {}, isCurrent ? "accent.focus" : "border.strong"};
    case ShownHunk::Accepted:
        return {"accept", HunkHead::tr("accepted"), "verdict.pass"};
    case ShownHunk::Rejected:
        return {"reject", HunkHead::tr("rejected"), "verdict.wrong"};
    case ShownHunk::Edited:
        return {"edit",
                hunk.isUntouched ? HunkHead::tr("to be edited: open until you change it")
                                 : HunkHead::tr("edited by you"),
                "accent.text"};
    case ShownHunk::Conflict:
        return {"warning", HunkHead::tr("conflict"), "verdict.inconclusive"};
    }
    return {"", {}, "border.strong"};
}

HunkHead::HunkHead(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setCursor(Qt::ArrowCursor); // it lies over a text
    setFocusPolicy(Qt::NoFocus);
    const auto make = [this](Act act, const char *name, const QString &text, auto signal) {
        auto *button = new ActionButton(m_look, ActionButton::Kind::Plain, this);
        button->setObjectName(QLatin1String(name));
        button->setSmall(true);
        button->setProperty("words", text);
        button->setAccessibleName(text);
        button->hide();
        connect(button, &QAbstractButton::clicked, this, [this, signal] { emit(this->*signal)(m_hunk.id); });
        m_buttons[act] = button;
    };
    make(Accept, "acceptHunk", tr("Accept"), &HunkHead::acceptAsked);
    make(Reject, "rejectHunk", tr("Reject"), &HunkHead::rejectAsked);
    make(Edit, "editHunk", tr("Edit"), &HunkHead::editAsked);
    make(Undo, "undoHunk", tr("Undo"), &HunkHead::undoAsked);
    make(Resolve, "resolveHunk", tr("Resolve"), &HunkHead::resolveAsked);
    m_buttons[Undo]->setKind(ActionButton::Kind::Flat);
    connect(&look, &Look::changed, this, &HunkHead::layOut);
}

bool HunkHead::isOffered(int act) const {
    if (m_hunk.isPast())
        return false;
    switch (act) {
    case Accept:
        return m_hunk.state == ShownHunk::Open;
    case Reject:
    case Edit:
        return m_hunk.isLeft();
    case Undo:
        return !m_hunk.isLeft();
    default:
        return m_hunk.state == ShownHunk::Conflict;
    }
}

void HunkHead::setHunk(const ShownHunk &hunk, bool isCurrent, const HunkKeys &keys, const QString &whyNot) {
    if (hunk == m_hunk && isCurrent == m_isCurrent && keys == m_keys && whyNot == m_whyNot)
        return;
    m_whyNot = whyNot;
    m_hunk = hunk;
    m_isCurrent = isCurrent;
    m_keys = keys;
    setObjectName(QStringLiteral("hunkHead%1").arg(hunk.number));
    m_buttons[Accept]->setKind(isCurrent && whyNot.isEmpty() ? ActionButton::Kind::Filled
                                                             : ActionButton::Kind::Plain);
    const std::array<QString, Acts> tips{tr("Puts the new lines in the place of the old"),
                                         tr("Leaves the text as it is"),
                                         tr("Puts the new lines into the text, for you to change"),
                                         tr("Takes the decision back"), tr("Shows both sides")};
    const std::array<QString, Acts> caps{keys.accept, keys.reject, keys.edit, keys.undo, {}};
    for (std::size_t act = 0; act < Acts; ++act) {
        const QString &cap = caps[act];
        m_buttons[act]->setToolTip(!whyNot.isEmpty() ? tr("Not now: %1").arg(whyNot)
                                   : cap.isEmpty()   ? tips[act]
                                                     : tips[act] + QStringLiteral(" (%1)").arg(cap));
        m_buttons[act]->setEnabled(whyNot.isEmpty());
        m_buttons[act]->setVisible(isOffered(static_cast<int>(act)));
    }
    say();
    layOut();
}

void HunkHead::say() {
    const HunkLook shown = lookOf(m_hunk, m_isCurrent);
    QStringList words{tr("Hunk %1").arg(m_hunk.number), m_hunk.title};
    if (m_hunk.isLeft())
        words << m_hunk.together;
    if (!shown.word.isEmpty())
        words << shown.word + (m_hunk.remark.isEmpty() ? QString() : QStringLiteral(": ") + m_hunk.remark);
    for (const Word &word : rightWords(true))
        words << word.text;
    words.removeAll(QString());
    setAccessibleName(words.join(QStringLiteral(", ")));
    setToolTip(toolTipText(accessibleName()));
}

std::vector<HunkHead::Word> HunkHead::leftWords() const {
    const HunkLook shown = lookOf(m_hunk, m_isCurrent);
    std::vector<Word> words{{QString::number(m_hunk.number), "text.primary", true, 8},
                            {m_hunk.title, "text.primary", false, 8}};
    if (m_hunk.isLeft() && !m_hunk.together.isEmpty())
        words.push_back({m_hunk.together, "text.secondary", false, 12});
    if (!shown.word.isEmpty()) {
        QString word = shown.word;
        if (!m_hunk.remark.isEmpty())
            word += (m_hunk.isPast() || m_hunk.state == ShownHunk::Rejected ? QStringLiteral(": ")
                     : m_hunk.state == ShownHunk::Edited                    ? QStringLiteral(", ")
                                                                            : QStringLiteral(" ")) +
                    m_hunk.remark;
        words.push_back({word, shown.ink, false, 12});
    }
    return words;
}

std::vector<HunkHead::Word> HunkHead::rightWords(bool withResources) const {
    std::vector<Word> words;
    if (m_hunk.measure == ShownHunk::Measuring)
        words.push_back(
            {m_hunk.difference.isEmpty() ? tr("measuring") : tr("measuring %1").arg(m_hunk.difference),
             "accent.text", false, 8});
    else if (m_hunk.measure == ShownHunk::Measured && m_hunk.isNoise) {
        words.push_back({m_hunk.difference, "text.secondary", false, 4});
        words.push_back({tr("≈ noise"), "verdict.inconclusive", false, 8});
    } else if (m_hunk.measure == ShownHunk::Measured)
        words.push_back({m_hunk.difference, "text.primary", true, 8});
    else if (m_hunk.measure == ShownHunk::Unexercised)
        words.push_back({tr("not exercised on this device"), "verdict.notRun", false, 8});
    else if (m_hunk.measure == ShownHunk::Failed)
        words.push_back({m_hunk.difference, "verdict.wrong", false, 8});
    if (withResources && !m_hunk.resources.isEmpty())
        words.push_back({m_hunk.resources, "text.secondary", false, 8});
    return words;
}

int HunkHead::widthOf(const std::vector<Word> &words) const {
    int width = 0;
    for (const Word &word : words)
        width += QFontMetrics(m_look.font(TextRole::Small, word.isStrong ? QFont::DemiBold : QFont::Normal))
                     .horizontalAdvance(word.text) +
                 m_look.px(word.gap);
    return width;
}

void HunkHead::layOut() {
    const bool hasIcon = *lookOf(m_hunk, m_isCurrent).icon != 0;
    std::vector<Word> left = leftWords();
    const int lead = m_look.px(pad) + (hasIcon ? m_look.px(iconWidth) : 0);
    const int whole = lead + widthOf(left);
    // The title may be cut, but not to nothing.
    const int title = widthOf({left[1]});
    const int least = whole - title + std::min(title, m_look.px(140));
    const std::array<QString, Acts> caps{m_keys.accept, m_keys.reject, m_keys.edit, m_keys.undo, {}};
    const std::array<const char *, Acts> icons{"accept", "reject", "edit", "undo", "compare"};
    int buttons = 0;
    for (int level = 0; level < 5; ++level) {
        m_showsResources = level < 2;
        buttons = 0;
        for (std::size_t act = 0; act < Acts; ++act) {
            ActionButton *button = m_buttons[act];
            const bool hasCap = level == 0 && (m_isCurrent || act == Undo) && !caps[act].isEmpty();
            const bool isBare = level == 4;
            const bool showsIcon = isBare || act == Undo || !(m_isCurrent && level == 0);
            button->setKey(hasCap ? caps[act] : QString());
            button->setIconName(showsIcon ? QLatin1String(icons[act]) : QString());
            button->setText(isBare ? QString() : button->property("words").toString());
            button->resize(button->sizeHint());
            if (isOffered(static_cast<int>(act)))
                buttons += button->width() + m_look.px(4);
        }
        const int words = level < 3 ? whole : least;
        if (words + widthOf(rightWords(m_showsResources)) + buttons + m_look.px(4) <= width())
            break;
    }
    m_buttonsLeft = width() - m_look.px(8) - buttons + m_look.px(4);
    int x = m_buttonsLeft;
    for (std::size_t act = 0; act < Acts; ++act) {
        if (!isOffered(static_cast<int>(act)))
            continue;
        m_buttons[act]->move(x, (height() - m_buttons[act]->height()) / 2);
        x += m_buttons[act]->width() + m_look.px(4);
    }
    update();
}

void HunkHead::resizeEvent(QResizeEvent *) {
    layOut();
}

void HunkHead::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        emit pressed(m_hunk.id);
    event->accept();
}

int HunkHead::drawWords(QPainter &painter, const std::vector<Word> &words, int x) const {
    for (const Word &word : words) {
        painter.setFont(m_look.font(TextRole::Small, word.isStrong ? QFont::DemiBold : QFont::Normal));
        painter.setPen(m_look.color(word.token));
        const int width = painter.fontMetrics().horizontalAdvance(word.text);
        painter.drawText(QRect(x, 0, width + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, word.text);
        x += width + m_look.px(word.gap);
    }
    return x;
}

void HunkHead::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const HunkLook shown = lookOf(m_hunk, m_isCurrent);
    painter.fillRect(rect(), m_look.color(m_isCurrent ? "accent.tint" : "bg.card"));
    const QColor edge = m_look.color(m_isCurrent ? "accent.focus" : "border.normal");
    painter.fillRect(0, 0, width(), 1, edge);
    if (!m_isCurrent)
        painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
    painter.fillRect(0, 0, m_look.px(3), height(),
                     m_look.color(m_isCurrent && m_hunk.isLeft() ? "accent.focus" : shown.ink));
    int x = m_look.px(pad);
    if (*shown.icon != 0) {
        const int icon = m_look.px(14);
        m_look.icon(QLatin1String(shown.icon), m_look.color(shown.ink))
            .paint(&painter, QRect(x, (height() - icon) / 2, icon, icon));
        x += m_look.px(iconWidth);
    }
    const std::vector<Word> right = rightWords(m_showsResources);
    const int rightStart = m_buttonsLeft - m_look.px(4) - widthOf(right);
    std::vector<Word> left = leftWords();
    const int over = x + widthOf(left) - rightStart;
    if (over > 0) {
        const QFontMetrics metrics(m_look.font(TextRole::Small));
        const auto shorten = [&metrics](Word &word, int by, int least) {
            const int before = metrics.horizontalAdvance(word.text);
            word.text =
                metrics.elidedText(word.text, Qt::ElideRight, std::max(std::min(before, least), before - by));
            return by - (before - metrics.horizontalAdvance(word.text));
        };
        // The title gives way first, but not to nothing: behind it a long reason does.
        int stillOver = shorten(left[1], over, m_look.px(140));
        if (stillOver > 0 && left.size() > 2)
            stillOver = shorten(left.back(), stillOver, 0);
        // Where even that is too much nothing runs under the buttons.
        if (stillOver > 0)
            shorten(left[1], stillOver, 0);
    }
    drawWords(painter, left, x);
    drawWords(painter, right, rightStart);
}

bool HunkHead::focusNextPrevChild(bool isNext) {
    return focusNextStop(*window(), isNext);
}

} // namespace warpwright
