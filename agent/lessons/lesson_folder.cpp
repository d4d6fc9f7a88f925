// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/lessons/lesson_folder.h"

#include "agent/script/lesson_fields.h"
#include "agent/script/script_folder.h"
#include "toolchain/base/text_file.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <map>
#include <utility>

namespace warpwright {
namespace {

QString withoutStop(const QString &sentence) {
    return sentence.endsWith(QLatin1Char('.')) ? sentence.chopped(1) : sentence;
}

/// One is the sentence; of several it says how many, and each has a line below it.
Result<Lesson> cannotFollow(const QString &path, const std::vector<LessonFault> &faults) {
    QStringList lines;
    for (const auto &[why, remedy] : faults)
        lines << (remedy.isEmpty() ? why + QLatin1Char('.') : why + QStringLiteral(". ") + remedy);
    const QString head = QStringLiteral("Cannot follow the lesson \"%1\": ").arg(path);
    return Result<Lesson>::error(
        lines.size() == 1 ? head + lines.front()
                          : head + QStringLiteral("%1 mistakes in its folder.\n").arg(lines.size()) +
                                lines.join(QLatin1Char('\n')));
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
        bool isNumber = false;
        const int number = match.captured(1).toInt(&isNumber);
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
        } else if (!isNumber) {
            faults.emplace_back(QStringLiteral("the number of steps/%1 is too large").arg(name), rename);
        } else if (const auto [same, isNew] = numbers.emplace(number, name); !isNew) {
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

/// A lesson is laid out from what lies in it, and its candidate is read by agents: a link that leads
/// elsewhere would bring along what is none of it. In words and with its remedy, as misnamedStep.
std::pair<QString, QString> strayLink(const QString &lesson) {
    const QString inside = QFileInfo(lesson).canonicalFilePath() + QLatin1Char('/');
    for (const char *part : {"/start", "/steps"}) {
        QDirIterator entries(lesson + QLatin1String(part),
                             QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                             QDirIterator::Subdirectories);
        while (entries.hasNext()) {
            entries.next();
            const QFileInfo entry = entries.fileInfo();
            const QString name = QDir(lesson).relativeFilePath(entry.filePath());
            if (!entry.isSymLink()) {
                if (!entry.isFile() && !entry.isDir())
                    return {QStringLiteral("%1 is neither a file nor a folder").arg(name),
                            QStringLiteral("Take it out of the lesson.")};
                continue;
            }
            const QString target = entry.canonicalFilePath(); // empty: there is none
            if (!target.startsWith(inside))
                return {QStringLiteral("%1 is a link to \"%2\", which %3")
                            .arg(name, entry.symLinkTarget(),
                                 target.isEmpty() ? QStringLiteral("is not there")
                                                  : QStringLiteral("is outside the lesson")),
                        QStringLiteral("Put a copy of the file in its place, or take the link out.")};
        }
    }
    return {};
}

/// Why a step fits nowhere, where the ends of its lines are the cause; empty: they are not.
QString otherLineEnds(const CandidateTexts &texts, const ScriptStep &step) {
    for (const FilePatch &file : step.patch.files) {
        const auto found = texts.find(file.from);
        if (found == texts.end() || file.hunks.empty() || file.hunks.front().oldLines.empty())
            continue;
        const bool inPatch = file.hunks.front().oldLines.front().endsWith("\r\n");
        const bool inFile = found->second.contains("\r\n");
        if (inPatch != inFile)
            return QStringLiteral(" (lines end in %1 in the patch, in %2 in the file)")
                .arg(inPatch ? QStringLiteral("CRLF") : QStringLiteral("LF"),
                     inFile ? QStringLiteral("CRLF") : QStringLiteral("LF"));
    }
    return {};
}

/// A step that the text before it has no place for; those behind it rest on it, and are not looked at.
void addStepThatDoesNotFit(const QString &path, CandidateTexts texts, std::vector<LessonFault> &faults) {
    const Result<std::vector<ScriptStep>> steps = readScriptFolder(path + QStringLiteral("/steps"));
    if (!steps.hasValue()) {
        faults.emplace_back(withoutStop(steps.message()), QString());
        return;
    }
    for (const ScriptStep &step : steps.value()) {
        const Result<PatchedTexts> after = afterStep(texts, step);
        if (after.hasValue()) {
            texts = after.value().texts;
            continue;
        }
        const QString ends = otherLineEnds(texts, step);
        faults.emplace_back(
            QStringLiteral("the step steps/%1 does not fit the text that the steps before it make: %2")
                .arg(step.name, withoutStop(after.message()) + ends),
            ends.isEmpty() ? QStringLiteral("Make the patch anew from that text.")
                           : QStringLiteral("Give both the same ends."));
        return;
    }
}

} // namespace

Result<Lesson> openLessonFolder(const QString &folder) {
    const QString path = QDir::cleanPath(QFileInfo(folder).absoluteFilePath());
    const QString start = path + QStringLiteral("/start");
    if (!QFileInfo(path).isDir())
        return cannotFollow(path, {{QStringLiteral("there is no such folder"),
                                    QStringLiteral("Name the folder that holds start/ and steps/.")}});
    // All that is wrong at once: whoever writes a lesson mends it in one go.
    std::vector<LessonFault> faults;
    if (!QFileInfo::exists(start + QStringLiteral("/model.py")))
        faults.emplace_back(QStringLiteral("start/model.py is missing"),
                            QStringLiteral("A lesson begins with a workspace in start/: its reference is "
                                           "model.py, its candidate model_new.py and kernels/."));
    if (const auto [why, remedy] = strayLink(path); !why.isEmpty()) {
        faults.emplace_back(why, remedy);
        return cannotFollow(path, faults); // nothing behind a link is read
    }
    const Result<CandidateTexts> texts = candidateAtStart(start);
    if (!texts.hasValue())
        faults.emplace_back(withoutStop(texts.message()), QStringLiteral("Make the file readable."));
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
    return faults.empty() ? Result<Lesson>::ok(readLesson(path, path + QStringLiteral("/steps")))
                          : cannotFollow(path, faults);
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
