// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/history/recent_workspaces.h"

#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/best_iteration.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/workspace.h"

#include <QDir>
#include <QFileInfo>
#include <QLockFile>

#include <algorithm>
#include <functional>

namespace warpwright {
namespace {

struct Entry {
    QString path;
    QDateTime lastOpened;
};
using Entries = std::vector<Entry>;

std::optional<Entries> parse(const QByteArray &text) {
    const Result<Json> json = parseJson(text);
    if (!json.hasValue() || !json.value().is_array())
        return std::nullopt;
    Entries entries;
    for (const Json &row : json.value()) {
        Entry entry{stringIn(row, "path"),
                    QDateTime::fromString(stringIn(row, "lastOpened"), Qt::ISODateWithMs)};
        if (QDir::isAbsolutePath(entry.path))
            entries.push_back(std::move(entry));
    }
    return entries;
}

QByteArray textFor(const Entries &entries) {
    OrderedJson rows = OrderedJson::array();
    for (const Entry &entry : entries)
        rows.push_back({{"path", toJson(entry.path)},
                        {"lastOpened", toJson(entry.lastOpened.toUTC().toString(Qt::ISODateWithMs))}});
    return dumpJson(rows, 2) + '\n';
}

Entries read(const QString &file) {
    const Result<QByteArray> text = readTextFile(file);
    return text.hasValue() ? parse(text.value()).value_or(Entries{}) : Entries{};
}

Result<void> change(const QString &file, const std::function<void(Entries &)> &edit) {
    if (const Result<void> made = makeFolder(QFileInfo(file).path()); !made.hasValue())
        return made;
    // Where no lock can be had, the write says what is wrong.
    QLockFile lock(file + QStringLiteral(".lock"));
    lock.setStaleLockTime(5000);
    [[maybe_unused]] const bool isAlone = lock.tryLock(6000);
    if (const Result<QByteArray> text = readTextFile(file); text.hasValue() && !parse(text.value()))
        QFile::rename(
            file, file + QStringLiteral(".broken-") +
                      QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd'T'hhmmss.zzz'Z'")));
    Entries entries = read(file);
    edit(entries);
    return writeFileAtomically(file, textFor(entries));
}

/// Documents from before the text's hash stood in them are judged by the files' times.
bool isChangedSince(const Workspace &workspace, const CandidateTexts &texts, const QDateTime &time) {
    return std::any_of(texts.begin(), texts.end(), [&](const auto &entry) {
        return QFileInfo(workspace.folder + QLatin1Char('/') + entry.first).lastModified() > time;
    });
}

/// Its text is the one that the run left on another machine, and nobody's work.
void describeRecording(RecentWorkspace &recent, const Workspace &workspace) {
    recent.isRecording = true;
    const Result<std::vector<IterationRecord>> history = IterationStore(workspace.state).list();
    if (!history.hasValue())
        return;
    const int best = bestIteration(history.value());
    for (const IterationRecord &record : history.value())
        if (record.iteration.number == best)
            recent.latest = record.latest;
}

RecentWorkspace describe(const Entry &entry, const DataFolders &folders) {
    RecentWorkspace recent;
    recent.path = entry.path;
    recent.name = QFileInfo(entry.path).fileName();
    recent.lastOpened = entry.lastOpened;
    const Result<Workspace> opened = Workspace::open(entry.path, folders);
    if (!opened.hasValue()) {
        recent.isMissing = !QFileInfo::exists(entry.path);
        return recent;
    }
    const Workspace &workspace = opened.value();
    recent.name = workspace.name;
    const Result<Evaluation> latest = EvaluationStore(workspace.state).latest();
    if (!latest.hasValue())
        return recent;
    recent.latest = summaryOf(latest.value());
    if (QFileInfo(workspace.folder).absolutePath() ==
        QDir::cleanPath(folders.data + QStringLiteral("/recordings"))) {
        describeRecording(recent, workspace);
        return recent;
    }
    const Result<CandidateTexts> texts = readCandidateTexts(workspace);
    const QString hash = stringIn(latest.value().workspace, "textHash");
    recent.isStale = texts.hasValue() &&
                     (hash.isEmpty() ? isChangedSince(workspace, texts.value(), latest.value().startedAt)
                                     : hash != textHashOf(texts.value()));
    if (!recent.isStale || hash.isEmpty())
        return recent;
    // A step of a run that was taken back was measured last, and is not the text.
    const auto history = IterationStore(workspace.state).list();
    for (const IterationRecord &record :
         history.hasValue() ? history.value() : std::vector<IterationRecord>())
        if (record.latest && record.iteration.textHash == textHashOf(texts.value())) {
            recent.latest = record.latest;
            recent.isStale = false;
        }
    return recent;
}

QString cleaned(const QString &path) {
    return QDir::cleanPath(QDir::current().absoluteFilePath(path));
}

void take(Entries &entries, const QString &path) {
    std::erase_if(entries, [&path](const Entry &entry) { return entry.path == path; });
}

} // namespace

RecentWorkspaces::RecentWorkspaces(DataFolders folders) : m_folders(std::move(folders)) {}

std::vector<RecentWorkspace> RecentWorkspaces::list() const {
    std::vector<RecentWorkspace> recent;
    for (const Entry &entry : read(file()))
        recent.push_back(describe(entry, m_folders));
    return recent;
}

Result<void> RecentWorkspaces::opened(const QString &path) const {
    return change(file(), [path = cleaned(path)](Entries &entries) {
        take(entries, path);
        entries.insert(entries.begin(), {path, QDateTime::currentDateTimeUtc()});
        if (entries.size() > static_cast<std::size_t>(most))
            entries.resize(static_cast<std::size_t>(most));
    });
}

Result<void> RecentWorkspaces::forget(const QString &path) const {
    return change(file(), [path = cleaned(path)](Entries &entries) { take(entries, path); });
}

} // namespace warpwright
