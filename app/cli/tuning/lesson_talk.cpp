// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/lesson_talk.h"

#include "agent/lessons/lesson_words.h"
#include "app/cli/process/terminal.h"
#include "toolchain/report/text_table.h"

#include <QFileInfo>

#include <algorithm>

namespace warpwright {

LessonTalk::LessonTalk(Places places, Lesson lesson, LessonStory story, Recorder &kept)
    : m_places(std::move(places)), m_lesson(std::move(lesson)), m_story(std::move(story)), m_kept(kept) {}

std::unique_ptr<LessonTalk> LessonTalk::of(const Places &places, const QString &source, bool continues,
                                           Recorder &kept) {
    const QString steps = places.workspace + QLatin1Char('/') + lessonStepsFolder;
    if (source.isEmpty() || QFileInfo(source) != QFileInfo(steps))
        return nullptr;
    std::optional<Lesson> lesson = lessonIn(places.workspace);
    const auto read = readScriptFolder(steps);
    if (!lesson || !read.hasValue()) // the agent says what is wrong with them
        return nullptr;
    LessonStory story = continues ? lessonStoryIn(places.state, read.value()) : LessonStory(read.value());
    return std::unique_ptr<LessonTalk>(new LessonTalk(places, *std::move(lesson), std::move(story), kept));
}

Result<void> LessonTalk::append(const QString &kind, const Json &body) {
    if (Result<void> kept = m_kept.append(kind, body); !kept.hasValue())
        return kept;
    m_story.take(kind, body);
    if (kind == QLatin1String("proposal") && m_story.at() > 0)
        tell(QLatin1Char('\n') +
             inked(m_places.terminal, Ink::Faint,
                   QStringLiteral("Step %1 of %2").arg(m_story.at()).arg(m_story.steps().size())) +
             QLatin1Char('\n'));
    return Result<void>::ok();
}

void LessonTalk::hear(const AgentMessage &message) {
    if (!message.id.endsWith(QLatin1String("-taught")) && !message.id.endsWith(QLatin1String("-runs")))
        return;
    QString words = message.text; // Markdown: its one mark is of the head
    words.remove(QStringLiteral("**"));
    tell(wrapped(printable(words), m_places.terminal.columns, 0) + QLatin1Char('\n'));
}

void LessonTalk::begin() const {
    QString text =
        inked(m_places.terminal, Ink::Strong, printableLine(m_lesson.title)) +
        QStringLiteral(", a lesson of %1\n")
            .arg(countText(static_cast<qsizetype>(m_story.steps().size()), QStringLiteral("step")));
    if (!m_lesson.kernel.isEmpty())
        text += printableLine(m_lesson.kernel) + QLatin1Char('\n');
    if (!m_lesson.description.isEmpty())
        text += printableLine(m_lesson.description) + QLatin1Char('\n');
    for (const QString &goal : m_lesson.goals)
        text +=
            wrapped(QStringLiteral("- ") + printable(goal), m_places.terminal.columns, 2) + QLatin1Char('\n');
    if (m_story.hasBegun())
        text += QStringLiteral("It goes on at %1.\n").arg(placeWords(m_story));
    tell(text);
}

void LessonTalk::end() const {
    if (!m_story.start())
        return;
    const TimeScale scale = scaleOf(m_story);
    TextTable table({0, 1, 2});
    table.heading({QStringLiteral("step"), QStringLiteral("predicted"), QStringLiteral("measured"),
                   QStringLiteral("decided"), QString()});
    table.row({QStringLiteral("0"), QString(),
               scale.withSpread(m_story.start()->medianMicroseconds, m_story.start()->lowMicroseconds,
                                m_story.start()->highMicroseconds),
               QString(), QStringLiteral("the start")});
    for (const LessonStep &step : m_story.steps()) {
        // A step that waited for an answer when the run ended waits no more.
        const QString outcome = step.isDecided() ? outcomeWords(step) : QStringLiteral("not decided");
        table.row({QString::number(step.number), expectedWords(step, scale),
                   measuredWords(withKeptTime(m_story, step), scale), outcome, printableLine(step.title)});
    }
    tell(QStringLiteral("\n%1 on %2\n").arg(printableLine(m_lesson.title), printableLine(m_story.device())) +
         table.text(m_places.terminal, 2));
    // What it may come to is told to those who have bet on all of it.
    if (const QString promise =
            m_story.at() == 0 ? promiseWords(listRecordings(m_places.resources), m_lesson.name) : QString();
        !promise.isEmpty())
        tell(wrapped(promise, m_places.terminal.columns, 0) + QLatin1Char('\n'));
}

void LessonTalk::tell(const QString &text) const {
    if (m_clear)
        m_clear();
    print(m_places.words, text);
}

} // namespace warpwright
