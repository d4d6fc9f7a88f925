// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/judge/referee_progress.h"

#include "toolchain/base/text_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>

namespace warpwright {
namespace {

const QString begunName = QStringLiteral("begun");
constexpr int fewestSteps = 3;
/// A source with torch's headers, on a processor of 2022; a guess until the first few have been timed.
constexpr double secondsAStep = 7;

bool isAlive(qint64 process) {
    return process > 0 && (::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM);
}

} // namespace

Result<void> noteRefereeBegun(const QString &buildFolder, int count) {
    return writeFileAtomically(buildFolder + QLatin1Char('/') + begunName,
                               QByteArray::number(count) + ' ' +
                                   QByteArray::number(QCoreApplication::applicationPid()) + '\n');
}

void forgetRefereeBegun(const QString &buildFolder) {
    QFile::remove(buildFolder + QLatin1Char('/') + begunName);
}

RefereeProgress refereeProgressIn(const QString &buildFolder, const QDateTime &now) {
    RefereeProgress progress;
    const QDir folder(buildFolder);
    const QFileInfo begun(folder.filePath(begunName));
    const Result<QByteArray> text = readTextFile(begun.filePath());
    const QList<QByteArray> words =
        text.hasValue() ? text.value().simplified().split(' ') : QList<QByteArray>();
    progress.count = std::max(0, words.value(0).toInt());
    progress.isRunning = isAlive(words.value(1).toLongLong());
    int fresh = 0;
    QDateTime last;
    for (const QFileInfo &file : folder.entryInfoList(QDir::Files)) {
        if (file.fileName() == begunName || file.suffix() == QLatin1String("part"))
            continue;
        ++progress.done;
        if (words.isEmpty() || file.lastModified() < begun.lastModified())
            continue;
        ++fresh;
        last = last.isValid() ? std::max(last, file.lastModified()) : file.lastModified();
    }
    if (!words.isEmpty())
        progress.done = std::min(progress.done, progress.count);
    if (fresh < fewestSteps)
        return progress;
    // By the steps that are done, and less what has passed of the next: it must not stand still meanwhile.
    const double each = static_cast<double>(begun.lastModified().msecsTo(last)) / 1000 / fresh;
    const double passed = static_cast<double>(last.msecsTo(now)) / 1000;
    const int left = progress.count - progress.done;
    if (each > 0)
        progress.secondsLeft = std::max(each * left - std::min(std::max(passed, 0.0), each), 0.0);
    return progress;
}

double refereeSecondsGuess(int steps, int jobs) {
    return secondsAStep * steps / std::max(1, jobs);
}

QString roughTimeText(double seconds) {
    const auto minutes = static_cast<int>(std::lround(seconds / 60));
    return seconds < 55 ? QStringLiteral("less than a minute")
                        : QStringLiteral("about %1 min").arg(std::max(1, minutes));
}

} // namespace warpwright
