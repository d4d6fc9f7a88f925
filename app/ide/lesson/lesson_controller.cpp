// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/lesson_controller.h"

#include "agent/record/live_run.h"
#include "app/ide/kit/actions.h"
#include "app/ide/lesson/lesson_page.h"
#include "app/ide/lesson/lesson_strip.h"
#include "app/ide/workbench/workbench.h"
#include "profiler_views/lesson/lesson_times_view.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QVBoxLayout>

#include <utility>

namespace warpwright {
namespace {

constexpr int soonMs = 200;

} // namespace

LessonController::LessonController(const Look &look, Workbench &bench, Actions &actions, QWidget *window)
    : QObject(window),
      m_bench(bench),
      m_actions(actions),
      m_strip(new LessonStrip(look, actions.showLesson, window)),
      m_page(new LessonPage(look, actions, window)) {
    m_page->hide();
    m_soon.setSingleShot(true);
    m_soon.setInterval(soonMs);
    connect(&m_soon, &QTimer::timeout, this, [this] {
        // A long record takes longer than this pause: one that is never read to its end shows nothing.
        if (m_readings > 0)
            m_soon.start();
        else
            read();
    });
    connect(&bench, &Workbench::opened, this, [this] {
        m_opensPage = false;
        take(std::nullopt);
        read();
    });
    connect(&bench, &Workbench::closed, this, [this] {
        m_jobs.next(); // what is being read is of another workspace
        take(std::nullopt);
    });
    connect(m_strip, &LessonStrip::stepPicked, this, [this](int number) {
        if (m_jump && m_contents)
            for (const LessonStep &step : m_contents->story.steps())
                if (step.number == number && !step.proposal.isEmpty() && m_jump(step.proposal))
                    return;
        emit pageAsked();
        // Behind the page's own layout.
        QMetaObject::invokeMethod(
            m_page, [this, number] { m_page->revealStep(number); }, Qt::QueuedConnection);
    });
    connect(actions.showLesson, &QAction::triggered, this, &LessonController::pageAsked);
    connect(actions.findChild<QAction *>(QStringLiteral("closingPicture")), &QAction::triggered, this,
            [this] {
                emit pageAsked();
                // Behind the page's own layout.
                QMetaObject::invokeMethod(m_page, &LessonPage::revealChart, Qt::QueuedConnection);
            });
    connect(&bench, &Workbench::runChanged, this, &LessonController::enable);
    enable();
}

QWidget *LessonController::above(QWidget *content) const {
    auto *both = new QWidget(content->parentWidget());
    auto *column = new QVBoxLayout(both);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_strip);
    column->addWidget(content, 1);
    return both;
}

void LessonController::readSoon() {
    if (m_contents && !m_soon.isActive())
        m_soon.start();
}

void LessonController::openPage() {
    m_opensPage = true;
    read();
}

void LessonController::setRunning(bool isRunning, bool isOfSteps) {
    m_isRunning = isRunning;
    m_isOfSteps = isOfSteps;
    enable();
}

QString LessonController::runWords() const {
    return m_contents && m_isOfSteps ? tr("the lesson is running") : tr("an agent's run is going on");
}

QString LessonController::stopFirstWords() const {
    return m_contents && m_isOfSteps
               ? tr("The lesson is running. Stop it, then choose the lesson again.")
               : tr("An agent's run is going on. Stop it, then choose the lesson again.");
}

void LessonController::read() {
    m_soon.stop();
    if (!m_bench.workspace())
        return;
    ++m_readings;
    inPool(
        this,
        [workspace = *m_bench.workspace(), folders = m_bench.folders()] {
            return lessonContents(workspace, folders);
        },
        [this, job = m_jobs.next()](const std::optional<LessonContents> &contents) {
            --m_readings;
            if (!m_jobs.isStale(job))
                take(contents);
        });
}

void LessonController::take(const std::optional<LessonContents> &contents) {
    m_contents = contents;
    // Its record does not tell that the program died.
    if (m_contents && !m_isRunning && !m_contents->isRecording && !m_contents->elsewhere)
        m_contents->story.rest();
    m_strip->setContents(m_contents);
    enable();
    if (m_contents)
        m_page->setContents(*m_contents);
    if (contents && std::exchange(m_opensPage, false))
        emit pageAsked();
    emit shown();
}

void LessonController::enable() {
    const QString none = !m_bench.workspace() ? tr("no workspace is open")
                         : !m_contents        ? tr("this workspace was not made of a lesson")
                                              : QString();
    Actions::setReason(m_actions.showLesson, none);
    Actions::setReason(m_actions.findChild<QAction *>(QStringLiteral("closingPicture")),
                       !none.isEmpty()                ? none
                       : m_contents->isFinished()     ? QString()
                       : m_contents->story.hasBegun() ? tr("not all steps are decided")
                                                      : tr("the lesson has not begun"));
    const QString running = m_isRunning ? runWords() : QString();
    Actions::setReason(m_actions.beginLessonAnew, none.isEmpty() ? running : none);
    Actions::setReason(m_actions.beginLesson,
                       !none.isEmpty()                ? none
                       : !running.isEmpty()           ? running
                       : m_bench.isRunning()          ? tr("a check is running")
                       : m_contents->story.hasBegun() ? tr("it has begun: continue it, or begin it anew")
                       : m_contents->isRecording      ? tr("this is a recording of one")
                       : m_contents->elsewhere ? tr("it %1").arg(runsElsewhereWords(*m_contents->elsewhere))
                                               : m_bench.readOnlyReason());
    Actions::setReason(m_actions.openLesson, running);
}

Result<void> LessonController::write(const QString &kind, const QString &file) const {
    LessonTimesView &shown = m_page->chart();
    if (kind == QLatin1String("csv"))
        return shown.exportCsv(file);
    // A handout is printed: black on white, whatever the window's theme.
    Look printed;
    printed.set(Theme::light(), shown.plot().look().scale());
    LessonTimesView chart(printed);
    chart.show(m_contents ? lessonTimes(*m_contents) : LessonTimes());
    chart.resize(shown.size().expandedTo(chart.minimumSize()));
    chart.grab(); // lays it out
    return kind == QLatin1String("png") ? chart.exportPng(file) : chart.exportSvg(file);
}

QString LessonController::fileName(const QString &kind) const {
    return QStringLiteral("%1.%2").arg(m_contents ? m_contents->lesson.name : QStringLiteral("lesson"), kind);
}

} // namespace warpwright
