// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/lesson_page.h"

#include "agent/lessons/lesson_words.h"
#include "agent/record/live_run.h"
#include "agent/review/bet_first.h"
#include "agent/review/prediction_outcome.h"
#include "app/ide/kit/actions.h"
#include "app/ide/lesson/bet_switch.h"
#include "app/ide/lesson/closing_picture.h"
#include "app/ide/lesson/reading_keys.h"
#include "app/ide/lesson/readme_view.h"
#include "app/ide/lesson/step_look.h"
#include "profiler_views/lesson/lesson_times_view.h"
#include "widgets/frame/action_button.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int mostWidth = 1040;    ///< longer lines are hard to read
constexpr int leastForBoth = 1400; ///< for text and picture beside each other

/// An icon of ours beside words, in its colour whatever the theme.
class MarkIcon : public QWidget {
public:
    MarkIcon(const Look &look, StepLook mark, QWidget *parent) : QWidget(parent), m_look(look), m_mark(mark) {
        const auto size = [this] {
            setFixedSize(m_look.px(16), m_look.px(18));
        };
        size();
        connect(&look, &Look::changed, this, size);
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        m_look.icon(QString::fromLatin1(m_mark.icon), m_look.color(m_mark.token))
            .paint(&painter, 0, m_look.px(1), m_look.px(16), m_look.px(16));
    }

private:
    const Look &m_look;
    StepLook m_mark;
};

} // namespace

