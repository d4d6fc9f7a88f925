// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/lesson_page.h"

#include "agent/lesson_words.h"
#include "agent/prediction_outcome.h"
#include "app/ide/actions.h"
#include "app/ide/lesson/readme_view.h"
#include "app/ide/lesson/step_look.h"
#include "profiler_views/lesson/lesson_times_view.h"
#include "widgets/action_button.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QShortcut>
#include <QVBoxLayout>

#include <utility>

namespace warpwright {
namespace {

/// An icon of ours beside words, in its colour whatever the theme.
class MarkIcon : public QWidget {
public:
    MarkIcon(const Look &look, StepLook mark, QWidget *parent) : QWidget(parent), m_look(look), m_mark(mark) {
        setFixedSize(look.px(16), look.px(18));
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
      m_title(new Words(look, TextRole::Title, "text.primary", this, QFont::DemiBold)),
      m_place(new Words(look, TextRole::Small, "text.tertiary", this)) {
    setObjectName(QStringLiteral("lessonPage"));
    auto *content = new QWidget;
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
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(look.px(24), look.px(8), look.px(24), look.px(24));
    column->setSpacing(look.px(8));
    column->addWidget(new CardHead(look, tr("What it is for"), {}, content));
    column->addWidget(m_goals);
    column->addSpacing(look.px(8));
    column->addWidget(m_readmeHead);
    column->addWidget(m_readmeCard);
    column->addSpacing(look.px(8));
    column->addWidget(m_stepsHead);
    column->addWidget(m_steps);
    column->addSpacing(look.px(8));
    column->addWidget(makeChart());
    column->addStretch(1);
    m_scroll = new ScrollPage(look, content, this);
    m_scroll->setFocusPolicy(Qt::StrongFocus); // it is read, and scrolls by keys
    setFocusProxy(m_scroll);
    auto *page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    page->addWidget(makeHead(actions));
    page->addWidget(m_scroll, 1);
    connect(m_readme, &ReadmeView::linkActivated, this, &LessonPage::linkActivated);
    connect(m_chart, &LessonTimesView::stepPicked, this, &LessonPage::revealStep);
    auto *escape = new QShortcut(Qt::Key_Escape, this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &LessonPage::closed);
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
}

LessonPage::~LessonPage() = default;

QWidget *LessonPage::makeHead(const Actions &actions) {
    auto *head = new QWidget(this);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(m_look.px(24), m_look.px(12), m_look.px(12), m_look.px(8));
    row->setSpacing(m_look.px(8));
    m_place->setObjectName(QStringLiteral("lessonPagePlace"));
    m_place->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_title);
    row->addWidget(m_place, 1);
    for (const auto &[action, text] : {std::pair(actions.beginLesson, tr("Begin the lesson")),
                                       std::pair(actions.continueRun, tr("Continue the lesson")),
                                       std::pair(actions.beginLessonAnew, tr("Begin anew…"))}) {
        auto *button = new ActionButton(m_look, ActionButton::Kind::Plain, head);
        button->setObjectName(QStringLiteral("lesson-") + action->objectName());
        button->setAction(action, false);
        button->setText(text);
        row->addWidget(button);
    }
    m_close = new ActionButton(m_look, ActionButton::Kind::Plain, head);
    m_close->setObjectName(QStringLiteral("lessonClose"));
    m_close->setText(tr("To the panes"));
    m_close->setKey(QStringLiteral("Esc"));
    connect(m_close, &QAbstractButton::clicked, this, &LessonPage::closed);
    row->addWidget(m_close);
    return head;
}

QWidget *LessonPage::makeChart() {
    auto *whole = new QWidget(this);
    auto *column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(m_look.px(8));
    auto *head = new QHBoxLayout;
    head->setSpacing(m_look.px(6));
    head->addWidget(new CardHead(m_look, tr("Time after each step"), tr("predicted beside measured"), whole),
                    1);
    for (const auto &[kind, text, spoken] :
         {std::tuple(QStringLiteral("png"), tr("PNG…"), tr("Export the picture as PNG")),
          std::tuple(QStringLiteral("svg"), tr("SVG…"), tr("Export the picture as SVG")),
          std::tuple(QStringLiteral("csv"), tr("CSV…"), tr("Export the numbers as CSV"))}) {
        auto *button = new ActionButton(m_look, ActionButton::Kind::Flat, whole);
        button->setObjectName(QStringLiteral("lessonExport-") + kind);
        button->setText(text);
        button->setIconName(QStringLiteral("export"));
        button->setAccessibleName(spoken);
        button->setToolTip(spoken);
        button->setSmall(true);
        connect(button, &QAbstractButton::clicked, this, [this, kind = kind] { emit exportAsked(kind); });
        head->addWidget(button);
    }
    column->addLayout(head);
    auto *card = new Card(m_look, whole);
    m_chart = new LessonTimesView(m_look, card);
    m_chart->setObjectName(QStringLiteral("lessonChart"));
    card->add(m_chart);
    column->addWidget(card);
    return whole;
}

Words *LessonPage::prose(const QString &text, const char *token, QWidget *parent) const {
    auto *words = new Words(m_look, TextRole::Body, token, parent);
    words->setProse();
    words->setText(text);
    return words;
}

void LessonPage::setContents(const LessonContents &contents) {
    m_title->setText(contents.lesson.title);
    m_place->setText(contents.isRecording ? tr("recorded, %1").arg(placeWords(contents.story))
                                          : placeWords(contents.story));
    const int at = contents.story.at();
    const bool waits =
        !contents.isRecording && at > 0 &&
        contents.story.steps()[static_cast<std::size_t>(at) - 1].state == LessonStep::State::Current;
    m_close->setText(waits ? tr("Review step %1").arg(at) : tr("To the panes"));
    if (!m_goalsOf || *m_goalsOf != contents.lesson) {
        m_goalsOf = contents.lesson;
        fillGoals(contents);
    }
    m_readmeHead->setVisible(!contents.readme.isEmpty());
    m_readmeCard->setVisible(!contents.readme.isEmpty());
    m_readme->showText(contents.readme);
    if (m_told && m_told->steps() == contents.story.steps() && m_told->start() == contents.story.start())
        return; // whoever reads it keeps the place
    m_told = contents.story;
    fillSteps(contents);
    m_chart->show(lessonTimes(contents));
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
    if (const QString measured = measuredWords(step, scale); !measured.isEmpty())
        figures << measured;
    if (const QString expected = expectedWords(step, scale); !expected.isEmpty())
        figures << tr("predicted %1").arg(expected);
    const QString outcome = isAhead ? tr("to come") : outcomeWords(step);
    figures << outcome;
    auto *result = prose(figures.join(QStringLiteral(" · ")), "text.secondary", row);
    result->setObjectName(QStringLiteral("lessonResult-%1").arg(step.number));
    column->addLayout(head);
    column->addWidget(result);
    const QString hit = hitWords(step);
    if (!hit.isEmpty()) {
        auto *words = prose(hit, "text.secondary", row);
        words->setObjectName(QStringLiteral("lessonHit-%1").arg(step.number));
        words->setToolTip(hitRuleText());
        column->addWidget(words);
    }
    if (!step.why.isEmpty() && step.isDecided())
        column->addWidget(prose(step.why, "text.secondary", row));
    if (const QString runs = hunksThatRunWords(step.hunks, step.notRun); !runs.isEmpty())
        column->addWidget(prose(runs, "text.secondary", row));
    if (step.isDecided() && !step.taught.isEmpty()) {
        auto *taught = prose(tr("What it taught: %1").arg(step.taught), "text.primary", row);
        taught->setObjectName(QStringLiteral("lessonTaught-%1").arg(step.number));
        column->addWidget(taught);
    }
    row->setAccessibleName(
        tr("Step %1: %2, %3").arg(step.number).arg(step.title, figures.join(QStringLiteral(", "))) +
        (hit.isEmpty() ? QString() : QStringLiteral(", ") + hit));
    return row;
}

void LessonPage::fillSteps(const LessonContents &contents) {
    const LessonStory &story = contents.story;
    m_stepsHead->setRemark(story.device().isEmpty() ? tr("nothing was measured yet")
                                                    : tr("measured on %1").arg(story.device()));
    const TimeScale scale = scaleOf(story);
    m_steps->clear();
    for (const LessonStep &step : story.steps())
        m_steps->add(stepRow(step, scale));
}

void LessonPage::revealStep(int number) {
    for (QWidget *row : m_steps->findChildren<QWidget *>(QStringLiteral("lessonRow-%1").arg(number)))
        if (!row->isHidden())
            m_scroll->ensureWidgetVisible(row);
}

void LessonPage::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.bar"));
}

} // namespace warpwright
