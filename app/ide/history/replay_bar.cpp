// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/history/replay_bar.h"

#include "app/ide/kit/card.h"
#include "widgets/frame/action_button.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int pageOfEvents = 50;     ///< where no mark is known
constexpr int scrubberAtLeast = 140; ///< px at 96 dpi: with less nothing can be picked

QString speedText(double speed) {
    if (speed > 0 && speed < 1)
        return speed < 0.5 ? QStringLiteral("¼×") : QStringLiteral("½×");
    return speed > 0 ? QStringLiteral("%1×").arg(speed) : ReplayBar::tr("fastest");
}

} // namespace

ReplayScrubber::ReplayScrubber(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("replayScrubber"));
    setAccessibleName(tr("Place in the run"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(
        tr("Drag, or press Left and Right for one event, Page Up and Page Down from mark to mark, Space "
           "to play. Low marks are proposals, tall ones texts that were changed."));
    connect(&look, &Look::changed, this, [this] {
        m_drawnMarks = {};
        update();
    });
}

QSize ReplayScrubber::sizeHint() const {
    return {m_look.px(240), m_look.px(28)};
}

QSize ReplayScrubber::minimumSizeHint() const {
    return {m_look.px(40), m_look.px(28)};
}

void ReplayScrubber::setLast(qint64 last) {
    m_last = std::max<qint64>(1, last);
    m_marks.clear();
    m_drawnMarks = {};
    update();
}

void ReplayScrubber::setMarks(std::vector<RunMark> marks) {
    m_marks = std::move(marks);
    m_drawnMarks = {};
    update();
}

void ReplayScrubber::setNumber(qint64 number) {
    m_number = number;
    update();
}

int ReplayScrubber::xOf(qint64 number) const {
    const int edge = m_look.px(8);
    const int room = std::max(1, width() - 2 * edge);
    return m_last <= 1 ? edge : edge + static_cast<int>((number - 1) * room / (m_last - 1));
}

void ReplayScrubber::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const int middle = height() / 2;
    const int here = m_number > 0 ? xOf(m_number) : m_look.px(8);
    painter.fillRect(QRect(xOf(1), middle - m_look.px(1), xOf(m_last) - xOf(1) + 1, m_look.px(2)),
                     m_look.color("border.strong"));
    painter.fillRect(QRect(xOf(1), middle - m_look.px(1), here - xOf(1), m_look.px(2)),
                     m_look.color("accent.focus"));
    if (m_drawnMarks.isNull())
        drawMarks();
    painter.drawPixmap(0, 0, m_drawnMarks);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_look.color(hasFocus() ? "accent.focus" : "bg.bar"), m_look.px(2)));
    painter.setBrush(m_look.color("accent.fill"));
    painter.drawEllipse(QPoint(here, middle), m_look.px(6), m_look.px(6));
}

// Once: thousands of them are there at each step.
void ReplayScrubber::drawMarks() {
    m_drawnMarks = QPixmap(size() * devicePixelRatioF());
    m_drawnMarks.setDevicePixelRatio(devicePixelRatioF());
    m_drawnMarks.fill(Qt::transparent);
    QPainter painter(&m_drawnMarks);
    // Of many that fall on one pixel one is drawn, the taller last.
    for (const bool isProposal : {true, false}) {
        int lastX = -1;
        const int tall = m_look.px(isProposal ? 4 : 7);
        const QColor ink = m_look.color(isProposal ? "text.tertiary" : "accent.text");
        for (const RunMark &mark : m_marks) {
            if (mark.isProposal != isProposal)
                continue;
            const int x = xOf(mark.number);
            if (std::exchange(lastX, x) != x)
                painter.fillRect(QRect(x, height() / 2 - tall, m_look.px(1), 2 * tall), ink);
        }
    }
}

void ReplayScrubber::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_drawnMarks = {};
}

void ReplayScrubber::moveTo(int x) {
    const int edge = m_look.px(8);
    const int room = std::max(1, width() - 2 * edge);
    const qint64 at = std::clamp<qint64>(x - edge, 0, room);
    emit moved(1 + (at * (m_last - 1) + room / 2) / room);
}

