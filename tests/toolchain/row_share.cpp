// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/row_share.h"
#include "tests/toolchain/places.h"

#include <QFileInfo>
#include <QProcess>

#include <map>

namespace {

/// What git says in this clone; empty where it has nothing to say.
QByteArray git(const QStringList &words) {
    QProcess process;
    process.start(QStringLiteral("git"), QStringList{"-C", sourceFolder()} + words);
    if (!process.waitForFinished(30000) || process.exitStatus() != QProcess::NormalExit ||
        process.exitCode() != 0)
        return {};
    return process.readAllStandardOutput().trimmed();
}

/// A number of the newest commit; −1: none.
qint64 turnOfCommit() {
    static const qint64 turn = [] {
        bool isNumber = false;
        const qint64 number = git({"rev-parse", "HEAD"}).left(12).toLongLong(&isNumber, 16);
        return isNumber ? number : -1;
    }();
    return turn;
}

bool changedLately(const QString &name) {
    static std::map<QString, bool> known;
    if (const auto found = known.find(name); found != known.end())
        return found->second;
    const QString pathspec = ":(glob)tests/**/" + name;
    // All files of a shallow clone are as old as its newest commit.
    const bool isWholeHistory = git({"rev-parse", "--is-shallow-repository"}) == "false";
    const qint64 newest = git({"log", "-1", "--format=%ct"}).toLongLong();
    // Or was brought by a merge: then it was never tried with what is here.
    const qint64 changed = git({"log", "-1", "--first-parent", "--format=%ct", "--", pathspec}).toLongLong();
    return known[name] = !git({"status", "--porcelain", "--", pathspec}).isEmpty() ||
                         (isWholeHistory && newest - changed < 1800);
}

} // namespace

bool isRowOfCommit(const char *file, int shares, qsizetype row) {
    const qint64 turn = turnOfCommit();
    if (row == 0 || turn < 0 || row % shares == turn % shares || qgetenv("WARPWRIGHT_TESTS") == "whole" ||
        !QCoreApplication::arguments().mid(1).filter(QStringLiteral(":")).isEmpty())
        return true;
    return changedLately(QFileInfo(QString::fromUtf8(file)).fileName());
}

bool isRowOfCommit(const char *file, int shares) {
    static std::map<QByteArray, qsizetype> asked;
    const QByteArray test = QByteArray(file) + ':' + QTest::currentTestFunction();
    return isRowOfCommit(file, shares, asked[test]++);
}
