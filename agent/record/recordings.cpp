// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/recordings.h"

#include "agent/record/replay.h"
#include "toolchain/base/figures.h"
#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int lastPlace = 1000;

std::optional<Json> objectIn(const QString &file) {
    const Result<QByteArray> text = readTextFile(file);
    if (!text.hasValue())
        return std::nullopt;
    Result<Json> json = parseJson(text.value());
    return json.hasValue() && json.value().is_object() ? std::optional(std::move(json).value())
                                                       : std::nullopt;
}

std::optional<double> numberIn(const Json &object, const char *name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

const Json *partOf(const Json &object, const char *name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_object() ? &*found : nullptr;
}

void readTimes(Recording &recording, const Json &history) {
    const auto iterations = history.find("iterations");
    if (iterations == history.end() || !iterations->is_array())
        return;
    recording.iterations = static_cast<int>(iterations->size());
    const std::optional<double> best = numberIn(history, "best");
    for (const Json &iteration : *iterations) {
        const Json *evaluation = partOf(iteration, "evaluation");
        const Json *candidate = evaluation == nullptr ? nullptr : partOf(*evaluation, "candidate");
        if (candidate == nullptr)
            continue;
        recording.device = stringIn(*evaluation, "device");
        const std::optional<double> median = numberIn(*candidate, "median");
        if (!recording.firstMicroseconds)
            recording.firstMicroseconds = median;
        if (!best || numberIn(iteration, "number") != best)
            continue;
        recording.bestMicroseconds = median;
        if (const Json *eager = partOf(*evaluation, "eager"))
            recording.bestOverEager =
                SpeedUp{numberIn(*eager, "value").value_or(0), numberIn(*eager, "low").value_or(0),
                        numberIn(*eager, "high").value_or(0), stringIn(*eager, "arm")};
    }
    for (const Json &iteration : *iterations) {
        const Json *evaluation = partOf(iteration, "evaluation");
        const Json *candidate = evaluation == nullptr ? nullptr : partOf(*evaluation, "candidate");
        if (candidate == nullptr || stringIn(*evaluation, "verdict") != verdictName(Verdict::Inconclusive))
            continue;
        const std::optional<double> median = numberIn(*candidate, "median");
        if (median && *median < recording.bestMicroseconds.value_or(0) &&
            *median < recording.undecidedMicroseconds.value_or(*recording.bestMicroseconds))
            recording.undecidedMicroseconds = median;
    }
}

/// Those that are not there yet; documents never change.
Result<void> copyEvaluations(const QString &from, const QString &to) {
    const QStringList names =
        QDir(from).entryList({QStringLiteral("*.json"), QStringLiteral("*.log")}, QDir::Files);
    if (names.isEmpty())
        return Result<void>::ok();
    if (Result<void> made = makeFolder(to); !made.hasValue())
        return made;
    for (const QString &name : names) {
        const QString file = to + QLatin1Char('/') + name;
        if (QFileInfo::exists(file))
            continue;
        const Result<QByteArray> text = readTextFile(from + QLatin1Char('/') + name);
        if (!text.hasValue())
            return Result<void>::error(text.message());
        if (Result<void> written = writeFileAtomically(file, text.value()); !written.hasValue())
            return written;
    }
    return Result<void>::ok();
}

} // namespace

std::vector<Recording> listRecordings(const QString &resources) {
    const QDir root(resources + QStringLiteral("/recordings"));
    std::vector<Recording> recordings;
    for (const QString &name : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        Recording recording;
        recording.name = name;
        recording.title = name;
        recording.order = lastPlace;
        recording.folder = root.absoluteFilePath(name);
        if (!QFileInfo::exists(trajectoryFile(recording.folder)))
            continue;
        if (const auto words = objectIn(recording.folder + QStringLiteral("/recording.json"))) {
            recording.title = stringIn(*words, "title", name);
            recording.order = static_cast<int>(numberIn(*words, "order").value_or(lastPlace));
        }
        if (const auto history = objectIn(recording.folder + QStringLiteral("/history.json")))
            readTimes(recording, *history);
        recordings.push_back(recording);
    }
    std::stable_sort(recordings.begin(), recordings.end(),
                     [](const Recording &one, const Recording &other) { return one.order < other.order; });
    return recordings;
}

QString undecidedWords(const Recording &recording) {
    return recording.undecidedMicroseconds
               ? QStringLiteral("%1 was inconclusive").arg(timeText(*recording.undecidedMicroseconds))
               : QString();
}

Result<OpenedRecording> openRecordingCopy(const Recording &recording, const QString &data) {
    using Answer = Result<OpenedRecording>;
    const QString from = trajectoryFile(recording.folder);
    Result<TrajectoryReplay> trajectory = TrajectoryReplay::open(from);
    if (!trajectory.hasValue())
        return Answer::error(trajectory.message());
    TrajectoryReplay replay = std::move(trajectory).value();
    const Result<std::optional<ReplayedEvent>> began = replay.next();
    if (!began.hasValue() || !began.value())
        return Answer::error(began.hasValue() ? QStringLiteral("\"%1\" holds no run.").arg(from)
                                              : began.message());
    OpenedRecording opened;
    opened.folder = data + QStringLiteral("/recordings/") + recording.name;
    opened.run = began.value()->event.text("run");
    const QString run = opened.folder + QStringLiteral("/.warpwright/runs/") + opened.run;
    if (opened.run.isEmpty() || opened.run.contains(QLatin1Char('/')))
        return Answer::error(QStringLiteral("\"%1\" does not name its run.").arg(from));
    if (const Result<void> copied =
            copyEvaluations(recording.folder + QStringLiteral("/evaluations"),
                            opened.folder + QStringLiteral("/.warpwright/evaluations"));
        !copied.hasValue())
        return Answer::error(copied.message());
    if (QFileInfo::exists(trajectoryFile(run)))
        return Answer::ok(opened);
    for (const auto &[path, bytes] : replay.texts()) {
        const QString file = opened.folder + QLatin1Char('/') + path;
        if (QFileInfo::exists(file))
            continue;
        if (const Result<void> made = makeFolder(QFileInfo(file).path()); !made.hasValue())
            return Answer::error(made.message());
        if (const Result<void> written = writeFileAtomically(file, bytes); !written.hasValue())
            return Answer::error(written.message());
    }
    // Last: it is what says that the copy is whole.
    const Result<QByteArray> text = readTextFile(from);
    if (!text.hasValue())
        return Answer::error(text.message());
    if (const Result<void> made = makeFolder(run); !made.hasValue())
        return Answer::error(made.message());
    if (const Result<void> written = writeFileAtomically(trajectoryFile(run), text.value());
        !written.hasValue())
        return Answer::error(written.message());
    return Answer::ok(opened);
}

} // namespace warpwright
