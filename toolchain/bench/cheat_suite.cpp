// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/bench/cheat_suite.h"

#include "toolchain/base/text_file.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

constexpr auto schemaName = "warpwright.suite/1";

Result<SuiteRow> readRow(const Json &entry, const QString &file) {
    SuiteRow row;
    row.name = stringIn(entry, "name");
    row.isAttack = stringIn(entry, "kind") != QLatin1String("honest");
    row.task = stringIn(entry, "task");
    row.does = stringIn(entry, "does");
    row.expected = stringIn(entry, "expected");
    row.isTimed = stringIn(entry, "tier") == QLatin1String("profile");
    row.needs = stringIn(entry, "needs");
    if (entry.is_object() && entry.contains("devices"))
        row.devices = stringsIn(entry["devices"]);
    if (entry.is_object() && entry.contains("native"))
        row.isNative = entry["native"] == true;
    if (entry.is_object() && entry.contains("settings"))
        row.settings = entry["settings"];
    if (row.name.isEmpty() || row.task.isEmpty() || row.expected.isEmpty() || row.devices.isEmpty())
        return Result<SuiteRow>::error(
            QStringLiteral("Cannot read \"%1\": a row lacks its name, task, expected or devices. Install "
                           "Warpwright again.")
                .arg(file));
    return Result<SuiteRow>::ok(std::move(row));
}

// Files of `from` over those of `to`.
Result<void> overlay(const QString &from, const QString &to) {
    const QDir source(from);
    QDirIterator entries(from, QDir::Files, QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        const QString name = source.relativeFilePath(entries.next());
        if (name.contains(QLatin1String("__pycache__/")))
            continue;
        const Result<QByteArray> text = readTextFile(source.filePath(name));
        if (!text.hasValue())
            return Result<void>::error(text.message());
        if (const Result<void> done = writeFileAtomically(to + QLatin1Char('/') + name, text.value());
            !done.hasValue())
            return done;
    }
    return Result<void>::ok();
}

void clear(const QString &folder) {
    const QDir dir(folder);
    for (const QFileInfo &entry : dir.entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) {
        if (entry.fileName() == QLatin1String(".warpwright"))
            continue;
        if (entry.isDir() && !entry.isSymLink())
            QDir(entry.absoluteFilePath()).removeRecursively();
        else
            QFile::remove(entry.absoluteFilePath());
    }
}

} // namespace

QString SuiteRow::group() const {
    return task + QLatin1Char('\n') + (settings.is_null() ? QString() : fromJson(settings.dump()));
}

bool SuiteRow::mayBeHarmless() const {
    return expected.split(QLatin1Char('|')).contains(QLatin1String("harmless"));
}

Result<CheatSuite> readCheatSuite(const DataFolders &folders, const QString &other) {
    using Answer = Result<CheatSuite>;
    CheatSuite suite;
    suite.folder = folders.resources + QStringLiteral("/cheats");
    const QString inTree = QDir::cleanPath(folders.resources + QStringLiteral("/../tests/cheats"));
    if (!QFileInfo::exists(suite.folder) && QFileInfo::exists(inTree))
        suite.folder = inTree;
    if (!other.isEmpty())
        suite.folder = QDir::current().absoluteFilePath(other);
    const QString file = suite.folder + QStringLiteral("/table.json");
    const Result<QByteArray> text = readTextFile(file);
    if (!text.hasValue())
        return Answer::error(text.message());
    const Result<Json> table = parseJson(text.value());
    if (!table.hasValue())
        return Answer::error(
            QStringLiteral("Cannot read \"%1\": %2. Install Warpwright again.").arg(file, table.message()));
    if (stringIn(table.value(), "schema") != QLatin1String(schemaName) || !table.value().contains("rows") ||
        !table.value()["rows"].is_array())
        return Answer::error(QStringLiteral("Cannot read \"%1\": it is no %2. Install Warpwright again.")
                                 .arg(file, QLatin1String(schemaName)));
    QStringList groups;
    for (const Json &entry : table.value()["rows"]) {
        const Result<SuiteRow> row = readRow(entry, file);
        if (!row.hasValue())
            return Answer::error(row.message());
        suite.rows.push_back(row.value());
        if (!groups.contains(row.value().group()))
            groups.append(row.value().group());
    }
    std::stable_sort(suite.rows.begin(), suite.rows.end(),
                     [&groups](const SuiteRow &one, const SuiteRow &two) {
                         return groups.indexOf(one.group()) < groups.indexOf(two.group());
                     });
    return Answer::ok(std::move(suite));
}

std::vector<SuiteRow> shardOf(const std::vector<SuiteRow> &rows, int index, int count) {
    const auto size = static_cast<std::ptrdiff_t>(rows.size());
    return {rows.begin() + size * (index - 1) / count, rows.begin() + size * index / count};
}

Result<void> assembleRow(const CheatSuite &suite, const SuiteRow &row, const QString &folder) {
    if (const Result<void> made = makeFolder(folder); !made.hasValue())
        return made;
    clear(folder);
    QStringList parts{QStringLiteral("shared"), QStringLiteral("tasks/") + row.task};
    if (row.isNative)
        parts.insert(1, QStringLiteral("native"));
    parts << QStringLiteral("rows/") + row.name; // an honest row may have nothing of its own
    for (const QString &part : parts) {
        if (const Result<void> copied = overlay(suite.folder + QLatin1Char('/') + part, folder);
            !copied.hasValue())
            return copied;
    }
    const QString settings = folder + QStringLiteral("/.warpwright/task.json");
    if (!row.settings.is_null())
        return writeFileAtomically(settings, dumpJson(row.settings, 4) + '\n');
    QFile::remove(settings);
    return Result<void>::ok();
}

} // namespace warpwright