LessonPage::LessonPage(const Look &look, const Actions &actions, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_actions(actions),
      m_title(new Words(look, TextRole::Title, "text.primary", this, QFont::DemiBold)),
      m_place(new Words(look, TextRole::Small, "text.tertiary", this)),
      m_options(makeOptions()),
      m_closing(new ClosingPicture(look, this)) {
    setObjectName(QStringLiteral("lessonPage"));
    auto *content = new QWidget;
    content->setObjectName(QStringLiteral("lessonContent"));
    content->setMaximumWidth(look.px(mostWidth));
    m_goals = new Card(look, content);
    m_goals->setObjectName(QStringLiteral("lessonGoals"));
    m_stepsHead = new CardHead(look, tr("The steps"), {}, content);
    m_steps = new Card(look, content);
    m_steps->setObjectName(QStringLiteral("lessonSteps"));
    m_readmeHead = new CardHead(look, QStringLiteral("README.md"), {}, content);
    m_readmeCard = new Card(look, content);
    m_readme = new ReadmeView(look, m_readmeCard);
    m_readme->setObjectName(QStringLiteral("lessonReadme"));
    m_readme->setAccessibleName(tr("README of the lesson"));
    m_readmeCard->add(m_readme);
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(look.px(24), look.px(8), look.px(24), look.px(24));
    m_column->setSpacing(look.px(8));
    m_column->addWidget(new CardHead(look, tr("What it is for"), {}, content));
    m_column->addWidget(m_goals);
    m_column->addSpacing(look.px(8));
    m_column->addWidget(m_readmeHead);
    m_column->addWidget(m_readmeCard);
    m_column->addSpacing(look.px(8));
    m_column->addWidget(m_stepsHead);
    m_column->addWidget(m_steps);
    m_column->addStretch(1);
    m_scroll = new ScrollPage(look, content, this);
    m_scroll->setFocusPolicy(Qt::StrongFocus); // it is read, and scrolls by keys
    m_scroll->setAccessibleName(tr("The lesson"));
    setFocusProxy(m_scroll);
    auto *beside = new QWidget;
    m_besideColumn = new QVBoxLayout(beside);
    m_besideColumn->setContentsMargins(look.px(14), look.px(8), look.px(24), look.px(24));
    m_besideColumn->addStretch(1);
    m_beside = new ScrollPage(look, beside, this);
    m_beside->setObjectName(QStringLiteral("lessonBeside"));
    m_beside->hide();
    auto *both = new QHBoxLayout;
    both->setSpacing(0);
    both->addWidget(m_scroll, 1);
    both->addWidget(m_beside);
    auto *page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    page->addWidget(makeHead());
    page->addWidget(m_options);
    page->addLayout(both, 1);
    placeChart();
    connect(m_readme, &ReadmeView::linkActivated, this, &LessonPage::linkActivated);
    connect(m_closing, &ClosingPicture::exportAsked, this, &LessonPage::exportAsked);
    connect(&chart(), &LessonTimesView::stepPicked, this, &LessonPage::revealStep);
    auto *escape = new QShortcut(Qt::Key_Escape, this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &LessonPage::closed);
    // They go with the press, and the next one, which begins anew, is not what the next key is meant for.
    for (ActionButton *button : {m_begin, m_continue}) {
        connect(button, &QAbstractButton::clicked, this, [this] {
            m_arrives = false;
            m_scroll->setFocus();
        });
        scrollByKeysOf(button, *m_scroll);
    }
    scrollByKeysOf(m_close, *m_scroll);
    for (QAction *action : {actions.beginLesson, actions.continueRun})
        connect(action, &QAction::changed, this, &LessonPage::offer);
    QScrollBar *bar = m_scroll->verticalScrollBar();
    connect(bar, &QScrollBar::rangeChanged, this, &LessonPage::scrollOn);
    // Whoever scrolls wants to be elsewhere.
    connect(bar, &QScrollBar::actionTriggered, this, [this] {
        m_toScroll.reset();
        m_arrives = false;
    });
    connect(&look, &Look::changed, this, [this, content] {
        content->setMaximumWidth(m_look.px(mostWidth));
        update();
    });
}

LessonPage::~LessonPage() = default;

LessonTimesView &LessonPage::chart() const {
    return m_closing->chart();
}

QWidget *LessonPage::makeHead() {
    auto *head = new QWidget(this);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(m_look.px(24), m_look.px(12), m_look.px(12), m_look.px(8));
    row->setSpacing(m_look.px(8));
    m_place->setElides();
    m_place->setObjectName(QStringLiteral("lessonPagePlace"));
    row->addWidget(m_title);
    row->addWidget(m_place, 1);
    const auto add = [&](QAction *action, const QString &text) {
        auto *button = new ActionButton(m_look, ActionButton::Kind::Plain, head);
        button->setObjectName(QStringLiteral("lesson-") + action->objectName());
        button->setAction(action, false);
        button->setText(text);
        row->addWidget(button);
        return button;
    };
    m_begin = add(m_actions.beginLesson, tr("Begin the lesson"));
    m_begin->setIconName(QStringLiteral("run"));
    m_begin->setEmphasis(true);
    m_continue = add(m_actions.continueRun, tr("Continue"));
    m_continue->setIconName(QStringLiteral("run"));
    m_anew = add(m_actions.beginLessonAnew, tr("Begin anew…"));
    m_close = new ActionButton(m_look, ActionButton::Kind::Plain, head);
    m_close->setObjectName(QStringLiteral("lessonClose"));
    m_close->setText(tr("To the panes"));
    m_close->setKey(QStringLiteral("Esc"));
    connect(m_close, &QAbstractButton::clicked, this, &LessonPage::closed);
    row->addWidget(m_close);
    return head;
}

// It does not scroll away: a person looks for it before a step, and not at the page's beginning.
QWidget *LessonPage::makeOptions() {
    auto *options = new QWidget(this);
    options->setObjectName(QStringLiteral("lessonOptions"));
    auto *row = new QHBoxLayout(options);
    row->setContentsMargins(m_look.px(24), 0, m_look.px(12), m_look.px(8));
    row->setSpacing(m_look.px(8));
    m_bet = new BetSwitch(m_look, m_actions.betsFirst, options);
    m_whyNot = new Words(m_look, TextRole::Small, "text.secondary", options);
    m_whyNot->setElides();
    m_whyNot->setObjectName(QStringLiteral("lessonWhyNot"));
    m_whyNot->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_toChart = new ActionButton(m_look, ActionButton::Kind::Flat, options);
    m_toChart->setObjectName(QStringLiteral("lessonToChart"));
    m_toChart->setIconName(QStringLiteral("chart"));
    m_toChart->setSmall(true);
    connect(m_toChart, &QAbstractButton::clicked, this, &LessonPage::revealChart);
    row->addWidget(m_bet, 3);
    row->addWidget(m_whyNot, 2);
    row->addStretch(0); // where both are hidden the button keeps its size
    row->addWidget(m_toChart);
    return options;
}

Words *LessonPage::prose(const QString &text, const char *token, QWidget *parent) const {
    auto *words = new Words(m_look, TextRole::Body, token, parent);
    words->setProse();
    words->setText(text);
    return words;
}

void LessonPage::setContents(const LessonContents &contents) {
    const bool isOther = contents.workspace != m_workspace;
    if (isOther) {
        keepScroll();
        m_workspace = contents.workspace;
    }
    m_title->setText(contents.lesson.title);
    const QString place = placeWords(contents.story);
    m_place->setText(contents.isRecording ? tr("recorded, %1").arg(place)
                     : contents.elsewhere ? runsElsewhereWords(*contents.elsewhere) + tr(", %1").arg(place)
                     : contents.story.isResting() ? tr("stopped at %1").arg(place)
                                                  : place);
    m_isFresh = !contents.isRecording && !contents.story.hasBegun();
    const bool wasFinished = std::exchange(m_isFinished, contents.isFinished());
    m_isLeft = !contents.isRecording && contents.story.hasBegun() && !m_isFinished;
    m_bet->setVisible(m_isFresh || m_isLeft);
    m_anew->setText(contents.isRecording ? tr("Follow it yourself…") : tr("Begin anew…"));
    const int at = contents.story.at();
    const LessonStep *now = at > 0 ? &contents.story.steps()[static_cast<std::size_t>(at) - 1] : nullptr;
    const bool waits = !contents.isRecording && !contents.elsewhere && now != nullptr &&
                       now->state == LessonStep::State::Current;
    m_close->setText(waits ? tr("Review step %1").arg(at) : tr("To the panes"));
    m_isToLeave = waits || contents.isRecording || m_isFinished;
    offer();
    if (!m_goalsOf || *m_goalsOf != contents.lesson || m_promise != contents.promise) {
        m_goalsOf = contents.lesson;
        m_promise = contents.promise;
        fillGoals(contents);
    }
    fillReadme(contents);
    if (!m_told || m_told->steps() != contents.story.steps() || m_told->start() != contents.story.start()) {
        m_told = contents.story; // else whoever reads it keeps the place
        fillSteps(contents);
        m_closing->show(lessonTimes(contents), m_isFinished);
    }
    m_toChart->setText(m_isFinished ? tr("Closing picture") : tr("Times so far"));
    m_toChart->setAccessibleName(tr("To the times of the steps"));
    placeChart();
    if (isOther)
        scrollTo(m_places.value(m_workspace, 0));
    else if (m_isFinished && !wasFinished)
        revealChart();
}

// What cannot be done now is not in the way; what is expected to be possible says why it is not.
void LessonPage::offer() {
    m_begin->setVisible(m_isFresh);
    m_continue->setVisible(m_isLeft && m_actions.continueRun->isEnabled());
    const QString why = m_isFresh && !m_actions.beginLesson->isEnabled()
                            ? m_actions.beginLesson->property("whyDisabled").toString()
                            : QString();
    m_whyNot->setText(why.isEmpty() ? QString() : tr("Begin the lesson: %1").arg(why));
    m_whyNot->setVisible(!why.isEmpty());
    // Enter does what one has come for. What can be continued is known a moment after the page is shown.
    const bool canBegin = m_isFresh && m_actions.beginLesson->isEnabled();
    QWidget *first = m_scroll;
    if (canBegin)
        first = m_begin;
    else if (!m_continue->isHidden())
        first = m_continue;
    else if (m_isToLeave)
        first = m_close;
    setFocusProxy(first);
    if (m_arrives && first != m_scroll && m_scroll->hasFocus())
        first->setFocus();
}

// Where there is room for both, the picture is in sight whatever is read.
void LessonPage::placeChart() {
    const bool isBeside = !chart().isEmpty() && width() >= m_look.px(leastForBoth);
    m_beside->setFixedWidth(std::clamp(width() / 2, m_look.px(620), m_look.px(900)));
    m_toChart->setVisible(!chart().isEmpty() && !isBeside);
    QVBoxLayout *column = isBeside ? m_besideColumn : m_column;
    const int place = isBeside || m_isFinished ? 0 : column->count() - 1;
    const int now = column->indexOf(m_closing);
    if (now >= 0 && (now == place || (place > 0 && now == place - 1)))
        return;
    for (QVBoxLayout *other : {m_column, m_besideColumn})
        other->removeWidget(m_closing);
    column->insertWidget(isBeside || m_isFinished ? 0 : column->count() - 1, m_closing);
    m_closing->QWidget::show();
    m_beside->setVisible(isBeside);
}

void LessonPage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    placeChart();
}