void ReplayScrubber::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        moveTo(qRound(event->position().x()));
}

void ReplayScrubber::mouseMoveEvent(QMouseEvent *event) {
    if ((event->buttons() & Qt::LeftButton) != 0)
        moveTo(qRound(event->position().x()));
}

// The place is moved at once, so that keys which follow each other go on from it.
void ReplayScrubber::go(qint64 number) {
    setNumber(std::clamp<qint64>(number, 1, m_last));
    emit moved(m_number);
}

void ReplayScrubber::page(int by) {
    if (m_marks.empty())
        return go(m_number + by * pageOfEvents);
    if (by > 0) {
        const auto next = std::find_if(m_marks.begin(), m_marks.end(),
                                       [this](const RunMark &mark) { return mark.number > m_number; });
        return go(next == m_marks.end() ? m_last : next->number);
    }
    const auto before = std::find_if(m_marks.rbegin(), m_marks.rend(),
                                     [this](const RunMark &mark) { return mark.number < m_number; });
    go(before == m_marks.rend() ? 1 : before->number);
}

bool ReplayScrubber::takeKey(int key) {
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        go(m_number - 1);
        return true;
    case Qt::Key_Right:
    case Qt::Key_Up:
        go(m_number + 1);
        return true;
    case Qt::Key_PageDown:
        page(1);
        return true;
    case Qt::Key_PageUp:
        page(-1);
        return true;
    case Qt::Key_Home:
        go(1);
        return true;
    case Qt::Key_End:
        go(m_last);
        return true;
    default:
        return false;
    }
}

void ReplayScrubber::keyPressEvent(QKeyEvent *event) {
    if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_Space)
        emit playAsked();
    else if ((event->modifiers() & ~Qt::KeypadModifier) != 0 || !takeKey(event->key()))
        QWidget::keyPressEvent(event);
}

