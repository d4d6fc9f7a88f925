// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history/iteration_source.h"

#include "agent/record/trajectory_event.h"
#include "toolchain/history/iteration_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

const IterationRecord *recordIn(const std::vector<IterationRecord> &records, int number) {
    const auto found = std::find_if(records.begin(), records.end(), [number](const IterationRecord &record) {
        return record.iteration.number == number;
    });
    return found == records.end() ? nullptr : &*found;
}

/// The record that `path` is, or holds; empty: it is something else.
QString recordAt(const QString &path) {
    if (QFileInfo(path).isFile())
        return path.endsWith(QLatin1String(".jsonl")) ? path : QString();
    return QFileInfo(trajectoryFile(path)).isFile() ? trajectoryFile(path) : QString();
}

QString noSuchIteration(int number, const QString &place) {
    return QStringLiteral("There is no iteration %1 in \"%2\": wright log lists those there are.")
        .arg(number)
        .arg(place);
}

/// Also the texts of the parents: what an iteration changed is told against them.
Result<void> readRun(IterationSource &source, const std::vector<int> &wanted) {
    const Result<RunIterations> known = runIterations(source.state, source.run, {});
    if (!known.hasValue())
        return Result<void>::error(known.message());
    source.records = known.value().records;
    std::vector<int> needed;
    for (const int number : wanted) {
        const IterationRecord *record = known.value().record(number);
        if (record == nullptr)
            return Result<void>::error(noSuchIteration(number, source.place));
        needed.push_back(number);
        if (known.value().record(record->iteration.parent) != nullptr)
            needed.push_back(record->iteration.parent);
    }
    if (needed.empty())
        return Result<void>::ok();
    Result<RunIterations> read = runIterations(source.state, source.run, needed);
    if (!read.hasValue())
        return Result<void>::error(read.message());
    source.texts = std::move(read).value().texts;
    return Result<void>::ok();
}

// The index of runs and the store of evaluations are asked as ever: they get a state folder that is made of
// what lies beside the record.
Result<void> makeScratch(IterationSource &source, const QString &file) {
    source.scratch = std::make_shared<QTemporaryDir>();
    const auto cannot = [&file](const QString &why) {
        return Result<void>::error(QStringLiteral("Cannot read the record \"%1\": %2").arg(file, why));
    };
    if (!source.scratch->isValid())
        return cannot(source.scratch->errorString());
    source.state = source.scratch->path();
    QFile record(file);
    if (!record.open(QIODevice::ReadOnly))
        return cannot(record.errorString());
    const Result<TrajectoryEvent> began = eventFromLine(record.readLine());
    record.close();
    // As its own record names it.
    source.run = began.hasValue() ? began.value().text("run") : QString();
    if (source.run.isEmpty() || source.run.contains(QLatin1Char('/')) ||
        source.run.startsWith(QLatin1Char('.')))
        source.run = QStringLiteral("record");
    const QString run = runsFolder(source.state) + QLatin1Char('/') + source.run;
    if (!QDir().mkpath(run) || !record.copy(trajectoryFile(run)))
        return cannot(record.errorString());
    // One that ships may be read-only; its copy is ours to remove.
    QFile::setPermissions(trajectoryFile(run), QFile::ReadOwner | QFile::WriteOwner);
    const QString evaluations = QFileInfo(file).absolutePath() + QStringLiteral("/evaluations");
    if (QFileInfo(evaluations).isDir() &&
        !QFile::link(evaluations, source.state + QStringLiteral("/evaluations")))
        return cannot(QStringLiteral("its evaluations cannot be linked to"));
    return Result<void>::ok();
}

Result<IterationSource> recordSource(const QString &file, const std::vector<int> &wanted) {
    using Answer = Result<IterationSource>;
    IterationSource source;
    source.place = file;
    const QDir folder = QFileInfo(file).absoluteDir();
    QDir above = folder;
    const bool isOfWorkspace = above.cdUp() && above.dirName() == QLatin1String("runs") && above.cdUp() &&
                               QFileInfo(file) == QFileInfo(trajectoryFile(folder.path()));
    source.name = folder.dirName();
    if (isOfWorkspace) {
        source.state = above.path();
        source.run = folder.dirName();
    } else if (const Result<void> made = makeScratch(source, file); !made.hasValue()) {
        return Answer::error(made.message());
    }
    const Result<void> read = readRun(source, wanted);
    return read.hasValue() ? Answer::ok(std::move(source)) : Answer::error(read.message());
}

} // namespace

bool isRecord(const QString &path) {
    return !recordAt(path).isEmpty();
}

const IterationRecord *IterationSource::record(int number) const {
    return recordIn(records, number);
}

Result<CandidateTexts> IterationSource::textsOf(int number) const {
    if (!isRun())
        return IterationStore(state).texts(number);
    const auto found = texts.find(number);
    return found != texts.end() ? Result<CandidateTexts>::ok(found->second)
                                : Result<CandidateTexts>::error(noSuchIteration(number, place));
}

Result<IterationSource> iterationSource(const QString &path, const DataFolders &folders,
                                        const std::vector<int> &wanted) {
    using Answer = Result<IterationSource>;
    const QString absolute = QDir::current().absoluteFilePath(path);
    if (const QString file = recordAt(absolute); !file.isEmpty())
        return recordSource(file, wanted);
    Result<Workspace> workspace = Workspace::open(absolute, folders);
    if (!workspace.hasValue())
        return Answer::error(workspace.message());
    IterationSource source;
    source.workspace = std::move(workspace).value();
    source.name = source.workspace->name;
    source.place = source.workspace->folder;
    source.state = source.workspace->state;
    const IterationStore store(source.state);
    // Of a long history no more is read than what is compared.
    Result<std::vector<IterationRecord>> records = wanted.size() > 1 ? store.records(wanted) : store.list();
    if (!records.hasValue())
        return Answer::error(records.message());
    source.records = std::move(records).value();
    const auto missing = std::find_if(wanted.begin(), wanted.end(),
                                      [&source](int number) { return source.record(number) == nullptr; });
    if (missing == wanted.end())
        return Answer::ok(std::move(source));
    const int absent = *missing;
    Result<RunIndex> opened = RunIndex::open(source.state);
    if (!opened.hasValue())
        return Answer::error(opened.message());
    RunIndex index = std::move(opened).value();
    const Result<std::vector<IndexedRun>> runs = index.runs();
    if (!runs.hasValue())
        return Answer::error(runs.message());
    for (auto run = runs.value().rbegin(); run != runs.value().rend(); ++run) { // the newest comes last
        IterationSource ofRun = source;
        ofRun.run = run->run;
        if (readRun(ofRun, wanted).hasValue())
            return Answer::ok(std::move(ofRun));
    }
    return Answer::error(noSuchIteration(absent, source.place));
}

} // namespace warpwright
