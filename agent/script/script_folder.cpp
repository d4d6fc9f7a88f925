// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/script/script_folder.h"

#include "agent/script/lesson_fields.h"
#include "toolchain/base/text_file.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>

namespace warpwright {
namespace {

QString cannotRead(const QString &path, const QString &why) {
    return QStringLiteral("Cannot read the step \"%1\": %2. Mend it, or take it out of the folder.")
        .arg(path, why.endsWith(QLatin1Char('.')) ? why.chopped(1) : why);
}

/// «Subject: [PATCH 2/7] words» of git format-patch, else the first line with words.
void takeHeader(const QString &header, ScriptStep &step) {
    static const QRegularExpression mail(
        QStringLiteral("^(From |From:|Date:|Message-Id:|To:|Cc:|index |---)"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression subject(QStringLiteral("^Subject:\\s*(\\[[^\\]]*\\]\\s*)?"));
    QStringList rest;
    for (QString line : header.split(QLatin1Char('\n'))) {
        if (mail.match(line).hasMatch())
            continue;
        if (line.trimmed().compare(QLatin1String("undecided: keep"), Qt::CaseInsensitive) == 0) {
            step.keepsUndecided = true;
            continue;
        }
        line.remove(subject);
        if (step.title.isEmpty() && !line.trimmed().isEmpty())
            step.title = line.trimmed();
        else if (!step.title.isEmpty())
            rest << line;
    }
    step.reason = rest.join(QLatin1Char('\n')).trimmed();
}

/// The reason when it cannot be read; empty: taken, or there is none.
QString takeWords(const QString &path, ScriptStep &step) {
    if (!QFileInfo::exists(path))
        return {};
    const Result<QByteArray> text = readTextFile(path);
    if (!text.hasValue())
        return text.message();
    const Result<Json> json = parseJson(text.value());
    if (!json.hasValue())
        return jsonFaultWords(json.message());
    if (!json.value().is_object())
        return QStringLiteral("it is no JSON object");
    const Json &words = json.value();
    step.title = stringIn(words, "title", step.title);
    step.reason = stringIn(words, "reason", step.reason);
    step.move = stringIn(words, "move");
    step.taught = stringIn(words, "taught");
    if (const QString undecided = stringIn(words, "undecided"); !undecided.isEmpty()) {
        if (undecided != QLatin1String("keep") && undecided != QLatin1String("leave-out"))
            return QStringLiteral("its \"undecided\" is \"%1\"; it may be \"keep\" or \"leave-out\"")
                .arg(undecided);
        step.keepsUndecided = undecided == QLatin1String("keep");
    }
    const Json prediction = words.value("prediction", Json::object());
    step.prediction = predictionFromJson(prediction);
    for (const char *kind : {"cpu", "cuda"})
        if (const auto part = prediction.find(kind); part != prediction.end()) {
            if (!part->is_object())
                return QStringLiteral("its prediction's \"%1\" is no JSON object").arg(QLatin1String(kind));
            step.predictions[QLatin1String(kind)] = predictionFromJson(*part);
        }
    for (const QString &gone : stringsIn(words.value("deleted", Json::array())))
        step.deleted.push_back(gone);
    for (const Json &renamed : words.value("renamed", Json::array()))
        step.renames.push_back({stringIn(renamed, "from"), stringIn(renamed, "to")});
    // A word that is left out without a sound is one that its author believes in.
    if (const std::vector<LessonFault> faults = faultsOfStepWords(path); !faults.empty())
        return faults.front().first + QStringLiteral(". ") + faults.front().second;
    return {};
}

QString takeFiles(const QString &folder, ScriptStep &step) {
    QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        const QString name = QDir(folder).relativeFilePath(path);
        if (name == QLatin1String("proposal.json"))
            continue;
        if (!isCandidatePath(name))
            return QStringLiteral("it holds \"%1\"; an agent writes model_new.py and kernels/ only")
                .arg(name);
        Result<QByteArray> text = readTextFile(path);
        if (!text.hasValue())
            return text.message();
        step.files[name] = std::move(text).value();
    }
    return {};
}

} // namespace

const Prediction &ScriptStep::expectedOn(const QString &kind) const {
    const auto part = predictions.find(kind);
    return part == predictions.end() ? prediction : part->second;
}

Result<std::vector<ScriptStep>> readScriptFolder(const QString &folder) {
    using Answer = Result<std::vector<ScriptStep>>;
    static const QRegularExpression form(QStringLiteral("^\\d+-.+$"));
    std::vector<ScriptStep> steps;
    const QDir dir(folder);
    for (const QFileInfo &entry :
         dir.entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const bool isPatch = entry.isFile() && entry.suffix() == QLatin1String("patch");
        if (!form.match(entry.fileName()).hasMatch() || !(isPatch || entry.isDir()))
            continue;
        ScriptStep step;
        step.name = isPatch ? entry.completeBaseName() : entry.fileName();
        QString why;
        QString file = entry.filePath(); // that the reason is of
        if (isPatch) {
            const Result<QByteArray> text = readTextFile(entry.filePath());
            const Result<UnifiedPatch> patch = text.hasValue() ? parseUnifiedPatch(text.value())
                                                               : Result<UnifiedPatch>::error(text.message());
            why = patch.message();
            if (patch.hasValue()) {
                step.patch = patch.value();
                takeHeader(step.patch.header, step);
            }
        } else {
            why = takeFiles(entry.filePath(), step);
        }
        for (const QString &words : {dir.filePath(step.name + QStringLiteral(".json")),
                                     entry.filePath() + QStringLiteral("/proposal.json")})
            if (why.isEmpty()) {
                why = takeWords(words, step);
                file = words;
            }
        if (!why.isEmpty())
            return Answer::error(cannotRead(file, why));
        if (step.title.isEmpty())
            step.title = step.name.mid(step.name.indexOf(QLatin1Char('-')) + 1)
                             .replace(QLatin1Char('-'), QLatin1Char(' '));
        steps.push_back(std::move(step));
    }
    if (steps.empty())
        return Answer::error(
            QStringLiteral("Cannot use \"%1\" as a script: there is no step in it. Name patches "
                           "01-name.patch, or folders with whole files 01-name/.")
                .arg(folder));
    return Answer::ok(std::move(steps));
}

Result<PatchedTexts> afterStep(const CandidateTexts &texts, const ScriptStep &step) {
    using Answer = Result<PatchedTexts>;
    if (!step.patch.files.empty())
        return patched(texts, step.patch);
    PatchedTexts done{texts, step.renames};
    for (const RenamedFile &rename : step.renames) {
        const auto found = done.texts.find(rename.from);
        if (found == done.texts.end() || !isCandidatePath(rename.from) || !isCandidatePath(rename.to))
            return Answer::error(QStringLiteral("it renames \"%1\" to \"%2\", which is not possible here")
                                     .arg(rename.from, rename.to));
        done.texts[rename.to] = found->second;
        done.texts.erase(rename.from);
    }
    for (const auto &[path, text] : step.files)
        done.texts[path] = text;
    for (const QString &path : step.deleted)
        if (!isCandidatePath(path) || done.texts.erase(path) == 0)
            return Answer::error(QStringLiteral("it deletes \"%1\", which is not there").arg(path));
    return Answer::ok(std::move(done));
}

} // namespace warpwright
