// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/remembered_answers.h"

#include "toolchain/base/file_state.h"

#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QMutex>
#include <QRegularExpression>

#include <algorithm>
#include <vector>

namespace warpwright {

namespace {

std::optional<FileState> stateOf(const QString &path) {
    return fileStateOf(QFile::encodeName(path));
}

struct Answer {
    QByteArray text;
    std::vector<std::pair<QString, std::optional<FileState>>> watched;
};

struct Memory {
    QMutex mutex;
    QHash<QString, Answer> answers;
};

Memory &memory() {
    static Memory only;
    return only;
}

QString keyOf(const ProcessRequest &question) {
    QStringList environment = question.environment.toStringList();
    environment.sort();
    return (QStringList{question.program} + question.arguments + environment).join(QChar::Null);
}

/// By the name of the file that its links lead to.
bool isToolItself(const QString &program) {
    static const QRegularExpression names(
        QStringLiteral("^(?:[a-z0-9_]+-)*(?:g\\+\\+|c\\+\\+|gcc|clang|clang\\+\\+|nvcc|python)[0-9.-]*$"));
    const QString real = QFileInfo(program).canonicalFilePath();
    if (!names.match(QFileInfo(real).fileName()).hasMatch())
        return false;
    QFile file(real);
    return file.open(QIODevice::ReadOnly) && file.read(4) == QByteArray("\x7f"
                                                                        "ELF",
                                                                        4);
}

} // namespace

void RememberedAnswers::keep(const ProcessRequest &question, const QByteArray &answer,
                             const QDateTime &askedAt, const QStringList &watched) {
    if (!isToolItself(question.program))
        return;
    Answer kept{answer, {}};
    // Some file systems' clocks go in steps of a second.
    const qint64 quietSince = (askedAt.toMSecsSinceEpoch() - 2000) * 1'000'000;
    for (const QString &path : QStringList{question.program} + watched) {
        const auto state = stateOf(path);
        if (state && std::max(state->modified, state->changed) > quietSince)
            return;
        kept.watched.emplace_back(path, state);
    }
    const QMutexLocker lock(&memory().mutex);
    memory().answers.insert(keyOf(question), kept);
}

std::optional<QByteArray> RememberedAnswers::find(const ProcessRequest &question) {
    const QString key = keyOf(question);
    const QMutexLocker lock(&memory().mutex);
    const auto found = memory().answers.constFind(key);
    if (found == memory().answers.constEnd())
        return std::nullopt;
    for (const auto &[path, state] : found->watched) {
        if (stateOf(path) != state) {
            memory().answers.erase(found);
            return std::nullopt;
        }
    }
    return found->text;
}

void RememberedAnswers::forgetAll() {
    const QMutexLocker lock(&memory().mutex);
    memory().answers.clear();
}

} // namespace warpwright