void LessonPage::keepScroll() {
    if (!m_workspace.isEmpty())
        m_places[m_workspace] = m_toScroll.value_or(m_scroll->verticalScrollBar()->value());
}

// What is to be seen may not be laid out yet.
void LessonPage::scrollTo(int value) {
    m_toScroll = value;
    scrollOn();
}

void LessonPage::scrollOn() {
    if (!m_toScroll)
        return;
    QScrollBar *bar = m_scroll->verticalScrollBar();
    bar->setValue(*m_toScroll);
    if (isVisible() && bar->maximum() >= *m_toScroll)
        m_toScroll.reset();
}

void LessonPage::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    m_arrives = true;
    QMetaObject::invokeMethod(this, &LessonPage::scrollOn, Qt::QueuedConnection); // behind the layout
}

void LessonPage::revealChart() {
    if (m_beside->isVisibleTo(this))
        return m_beside->verticalScrollBar()->setValue(0);
    if (m_isFinished)
        return scrollTo(0);
    m_toScroll.reset();
    m_scroll->verticalScrollBar()->setValue(m_closing->y());
}

void LessonPage::fillReadme(const LessonContents &contents) {
    const bool tellsThatThereIsNone = contents.readme.isEmpty() && !contents.isRecording;
    const bool isShown = tellsThatThereIsNone || !contents.readme.isEmpty();
    m_readmeHead->setVisible(isShown);
    m_readmeCard->setVisible(isShown);
    m_readme->showText(tellsThatThereIsNone
                           ? tr("This lesson has no README.md, so nothing is told of its task. If it is your "
                                "lesson: write `start/README.md`, what the task is, where one begins, what "
                                "to find out.")
                           : contents.readme,
                       contents.images);
}