ReplayBar::ReplayBar(const Look &look, const Keys &keys, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_run(new Words(look, TextRole::Body, "text.primary", this, QFont::DemiBold)),
      m_place(new Words(look, TextRole::Small, "text.secondary", this)),
      m_scrubber(new ReplayScrubber(look, this)),
      m_speeds(new QMenu(this)),
      m_stops(new QAction(tr("Stop at each proposal"), this)),
      m_branchText(keys.branch->iconText()) {
    setObjectName(QStringLiteral("replayBar"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_place->setObjectName(QStringLiteral("replayPlace"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(look.px(12), look.px(6), look.px(12), look.px(6));
    row->setSpacing(look.px(6));
    const auto add = [&](QAction *action, const char *name, bool hasText) {
        auto *button = new ActionButton(look, ActionButton::Kind::Plain, this);
        button->setObjectName(QLatin1String(name));
        button->setAction(action, false);
        button->setSmall(true);
        if (hasText)
            button->setText(action->iconText());
        else
            button->setIconName(action->property("iconName").toString());
        row->addWidget(button);
        button->installEventFilter(this);
        return button;
    };
    // In a narrow window words end in an ellipsis, and there is still a place to drag.
    for (Words *words : {m_run, m_place}) {
        words->setElides();
        words->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
        words->setMinimumWidth(look.px(48));
        row->addWidget(words);
    }
    m_scrubber->setMinimumWidth(look.px(64));
    row->addSpacing(look.px(8));
    add(keys.back, "replayBackButton", false);
    m_play = add(keys.play, "replayPlayButton", false);
    add(keys.forward, "replayForwardButton", false);
    m_speedButton = new ActionButton(look, ActionButton::Kind::Plain, this);
    m_speedButton->setObjectName(QStringLiteral("replaySpeedButton"));
    m_speedButton->setSmall(true);
    m_speedButton->setHasMenu(true);
    m_speedButton->setToolTip(tr("How fast it plays: 1× as it happened, with pauses of at most 5 s; slower, "
                                 "each event stands for a second at least"));
    m_speedButton->installEventFilter(this);
    row->addWidget(m_speedButton);
    row->addWidget(m_scrubber, 1);
    m_branch = add(keys.branch, "replayBranchButton", true);
    ActionButton *goOn = add(keys.goOn, "replayContinueButton", true);
    add(keys.leave, "replayLeaveButton", false)->setIconName(QStringLiteral("close"));
    // What cannot be gone on with is not offered; why stands in the menu.
    const auto follow = [this, action = keys.goOn, goOn] {
        goOn->setVisible(action->isEnabled());
        fit();
    };
    connect(keys.goOn, &QAction::changed, goOn, follow);
    follow();
    for (const double speed : {0.25, 0.5, 1.0, 4.0, 16.0, 0.0}) {
        QAction *one = m_speeds->addAction(speed > 0 ? speedText(speed) : tr("As fast as possible"));
        one->setObjectName(QStringLiteral("speed%1").arg(speed));
        connect(one, &QAction::triggered, this, [this, speed] { emit speedPicked(speed); });
    }
    m_speeds->addSeparator();
    m_stops->setObjectName(QStringLiteral("stopsAtProposals"));
    m_stops->setCheckable(true);
    m_speeds->addAction(m_stops);
    connect(m_speedButton, &QAbstractButton::clicked, this,
            [this] { m_speeds->popup(m_speedButton->mapToGlobal(QPoint(0, m_speedButton->height()))); });
    connect(&look, &Look::changed, this, [this] {
        fit();
        update();
    });
    setSpeed(1);
    hide();
}

void ReplayBar::setPlace(const QString &run, const QStringList &places, const QString &problem) {
    m_runName = run;
    m_places = places;
    m_problem = problem;
    m_place->setToken(problem.isEmpty() ? "text.secondary" : "verdict.wrong");
    fit();
}

// Words leave before the way through the run does: whose run it is first, then all but the place's numbers.
void ReplayBar::fit() {
    if (m_places.isEmpty())
        return;
    const auto placeText = [this](const QString &place) {
        return m_problem.isEmpty() ? place : tr("%1, NOT the recorded text").arg(place);
    };
    const auto put = [&](bool hasRun, const QString &place, bool hasBranchText) {
        m_run->setText(hasRun ? m_runName : QString());
        m_run->setVisible(hasRun);
        m_place->setText(placeText(place));
        m_branch->setText(hasBranchText ? m_branchText : QString());
        m_branch->setIconName(hasBranchText ? QString() : QStringLiteral("branch"));
        int taken = m_look.px(2 * 12 + 8) + m_look.px(scrubberAtLeast);
        for (const QWidget *part : findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
            if (part != m_scrubber && part != m_speeds && !part->isHidden())
                taken += part->sizeHint().width() + m_look.px(6);
        return taken <= width();
    };
    bool fits = put(true, m_places.front(), true);
    for (const QString &place : m_places)
        fits = fits || put(false, place, true);
    if (!fits)
        put(false, m_places.back(), false);
    const QString whole = m_runName + QStringLiteral(", ") + m_places.front();
    m_place->setToolTip(m_problem.isEmpty() ? whole : whole + QLatin1Char('\n') + m_problem);
}

QSize ReplayBar::minimumSizeHint() const {
    return {m_look.px(240), QWidget::minimumSizeHint().height()};
}

void ReplayBar::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    fit();
}

// Arrows and pages go through the run whichever of its buttons has the keys.
bool ReplayBar::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<const QKeyEvent *>(event);
        if ((key->modifiers() & ~Qt::KeypadModifier) == 0 && m_scrubber->takeKey(key->key()))
            return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ReplayBar::setPlaying(bool isPlaying) {
    m_play->setIconName(isPlaying ? QStringLiteral("pause") : QStringLiteral("run"));
    m_play->setAccessibleName(isPlaying ? tr("Pause the replay") : tr("Play the replay"));
}

void ReplayBar::setSpeed(double speed) {
    m_speed = speed;
    m_speedButton->setText(speedText(speed));
    m_speedButton->setAccessibleName(tr("Speed: %1").arg(speedText(speed)));
    fit();
}

void ReplayBar::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("accent.tint"));
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
}

} // namespace warpwright
