// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/remembered_answers.h"

#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QMutex>
#include <QRegularExpression>

#include <algorithm>
#include <sys/stat.h>
#include <tuple>
#include <vector>

namespace warpwright {

namespace {

/// Device, inode, size, and the seconds and nanoseconds of both times of change; all 0: it is not there.
using FileState = std::tuple<dev_t, ino_t, off_t, time_t, long, time_t, long>;

FileState stateOf(const QString &path) {
    struct stat state {};
    if (stat(QFile::encodeName(path).constData(), &state) != 0)
        return {};
    return {state.st_dev,          state.st_ino,         state.st_size,        state.st_mtim.tv_sec,
            state.st_mtim.tv_nsec, state.st_ctim.tv_sec, state.st_ctim.tv_nsec};
}

struct Answer {
    QByteArray text;
    std::vector<std::pair<QString, FileState>> watched;
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
    const qint64 quietSince = askedAt.toSecsSinceEpoch() - 2;
    for (const QString &path : QStringList{question.program} + watched) {
        const FileState state = stateOf(path);
        if (std::max(std::get<3>(state), std::get<5>(state)) > quietSince)
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
