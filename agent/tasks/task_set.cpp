// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tasks/task_set.h"

#include <QCryptographicHash>
#include <QDir>
#include <QRegularExpression>

#include <algorithm>

namespace warpwright {

QString splitOf(const QString &taskName) {
    const QByteArray hash = QCryptographicHash::hash(taskName.toUtf8(), QCryptographicHash::Sha256);
    return static_cast<unsigned char>(hash[0]) % 2 == 0 ? QStringLiteral("train")
                                                        : QStringLiteral("held-out");
}

Result<std::vector<TuningTask>> listTuningTasks(const QString &resources) {
    using Answer = Result<std::vector<TuningTask>>;
    const QDir folder(resources + QStringLiteral("/tasks"));
    std::vector<TuningTask> tasks;
    for (const QString &kind : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const QDir files(folder.filePath(kind));
        for (const QString &file : files.entryList({QStringLiteral("*.py")}, QDir::Files, QDir::Name))
            tasks.push_back({file.chopped(3), kind, files.absoluteFilePath(file)});
    }
    if (tasks.empty())
        return Answer::error(
            QStringLiteral("Cannot find a task in \"%1\": it holds no <kind>/<name>.py. Install "
                           "Warpwright again, or set WARPWRIGHT_RESOURCES to its resources.")
                .arg(folder.absolutePath()));
    return Answer::ok(std::move(tasks));
}

Result<std::vector<TuningTask>> selected(const std::vector<TuningTask> &tasks,
                                         const TaskSelection &selection) {
    using Answer = Result<std::vector<TuningTask>>;
    for (const QString &name : selection.names)
        if (std::none_of(tasks.begin(), tasks.end(),
                         [&name](const TuningTask &task) { return task.name == name; }))
            return Answer::error(
                QStringLiteral(
                    "Cannot find the task \"%1\": no file of that name is among the %2 tasks. Their "
                    "names are those of the files in resources/tasks, without .py.")
                    .arg(name)
                    .arg(tasks.size()));
    std::vector<TuningTask> wanted;
    for (const TuningTask &task : tasks) {
        const bool isOfSplit = selection.split.isEmpty() || splitOf(task.name) == selection.split;
        const bool isNamed = selection.names.isEmpty() || selection.names.contains(task.name);
        if (isOfSplit && isNamed)
            wanted.push_back(task);
    }
    const auto placeOf = [&selection](const TuningTask &task) {
        return selection.names.indexOf(task.name);
    };
    std::stable_sort(wanted.begin(), wanted.end(), [&](const TuningTask &one, const TuningTask &other) {
        return placeOf(one) < placeOf(other);
    });
    std::vector<TuningTask> mine;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (static_cast<int>(i) % selection.shards == selection.shard - 1)
            mine.push_back(wanted[i]);
    if (selection.limit > 0 && mine.size() > static_cast<std::size_t>(selection.limit))
        mine.resize(static_cast<std::size_t>(selection.limit));
    return Answer::ok(std::move(mine));
}

Result<QByteArray> atSmallSize(const QByteArray &text) {
    using Answer = Result<QByteArray>;
    QString changed = QString::fromUtf8(text);
    static const QRegularExpression table(QStringLiteral("^SMALL\\s*=\\s*\\{([^}]*)\\}"),
                                          QRegularExpression::MultilineOption);
    const QRegularExpressionMatch found = table.match(changed);
    if (!found.hasMatch())
        return Answer::error(QStringLiteral("it has no SMALL = {constant: small value}"));
    static const QRegularExpression entry(QStringLiteral("\"(\\w+)\"\\s*:\\s*([-+.\\w]+|\\([^)]*\\))"));
    QRegularExpressionMatchIterator entries = entry.globalMatch(found.captured(1));
    while (entries.hasNext()) {
        const QRegularExpressionMatch one = entries.next();
        const QRegularExpression line(QStringLiteral("^%1\\s*=[^=].*$").arg(one.captured(1)),
                                      QRegularExpression::MultilineOption);
        const QRegularExpressionMatch place = line.match(changed);
        if (!place.hasMatch())
            return Answer::error(
                QStringLiteral("SMALL names %1, which is no constant of it").arg(one.captured(1)));
        changed.replace(place.capturedStart(), place.capturedLength(),
                        QStringLiteral("%1 = %2").arg(one.captured(1), one.captured(2)));
    }
    return Answer::ok(changed.toUtf8());
}

} // namespace warpwright
