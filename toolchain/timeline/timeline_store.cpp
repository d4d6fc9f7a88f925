// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/timeline/timeline_store.h"

#include "toolchain/evaluation.h"
#include "toolchain/text_file.h"

#include <QDir>

namespace warpwright {

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

std::optional<Timeline> TimelineStore::latestOf(const QString &textHash) const {
    if (textHash.isEmpty())
        return {};
    const QStringList names = QDir(m_folder).entryList({QStringLiteral("*-%1.json").arg(textHash.left(12))},
                                                       QDir::Files, QDir::Name | QDir::Reversed);
    for (const QString &name : names) {
        const Result<QByteArray> text = readTextFile(m_folder + QLatin1Char('/') + name);
        const Result<Json> document =
            text.hasValue() ? parseJson(text.value()) : Result<Json>::error(text.message());
        Result<Timeline> timeline = document.hasValue() ? timelineFromJson(document.value())
                                                        : Result<Timeline>::error(document.message());
        if (timeline.hasValue() && timeline.value().textHash == textHash)
            return std::move(timeline).value();
    }
    return {};
}

} // namespace warpwright
