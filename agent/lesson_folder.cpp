// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/lesson_folder.h"

#include "agent/script_folder.h"
#include "toolchain/json.h"
#include "toolchain/text_file.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

namespace warpwright {
namespace {

Result<Lesson> cannotFollow(const QString &path, const QString &why, const QString &remedy) {
    return Result<Lesson>::error(
        QStringLiteral("Cannot follow the lesson \"%1\": %2. %3")
            .arg(path, why.endsWith(QLatin1Char('.')) ? why.chopped(1) : why, remedy));
}

Result<CandidateTexts> candidateAtStart(const QString &start) {
    using Answer = Result<CandidateTexts>;
    CandidateTexts texts;
    QDirIterator files(start, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        const QString name = QDir(start).relativeFilePath(path);
        if (!isCandidatePath(name))
            continue;
        Result<QByteArray> text = readTextFile(path);
        if (!text.hasValue())
            return Answer::error(text.message());
        texts[name] = std::move(text).value();
    }
    return Answer::ok(std::move(texts));
}

} // namespace

Result<Lesson> openLessonFolder(const QString &folder) {
    const QString path = QDir::cleanPath(QFileInfo(folder).absoluteFilePath());
    const QString start = path + QStringLiteral("/start");
    if (!QFileInfo(path).isDir())
        return cannotFollow(path, QStringLiteral("there is no such folder"),
                            QStringLiteral("Name the folder that holds start/ and steps/."));
    if (!QFileInfo::exists(start + QStringLiteral("/model.py")))
        return cannotFollow(path, QStringLiteral("start/model.py is missing"),
                            QStringLiteral("A lesson begins with a workspace in start/: its reference is "
                                           "model.py, its candidate model_new.py and kernels/."));
    const QString words = path + QLatin1Char('/') + lessonWordsFile;
    if (QFileInfo::exists(words)) {
        const Result<QByteArray> text = readTextFile(words);
        const Result<Json> json =
            text.hasValue() ? parseJson(text.value()) : Result<Json>::error(text.message());
        if (!json.hasValue() || !json.value().is_object())
            return cannotFollow(
                path,
                QStringLiteral("lesson.json cannot be read: ") +
                    (json.hasValue() ? QStringLiteral("it is no JSON object") : json.message()),
                QStringLiteral("Mend it, or take it away: it has words only."));
    }
    Result<CandidateTexts> read = candidateAtStart(start);
    if (!read.hasValue())
        return cannotFollow(path, read.message(), QStringLiteral("Make the file readable."));
    CandidateTexts texts = std::move(read).value();
    if (texts.empty())
        return cannotFollow(path, QStringLiteral("start/ has no candidate"),
                            QStringLiteral("Put model_new.py and kernels/ there, right and slow."));
    const Result<std::vector<ScriptStep>> steps = readScriptFolder(path + QStringLiteral("/steps"));
    if (!steps.hasValue())
        return Result<Lesson>::error(steps.message());
    for (const ScriptStep &step : steps.value()) {
        const Result<PatchedTexts> after = afterStep(texts, step);
        if (!after.hasValue())
            return cannotFollow(path,
                                QStringLiteral("the step steps/%1 does not fit the text that the steps "
                                               "before it make: %2")
                                    .arg(step.name, after.message()),
                                QStringLiteral("Make the patch anew from that text."));
        texts = after.value().texts;
    }
    return Result<Lesson>::ok(readLesson(path, path + QStringLiteral("/steps")));
}

Result<Lesson> lessonByName(const QString &resources, const QString &name) {
    Result<Lesson> shipped = findLesson(resources, name);
    if (shipped.hasValue())
        return shipped;
    if (name.contains(QLatin1Char('/')) || QFileInfo(name).isDir())
        return openLessonFolder(name);
    return Result<Lesson>::error(shipped.message() +
                                 QStringLiteral(" Or name the folder of a lesson of your own."));
}

} // namespace warpwright
