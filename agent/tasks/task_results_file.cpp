// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tasks/task_results_file.h"

#include "toolchain/base/text_file.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <unistd.h>

namespace warpwright {

Result<void> appendTaskResult(const QString &file, const TaskResult &result) {
    using Answer = Result<void>;
    const auto cannot = [&file](const QString &why) {
        return Answer::error(
            QStringLiteral("Cannot write the row to \"%1\": %2. The task's run is in its workspace; "
                           "mend that, then go on with --resume.")
                .arg(file, why));
    };
    if (const Result<void> made = makeFolder(QFileInfo(file).path()); !made.hasValue())
        return made;
    QFile out(file);
    if (!out.open(QIODevice::ReadWrite))
        return cannot(out.errorString());
    // What was cut in the middle of a line must not swallow this row.
    bool isCut = false;
    if (out.size() > 0) {
        char last = '\n';
        out.seek(out.size() - 1);
        out.read(&last, 1);
        isCut = last != '\n';
    }
    out.seek(out.size());
    const QByteArray line =
        (isCut ? QByteArray("\n") : QByteArray()) + dumpJson(taskResultToJson(result)) + '\n';
    if (out.write(line) != line.size() || !out.flush() || ::fsync(out.handle()) != 0)
        return cannot(out.errorString());
    return Answer::ok();
}

Result<std::vector<TaskResult>> readTaskResults(const QStringList &files) {
    using Answer = Result<std::vector<TaskResult>>;
    std::vector<TaskResult> rows;
    for (const QString &file : files) {
        const Result<QByteArray> text = readTextFile(file);
        if (!text.hasValue())
            return Answer::error(text.message());
        for (const QByteArray &line : text.value().split('\n')) {
            const Result<OrderedJson> json = parseJson<OrderedJson>(line);
            if (!json.hasValue())
                continue;
            const Result<TaskResult> row = taskResultFromJson(json.value());
            if (!row.hasValue())
                return Answer::error(
                    QStringLiteral("Cannot read \"%1\": a line is no row of wright bench tasks: %2.")
                        .arg(file, row.message()));
            for (const TaskResult &other : rows)
                if (const QString why = row.value().settings.whyNotWith(other.settings); !why.isEmpty())
                    return Answer::error(
                        QStringLiteral(
                            "Cannot join \"%1\" with the rest: its rows are of another measurement: %2. "
                            "Make a table of each.")
                            .arg(file, why));
            const auto same = std::find_if(rows.begin(), rows.end(), [&row](const TaskResult &other) {
                return other.name == row.value().name;
            });
            if (same == rows.end())
                rows.push_back(row.value());
            else if (row.value().verdict != TaskVerdict::NotRun || same->verdict == TaskVerdict::NotRun)
                *same = row.value();
        }
    }
    return Answer::ok(std::move(rows));
}

} // namespace warpwright
