// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/kernelbench_folder.h"

#include "toolchain/base/text_file.h"
#include "toolchain/workspace/workspace.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <tuple>

namespace warpwright {
namespace {

constexpr int mostFiles = 5000;
constexpr qint64 mostBytes = 1024 * 1024;

/// N of "levelN"; 0 for any other name.
int levelOf(const QString &folder) {
    static const QRegularExpression form(QStringLiteral("^level[ _-]?([0-9]{1,3})$"),
                                         QRegularExpression::CaseInsensitiveOption);
    return form.match(QFileInfo(folder).fileName()).captured(1).toInt();
}

KernelBenchProblem named(const QFileInfo &file, int level) {
    static const QRegularExpression form(QStringLiteral("^([0-9]{1,6})[_ -]+(.*)$"));
    const auto match = form.match(file.completeBaseName());
    KernelBenchProblem problem;
    problem.level = level;
    problem.number = match.captured(1).toInt();
    problem.title = match.hasMatch() ? match.captured(2) : file.completeBaseName();
    problem.title = problem.title.replace(QLatin1Char('_'), QLatin1Char(' ')).simplified();
    if (problem.title.isEmpty())
        problem.title = file.completeBaseName();
    problem.path = file.absoluteFilePath();
    return problem;
}

void addFilesOf(KernelBenchFolder &into, const QString &folder) {
    const int level = levelOf(folder);
    for (const QFileInfo &file :
         QDir(folder).entryInfoList({QStringLiteral("*.py")}, QDir::Files, QDir::Name)) {
        if (static_cast<int>(into.problems.size()) + into.skipped.size() >= mostFiles)
            return;
        const Result<QByteArray> text = readTextFile(file.absoluteFilePath(), mostBytes);
        if (text.hasValue() && missingTaskNames(text.value()).isEmpty())
            into.problems.push_back(named(file, level));
        else
            into.skipped << file.absoluteFilePath();
    }
}

} // namespace

Result<KernelBenchFolder> listKernelBench(const QString &folder) {
    using Answer = Result<KernelBenchFolder>;
    const QFileInfo info(QDir::cleanPath(QDir::current().absoluteFilePath(folder)));
    const auto cannot = [&info](const QString &why) {
        return Answer::error(
            QStringLiteral(
                "Cannot list the problems of \"%1\": %2. Name a folder with level1/, level2/ ... in it, or "
                "one of Python files with a class Model, get_inputs() and get_init_inputs().")
                .arg(info.filePath(), why));
    };
    if (!info.exists())
        return cannot(QStringLiteral("there is no such folder"));
    if (!info.isDir())
        return cannot(QStringLiteral("it is no folder"));
    if (!info.isReadable() || !info.isExecutable())
        return cannot(QStringLiteral("the folder may not be read"));

    KernelBenchFolder found;
    found.folder = info.filePath();
    QStringList folders = {info.filePath()};
    for (const QString &base : {info.filePath(), info.filePath() + QStringLiteral("/KernelBench")})
        for (const QFileInfo &child : QDir(base).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            if (levelOf(child.filePath()) > 0)
                folders << child.absoluteFilePath();
    for (const QString &place : folders)
        addFilesOf(found, place);
    if (found.problems.empty())
        return cannot(
            found.skipped.isEmpty()
                ? QStringLiteral("it holds no Python files")
                : QStringLiteral("none of its %1 Python files is a task").arg(found.skipped.size()));
    std::sort(found.problems.begin(), found.problems.end(),
              [](const KernelBenchProblem &one, const KernelBenchProblem &other) {
                  return std::tie(one.level, one.number, one.title, one.path) <
                         std::tie(other.level, other.number, other.title, other.path);
              });
    return Answer::ok(std::move(found));
}

} // namespace warpwright
