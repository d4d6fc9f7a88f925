// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/lesson_folder.h"

#include "agent/lesson_fields.h"
#include "agent/script_folder.h"
#include "toolchain/text_file.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <map>
#include <utility>

namespace warpwright {
namespace {

Result<Lesson> cannotFollow(const QString &path, const QString &why, const QString &remedy) {
    return Result<Lesson>::error(QStringLiteral("Cannot follow the lesson \"%1\": %2. %3")
                                     .arg(path, why.endsWith(QLatin1Char('.')) ? why.chopped(1) : why, remedy)
                                     .trimmed());
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

/// What in steps/ a teacher will have meant as a step and is none, in words and with its remedy. A series of
/// patches may hold what it likes: only a lesson is read through for it.
void addMisnamedSteps(const QString &steps, std::vector<LessonFault> &faults) {
    static const QRegularExpression form(QStringLiteral("^(\\d+)-.+$"));
    const QDir dir(steps);
    const QString rename = QStringLiteral("Name it as 02-wide.patch: a number, a dash, what it is about.");
    std::map<int, QString> numbers;
    const std::size_t before = faults.size();
    for (const QFileInfo &entry :
         dir.entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const QString name = entry.fileName();
        const QString suffix = entry.isFile() ? entry.suffix() : QString();
        const QRegularExpressionMatch match = form.match(name);
        if (suffix == QLatin1String("diff")) {
            faults.emplace_back(QStringLiteral("steps/%1 is not read").arg(name),
                                QStringLiteral("Name it %1.patch.").arg(entry.completeBaseName()));
        } else if (suffix == QLatin1String("json")) {
            const QString step = entry.completeBaseName();
            if (!dir.exists(step + QStringLiteral(".patch")) && !dir.exists(step))
                faults.emplace_back(
                    QStringLiteral("steps/%1 tells of a step that is not there").arg(name),
                    QStringLiteral("Add steps/%1.patch, or name the file after its patch.").arg(step));
        } else if (suffix == QLatin1String("md")) {
            continue; // a teacher's own notes
        } else if (entry.isFile() && suffix != QLatin1String("patch")) {
            faults.emplace_back(QStringLiteral("steps/%1 is no step and no words of one").arg(name),
                                QStringLiteral("Move it out of steps/; notes may lie there as .md."));
        } else if (!match.hasMatch()) {
            faults.emplace_back(QStringLiteral("steps/%1 has no number").arg(name), rename);
        } else if (const auto [same, isNew] = numbers.emplace(match.captured(1).toInt(), name); !isNew) {
            faults.emplace_back(
                QStringLiteral("steps/%1 and steps/%2 have the same number").arg(same->second, name),
                QStringLiteral("Number the steps in the order in which they are to be taken."));
        }
    }
    if (faults.size() > before)
        return; // one that gets its name may be the one that is missing
    // From 0 or from 1, and on without a gap: a step that was forgotten would not be missed.
    int next = numbers.empty() || numbers.begin()->first == 0 ? 0 : 1;
    for (const auto &[number, name] : numbers) {
        if (number != next)
            faults.emplace_back(QStringLiteral("step %1 is missing: steps/%2 comes next").arg(next).arg(name),
                                QStringLiteral("Add steps/%1-name.patch, or number those behind it anew.")
                                    .arg(next, 2, 10, QLatin1Char('0')));
        next = number + 1;
    }
}

/// Lines that end otherwise than a patch's are other lines, and look the same in an editor.
QString otherLineEnds(const CandidateTexts &texts, const QString &patchFile) {
    const Result<QByteArray> patch = readTextFile(patchFile);
    if (!patch.hasValue())
        return {};
    const bool isPatchCrLf = patch.value().contains("\r\n");
    for (const auto &[name, text] : texts)
        if (text.contains("\r\n") != isPatchCrLf && patch.value().contains(name.toUtf8()))
            return (isPatchCrLf
                        ? QStringLiteral("The patch's lines end in CRLF, and those of %1 in LF: give both "
                                         "the same ends, then try again.")
                        : QStringLiteral("The lines of %1 end in CRLF, and the patch's in LF: give both the "
                                         "same ends, then try again."))
                .arg(name);
    return {};
}

/// A step that the text before it has no place for; those behind it rest on it, and are not looked at.
void addStepThatDoesNotFit(const QString &path, CandidateTexts texts, std::vector<LessonFault> &faults) {
    const Result<std::vector<ScriptStep>> steps = readScriptFolder(path + QStringLiteral("/steps"));
    if (!steps.hasValue()) {
        faults.emplace_back(steps.message().chopped(steps.message().endsWith(QLatin1Char('.')) ? 1 : 0),
                            QString());
        return;
    }
    for (const ScriptStep &step : steps.value()) {
        const Result<PatchedTexts> after = afterStep(texts, step);
        if (after.hasValue()) {
            texts = after.value().texts;
            continue;
        }
        const QString ends = otherLineEnds(texts, path + QStringLiteral("/steps/%1.patch").arg(step.name));
        QString why = after.message();
        if (why.endsWith(QLatin1Char('.')))
            why.chop(1);
        faults.emplace_back(
            QStringLiteral("the step steps/%1 does not fit the text that the steps before it make: %2")
                .arg(step.name, why),
            ends.isEmpty() ? QStringLiteral("Make the patch anew from that text.") : ends);
        return;
    }
}

} // namespace

Result<Lesson> openLessonFolder(const QString &folder) {
    const QString path = QDir::cleanPath(QFileInfo(folder).absoluteFilePath());
    const QString start = path + QStringLiteral("/start");
    if (!QFileInfo(path).isDir())
        return cannotFollow(path, QStringLiteral("there is no such folder"),
                            QStringLiteral("Name the folder that holds start/ and steps/."));
    // All that is wrong at once: whoever writes a lesson mends it in one go.
    std::vector<LessonFault> faults;
    if (!QFileInfo::exists(start + QStringLiteral("/model.py")))
        faults.emplace_back(QStringLiteral("start/model.py is missing"),
                            QStringLiteral("A lesson begins with a workspace in start/: its reference is "
                                           "model.py, its candidate model_new.py and kernels/."));
    const Result<CandidateTexts> texts = candidateAtStart(start);
    if (!texts.hasValue())
        faults.emplace_back(texts.message().chopped(texts.message().endsWith(QLatin1Char('.')) ? 1 : 0),
                            QStringLiteral("Make the file readable."));
    else if (texts.value().empty())
        faults.emplace_back(QStringLiteral("start/ has no candidate"),
                            QStringLiteral("Put model_new.py and kernels/ there, right and slow."));
    const bool hasSteps = QFileInfo(path + QStringLiteral("/steps")).isDir();
    if (!hasSteps)
        faults.emplace_back(
            QStringLiteral("the folder steps/ is missing"),
            QStringLiteral("Put the patches there: 01-name.patch, 02-name.patch, each with its "
                           "words in 01-name.json."));
    else
        addMisnamedSteps(path + QStringLiteral("/steps"), faults);
    for (LessonFault &fault : faultsOfLessonWords(path))
        faults.push_back(std::move(fault));
    // Steps of a folder that is not whole would not fit for that alone.
    const bool isWhole = std::none_of(faults.begin(), faults.end(), [](const LessonFault &fault) {
        return !fault.first.contains(QLatin1String(".json: "));
    });
    if (isWhole && hasSteps && texts.hasValue() && !texts.value().empty()) {
        std::vector<LessonFault> ofText;
        addStepThatDoesNotFit(path, texts.value(), ofText);
        // Words that cannot be read were told with their place already.
        if (faults.empty() ||
            (!ofText.empty() && ofText.front().first.startsWith(QLatin1String("the step "))))
            faults.insert(faults.end(), ofText.begin(), ofText.end());
    }
    if (faults.empty())
        return Result<Lesson>::ok(readLesson(path, path + QStringLiteral("/steps")));
    QStringList lines;
    for (const auto &[why, remedy] : faults)
        lines << (remedy.isEmpty() ? why + QLatin1Char('.') : why + QStringLiteral(". ") + remedy);
    const QString rest = lines.size() > 1 ? QStringLiteral("\nAnd so with %1:\n").arg(lines.size() - 1) +
                                                lines.mid(1).join(QLatin1Char('\n'))
                                          : QString();
    return cannotFollow(path, faults.front().first, faults.front().second + rest);
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
