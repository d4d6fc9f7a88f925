// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/remembered_answers.h"

#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QMutex>

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

bool isMachineCode(const QString &program) {
    QFile file(program);
    return file.open(QIODevice::ReadOnly) && file.read(4) == QByteArray("\x7f"
                                                                        "ELF",
                                                                        4);
}

} // namespace

void RememberedAnswers::keep(const ProcessRequest &question, const QByteArray &answer,
                             const QStringList &watched) {
    if (!isMachineCode(question.program))
        return;
    Answer kept{answer, {}};
    for (const QString &path : QStringList{question.program} + watched)
        kept.watched.emplace_back(path, stateOf(path));
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
