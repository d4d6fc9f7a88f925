// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/lesson_contents.h"

#include "agent/lessons/lesson_words.h"
#include "agent/record/live_run.h"
#include "agent/review/bet_first.h"
#include "agent/review/prediction_outcome.h"
#include "toolchain/base/text_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <utility>

namespace warpwright {
namespace {

/// The lesson that this recording is of, by its steps' titles.
std::optional<LessonContents> recordedLesson(const Workspace &workspace, const QString &resources) {
    const Result<std::vector<Lesson>> lessons = listLessons(resources);
    if (!lessons.hasValue())
        return std::nullopt;
    for (const Lesson &lesson : lessons.value()) {
        const auto steps = readScriptFolder(lesson.folder + QStringLiteral("/steps"));
        if (!steps.hasValue())
            continue;
        LessonContents found;
        found.story = lessonStoryIn(workspace.state, steps.value());
        if (!found.story.hasBegun())
            continue;
        found.lesson = lesson;
        found.isRecording = true;
        return found;
    }
    return std::nullopt;
}

void takeReadme(LessonContents &contents, const QString &folder) {
    const Result<QByteArray> text = readTextFile(folder + QStringLiteral("/README.md"));
    if (!text.hasValue())
        return;
    IllustratedText readme = withImages(QString::fromUtf8(text.value()), folder);
    contents.readme = withLinkedFiles(readme.text, folder);
    contents.images = std::move(readme.images);
}

} // namespace

QString withLinkedFiles(const QString &text, const QString &folder) {
    // Not within a link, and not the fence of a block.
    static const QRegularExpression code(QStringLiteral("(?<![`\\[])`([^`\\n]+)`(?![`\\]])"));
    QString linked;
    qsizetype from = 0;
    for (auto matches = code.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        const QString name = match.captured(1);
        const bool isFile = QDir::isRelativePath(name) && !name.startsWith(QLatin1String("..")) &&
                            !name.contains(QLatin1Char(' ')) &&
                            QFileInfo(folder + QLatin1Char('/') + name).isFile();
        linked += text.mid(from, match.capturedStart() - from) +
                  (isFile ? QStringLiteral("[`%1`](%1)").arg(name) : match.captured());
        from = match.capturedEnd();
    }
    return linked + text.mid(from);
}

std::optional<LessonContents> lessonContents(const Workspace &workspace, const DataFolders &folders) {
    std::optional<LessonContents> found;
    if (const std::optional<Lesson> lesson = lessonIn(workspace.folder); lesson) {
        const auto steps = readScriptFolder(workspace.folder + QLatin1Char('/') + lessonStepsFolder);
        if (!steps.hasValue())
            return std::nullopt;
        found = LessonContents();
        found->lesson = *lesson;
        found->story = lessonStoryIn(workspace.state, steps.value());
        takeReadme(*found, workspace.folder);
        found->elsewhere = otherProcessAt(workspace.state);
        if (const Result<Lesson> shipped = findLesson(folders.resources, lesson->name);
            shipped.hasValue() && lesson->goals.empty()) { // laid out before lessons told their goals
            found->lesson = shipped.value();
        }
    } else if (QFileInfo(workspace.folder).absolutePath() ==
               QDir::cleanPath(folders.data + QStringLiteral("/recordings"))) {
        found = recordedLesson(workspace, folders.resources);
        if (found)
            takeReadme(*found, found->lesson.folder + QStringLiteral("/start"));
    }
    if (found) {
        found->workspace = workspace.folder;
        // What may come is not told before it was bet on; and a recording's own chart tells it.
        if (!found->isRecording && found->isFinished())
            found->promise = promiseWords(listRecordings(folders.resources), found->lesson.name);
    }
    return found;
}

QString whoBets() {
    return QStringLiteral("person");
}

LessonTimes lessonTimes(const LessonContents &contents) {
    const LessonStory &story = contents.story;
    LessonTimes times;
    times.lesson = contents.lesson.title;
    times.device = story.device();
    times.when = story.measuredAt();
    StepTimes start;
    start.title = QCoreApplication::translate("LessonContents", "the start");
    start.measured = story.start();
    times.steps.push_back(start);
    for (const LessonStep &step : story.steps()) {
        StepTimes shown;
        shown.number = step.number;
        shown.title = step.title;
        const std::optional<ArmTiming> ofPart = timeOfPart(story, step);
        LessonStep counted = step;
        // The part that was kept has a check of its own, as the text before had: both are of that kind.
        if (ofPart)
            counted.measuredFrom =
                step.before ? std::optional(step.before->medianMicroseconds) : std::nullopt;
        if (mayShowNumbers(step)) {
            shown.measured = ofPart ? ofPart : step.resulting();
            shown.expected = counted.expected(step.prediction);
            if (!ofPart && shown.measured)
                shown.base = step.beside();
            if (!ofPart && step.measured && !step.isUnexercised)
                shown.factor = timesFasterText(step.measured->value);
            shown.isUndecided = step.isUndecided() || step.verdict == Verdict::Inconclusive;
        }
        if (const auto bet = step.bets.find(whoBets()); bet != step.bets.end())
            shown.bet = counted.expected(bet->second);
        shown.outcome = outcomeWords(step);
        shown.isKept = step.state == LessonStep::State::Kept || ofPart;
        times.steps.push_back(std::move(shown));
    }
    return times;
}

} // namespace warpwright
