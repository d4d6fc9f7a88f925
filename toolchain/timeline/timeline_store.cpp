// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/timeline/timeline_store.h"

#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/evaluation.h"

#include <QDir>

namespace warpwright {
namespace {

Result<Timeline> timelineAt(const QString &path) {
    const Result<QByteArray> text = readTextFile(path);
    if (!text.hasValue())
        return Result<Timeline>::error(text.message());
    const Result<Json> document = parseJson(text.value());
    return document.hasValue() ? timelineFromJson(document.value())
                               : Result<Timeline>::error(document.message());
}

} // namespace

TimelineStore::TimelineStore(const QString &stateFolder)
    : m_folder(stateFolder + QStringLiteral("/timelines")) {}

Result<QString> TimelineStore::store(Timeline &timeline) const {
    if (!timeline.at.isValid())
        timeline.at = QDateTime::currentDateTimeUtc();
    // The text's mark is part of the name, so that whoever looks for a text need not read all documents.
    if (timeline.id.isEmpty())
        timeline.id = newEvaluationId(timeline.at) + QLatin1Char('-') + timeline.textHash.left(12);
    const QString path = QStringLiteral("%1/%2.json").arg(m_folder, timeline.id);
    const Result<void> written = writeFileAtomically(path, dumpJson(toJson(timeline)) + '\n');
    return written.hasValue() ? Result<QString>::ok(path) : Result<QString>::error(written.message());
}

QStringList TimelineStore::pathsOf(const QString &textHash) const {
    QStringList paths;
    if (!textHash.isEmpty())
        for (const QString &name :
             QDir(m_folder).entryList({QStringLiteral("*-%1.json").arg(textHash.left(12))}, QDir::Files,
                                      QDir::Name | QDir::Reversed))
            paths << m_folder + QLatin1Char('/') + name;
    return paths;
}

std::optional<Timeline> TimelineStore::latestOf(const QString &textHash) const {
    for (const QString &path : pathsOf(textHash)) {
        Result<Timeline> timeline = timelineAt(path);
        if (timeline.hasValue() && timeline.value().textHash == textHash)
            return std::move(timeline).value();
    }
    return {};
}

QString TimelineStore::whyNotLatest(const QString &textHash) const {
    for (const QString &path : pathsOf(textHash))
        if (const Result<Timeline> timeline = timelineAt(path); !timeline.hasValue())
            return QStringLiteral("Cannot read the timeline \"%1\": it is damaged, or of another version "
                                  "(%2). Remove the file, or trace again: wright timeline.")
                .arg(path, timeline.message());
    return {};
}

} // namespace warpwright