void LessonPage::fillGoals(const LessonContents &contents) {
    const Lesson &lesson = contents.lesson;
    QStringList facts;
    if (!lesson.kernel.isEmpty())
        facts << lesson.kernel;
    if (!lesson.shapes.isEmpty())
        facts << lesson.shapes;
    if (!lesson.bound.isEmpty())
        facts << tr("bound by %1").arg(lesson.bound);
    m_goals->clear();
    auto *row = new QWidget(m_goals);
    auto *column = new QVBoxLayout(row);
    column->setContentsMargins(m_look.px(12), m_look.px(10), m_look.px(12), m_look.px(10));
    column->setSpacing(m_look.px(6));
    if (!lesson.description.isEmpty())
        column->addWidget(prose(lesson.description, "text.primary", row));
    if (!facts.isEmpty())
        column->addWidget(prose(facts.join(QStringLiteral(" · ")), "text.secondary", row));
    if (!lesson.goals.isEmpty()) {
        auto *head = new Words(m_look, TextRole::Small, "text.primary", row, QFont::DemiBold);
        head->setText(tr("What you will have learnt"));
        column->addWidget(head);
        for (const QString &goal : lesson.goals)
            column->addWidget(prose(QStringLiteral("– ") + goal, "text.primary", row));
    }
    if (!contents.promise.isEmpty())
        column->addWidget(prose(contents.promise, "text.secondary", row));
    m_goals->add(row);
}

