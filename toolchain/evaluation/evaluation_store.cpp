// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/evaluation_store.h"

#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/evaluation_json.h"

#include <QDir>

namespace warpwright {

namespace {

const QString unkept = QStringLiteral("This evaluation is not kept. ");

} // namespace

QString doubtOfUnkept(const QString &why) {
    return unkept + why;
}

bool isDoubtOfUnkept(const QString &doubt) {
    return doubt.startsWith(unkept);
}

EvaluationStore::EvaluationStore(const QString &stateFolder)
    : m_folder(stateFolder + QStringLiteral("/evaluations")) {}

QString EvaluationStore::pathOf(const QString &id) const {
    return m_folder + QLatin1Char('/') + id + QStringLiteral(".json");
}

Result<QString> EvaluationStore::store(const Evaluation &evaluation, const QString &compileLog) const {
    // The log first: a document that is there has its log, or says why not.
    Evaluation kept = evaluation;
    if (!compileLog.isEmpty()) {
        const QString log = m_folder + QLatin1Char('/') + evaluation.id + QStringLiteral(".log");
        const Result<void> written = writeFileAtomically(log, compileLog.toUtf8());
        if (!written.hasValue())
            kept.doubts.append(QStringLiteral("What the compilers printed is not kept. ") +
                               written.message());
    }
    const QString path = pathOf(evaluation.id);
    const Result<void> written = writeFileAtomically(path, toText(kept));
    return written.hasValue() ? Result<QString>::ok(path) : Result<QString>::error(written.message());
}

QStringList EvaluationStore::ids() const {
    QStringList ids;
    for (const QString &name : QDir(m_folder).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
        ids.append(name.chopped(5));
    return ids;
}

Result<Evaluation> EvaluationStore::load(const QString &id) const {
    const QString path = pathOf(id);
    const Result<QByteArray> text = readTextFile(path);
    if (!text.hasValue())
        return Result<Evaluation>::error(text.message());
    Result<Evaluation> evaluation = evaluationFromJson(text.value());
    if (evaluation.hasValue())
        return evaluation;
    return Result<Evaluation>::error(
        QStringLiteral("Cannot read the evaluation \"%1\": %2. Remove the file, or check again.")
            .arg(path, evaluation.message()));
}

Result<Evaluation> EvaluationStore::latest() const {
    const QStringList all = ids();
    if (all.isEmpty()) {
        return Result<Evaluation>::error(
            QStringLiteral("Cannot find an evaluation in \"%1\": nothing was checked yet. Run wright check.")
                .arg(m_folder));
    }
    return load(all.back());
}

Result<Evaluation> EvaluationStore::find(const QString &inputsHash) const {
    const QStringList all = ids();
    for (auto id = all.crbegin(); id != all.crend(); ++id) {
        Result<Evaluation> evaluation = load(*id);
        if (evaluation.hasValue() && evaluation.value().inputsHash == inputsHash)
            return evaluation;
    }
    return Result<Evaluation>::error(
        QStringLiteral(
            "Cannot find an evaluation of this text in \"%1\": it was not checked. Run wright check.")
            .arg(m_folder));
}

} // namespace warpwright