QWidget *LessonPage::stepRow(const LessonStep &step, const TimeScale &scale) {
    auto *row = new QWidget(m_steps);
    row->setObjectName(QStringLiteral("lessonRow-%1").arg(step.number));
    auto *column = new QVBoxLayout(row);
    column->setContentsMargins(m_look.px(12), m_look.px(8), m_look.px(12), m_look.px(8));
    column->setSpacing(m_look.px(4));
    auto *head = new QHBoxLayout;
    head->setSpacing(m_look.px(8));
    head->addWidget(new MarkIcon(m_look, lookOf(step), row));
    const bool isAhead = step.state == LessonStep::State::Ahead;
    auto *title = new Words(m_look, TextRole::Body, isAhead ? "text.secondary" : "text.primary", row,
                            isAhead ? QFont::Normal : QFont::DemiBold);
    title->setText(QStringLiteral("%1  %2").arg(step.number).arg(step.title));
    title->setWordWrap(true);
    head->addWidget(title, 1);
    QStringList figures;
    auto *details = new QVBoxLayout; // below the title, not below its mark
    details->setContentsMargins(m_look.px(16 + 8), 0, 0, 0);
    details->setSpacing(m_look.px(4));
    if (const QString measured = measuredWords(step, scale); !measured.isEmpty())
        figures << measured;
    if (const QString expected = expectedWords(step, scale); !expected.isEmpty())
        figures << tr("predicted %1").arg(expected);
    if (!isAhead && !step.isDecided() && !mayShowNumbers(step))
        figures << tr("numbers hidden until you bet");
    figures << (isAhead ? tr("to come") : outcomeWords(step));
    const QString told = figures.join(QStringLiteral(" · "));
    auto *result = isAhead ? new Words(m_look, TextRole::Small, "text.tertiary", row)
                           : prose(told, "text.secondary", row);
    result->setText(told);
    result->setObjectName(QStringLiteral("lessonResult-%1").arg(step.number));
    column->addLayout(head);
    column->addLayout(details);
    if (isAhead)
        head->addWidget(result);
    else
        details->addWidget(result);
    const QString hit = hitWords(step);
    if (!hit.isEmpty()) {
        auto *words = prose(hit, "text.secondary", row);
        words->setObjectName(QStringLiteral("lessonHit-%1").arg(step.number));
        words->setToolTip(hitRuleText());
        details->addWidget(words);
    }
    if (const QString decided = decidedWords(step, scale); !decided.isEmpty()) {
        auto *words = prose(decided, "text.secondary", row);
        words->setObjectName(QStringLiteral("lessonDecided-%1").arg(step.number));
        details->addWidget(words);
    }
    const QString bet = betWords(step, whoBets(), scale);
    if (!bet.isEmpty()) {
        auto *words = prose(tr("you bet %1").arg(bet), "text.secondary", row);
        words->setObjectName(QStringLiteral("lessonBet-%1").arg(step.number));
        words->setToolTip(hitRuleText());
        details->addWidget(words);
    }
    if (!step.why.isEmpty() && step.isDecided() && mayShowNumbers(step))
        details->addWidget(prose(step.why, "text.secondary", row));
    if (const QString runs = hunksThatRunWords(step.hunks, step.notRun); !runs.isEmpty())
        details->addWidget(prose(runs, "text.secondary", row));
    if (step.isDecided() && !step.taught.isEmpty()) {
        auto *taught = prose(tr("What it taught: %1").arg(step.taught), "text.primary", row);
        taught->setObjectName(QStringLiteral("lessonTaught-%1").arg(step.number));
        details->addWidget(taught);
    }
    row->setAccessibleName(
        tr("Step %1: %2, %3").arg(step.number).arg(step.title, figures.join(QStringLiteral(", "))) +
        (hit.isEmpty() ? QString() : QStringLiteral(", ") + hit) +
        (bet.isEmpty() ? QString() : tr(", you bet %1").arg(bet)));
    return row;
}

void LessonPage::setWork(const QString &words) {
    if (std::exchange(m_work, words) != words)
        sayMeasured();
}

void LessonPage::sayMeasured() {
    m_stepsHead->setRemark(!m_work.isEmpty()    ? m_work
                           : m_device.isEmpty() ? tr("nothing was measured yet")
                                                : tr("measured on %1").arg(m_device));
}

void LessonPage::fillSteps(const LessonContents &contents) {
    const LessonStory &story = contents.story;
    m_device = story.device();
    sayMeasured();
    const TimeScale scale = scaleOf(story);
    m_steps->clear();
    for (const LessonStep &step : story.steps())
        m_steps->add(stepRow(withKeptTime(story, step), scale));
}

void LessonPage::revealStep(int number) {
    m_toScroll.reset();
    // Of one that has not come there is nothing else to be shown.
    if (m_told && number > 1 && number <= static_cast<int>(m_told->steps().size()) &&
        m_told->steps()[static_cast<std::size_t>(number) - 1].state == LessonStep::State::Ahead)
        for (Words *result : m_steps->findChildren<Words *>(QStringLiteral("lessonResult-%1").arg(number)))
            result->setText(tr("to come: it is proposed once step %1 is decided").arg(number - 1));
    for (QWidget *row : m_steps->findChildren<QWidget *>(QStringLiteral("lessonRow-%1").arg(number)))
        if (!row->isHidden())
            m_scroll->ensureWidgetVisible(row);
}

void LessonPage::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.bar"));
}

} // namespace warpwright
