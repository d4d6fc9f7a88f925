// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/counter_store.h"

#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/evaluation.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace warpwright {
namespace {

constexpr qint64 largestDocument = 512LL << 20; // all of 64 launches of large kernels

// Part of a document's name, so that whoever looks for a text need not read all documents.
QString markOf(const QString &textHash) {
    return textHash.isEmpty() ? QStringLiteral("imported") : textHash.left(12);
}

} // namespace

CounterStore::CounterStore(const QString &stateFolder)
    : m_folder(stateFolder + QStringLiteral("/counters")) {}

QString CounterStore::reportPathOf(const QString &id, const QString &arm) const {
    const bool isOther = arm == QLatin1String("eager") || arm == QLatin1String("compile");
    return QStringLiteral("%1/%2%3.ncu-rep").arg(m_folder, id, isOther ? QLatin1Char('.') + arm : QString());
}

Result<void> CounterStore::begin(Counters &counters) const {
    if (!counters.at.isValid())
        counters.at = QDateTime::currentDateTimeUtc();
    if (counters.id.isEmpty())
        counters.id = newEvaluationId(counters.at) + QLatin1Char('-') + markOf(counters.textHash);
    counters.report.clear();
    return makeFolder(m_folder);
}

Result<void> CounterStore::copyReport(const QString &source, const QString &kept) const {
    QFile report(source);
    if (!report.copy(kept)) {
        QFile::remove(kept);
        return Result<void>::error(
            QStringLiteral(
                "Cannot keep the report \"%1\" as \"%2\": %3. Make room there, or copy it by hand.")
                .arg(source, kept, report.errorString()));
    }
    QFile::setPermissions(kept, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ReadGroup |
                                    QFileDevice::ReadOther);
    return Result<void>::ok();
}

Result<QString> CounterStore::write(const Counters &counters) const {
    const QString path = QStringLiteral("%1/%2.json").arg(m_folder, counters.id);
    const Result<void> written = writeFileAtomically(path, dumpJson(toJson(counters)) + '\n');
    return written.hasValue() ? Result<QString>::ok(path) : Result<QString>::error(written.message());
}

Result<QString> CounterStore::store(Counters &counters, const std::map<QString, QString> &reports) const {
    if (const Result<void> begun = begin(counters); !begun.hasValue())
        return Result<QString>::error(begun.message());
    // The reports first: a document that is there has its report.
    for (const auto &[arm, source] : reports) {
        const QString kept = reportPathOf(counters.id, arm);
        if (!QFile::exists(source))
            continue;
        if (const Result<void> copied = copyReport(source, kept); !copied.hasValue())
            return Result<QString>::error(copied.message());
        if (!counters.report.isEmpty())
            continue;
        counters.report = QFileInfo(kept).fileName();
        counters.reportBytes = QFileInfo(kept).size();
    }
    return write(counters);
}

Result<QString> CounterStore::storeWithReport(Counters &counters, const ReportFile &report) const {
    const auto refused = [&report](const QString &why) {
        return Result<QString>::error(
            QStringLiteral("Cannot keep the report \"%1\": %2. Read it again, and keep that.")
                .arg(report.path, why));
    };
    if (const QString why = report.whyAnother(); !why.isEmpty())
        return refused(why);
    if (const Result<void> begun = begin(counters); !begun.hasValue())
        return Result<QString>::error(begun.message());
    const QString kept = reportPathOf(counters.id);
    if (const Result<void> copied = copyReport(report.path, kept); !copied.hasValue())
        return Result<QString>::error(copied.message());
    // Copying takes seconds, and a profiler that writes meanwhile asks nobody.
    if (const QString why = report.whyAnother(); !why.isEmpty()) {
        QFile::remove(kept);
        return refused(why);
    }
    counters.report = QFileInfo(kept).fileName();
    counters.reportBytes = report.bytes;
    Result<QString> written = write(counters);
    if (!written.hasValue())
        QFile::remove(kept);
    return written;
}

QStringList CounterStore::ids() const {
    QStringList ids;
    for (const QString &name : QDir(m_folder).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
        ids.append(name.chopped(5));
    return ids;
}

Result<Counters> CounterStore::load(const QString &id) const {
    const QString path = QStringLiteral("%1/%2.json").arg(m_folder, id);
    const Result<QByteArray> text = readTextFile(path, largestDocument);
    if (!text.hasValue())
        return Result<Counters>::error(text.message());
    const auto refused = [&path](const QString &why) {
        return Result<Counters>::error(
            QStringLiteral("Cannot read the counters \"%1\": it is damaged, or of another version (%2). "
                           "Remove the file, or collect them again: wright "
                           "counters.")
                .arg(path, why));
    };
    const Result<Json> document = parseJson(text.value());
    if (!document.hasValue())
        return refused(document.message());
    Result<Counters> counters = countersFromJson(document.value());
    return counters.hasValue() ? std::move(counters) : refused(counters.message());
}

QString CounterStore::whyNotLatest(const QString &textHash) const {
    const QStringList all = ids();
    for (auto id = all.crbegin(); id != all.crend(); ++id)
        if (!textHash.isEmpty() && id->endsWith(QLatin1Char('-') + markOf(textHash)))
            if (const Result<Counters> counters = load(*id); !counters.hasValue())
                return counters.message();
    return {};
}

QString CounterStore::newestText() const {
    const QStringList all = ids();
    for (auto id = all.crbegin(); id != all.crend(); ++id) {
        const Result<Counters> counters = load(*id);
        if (!counters.hasValue() || counters.value().textHash.isEmpty())
            continue;
        const QString at = counters.value().at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
        const QString text = counters.value().iteration > 0
                                 ? QStringLiteral("iteration %1").arg(counters.value().iteration)
                                 : QStringLiteral("another text");
        return at.isEmpty() ? text : QStringLiteral("%1, of %2").arg(text, at);
    }
    return {};
}

std::optional<Counters> CounterStore::latestOf(const QString &textHash) const {
    return latestWhere(textHash, [](const Counters &) { return true; });
}

std::optional<Counters> CounterStore::latestOf(const QString &textHash, bool isImported) const {
    return latestWhere(textHash, [isImported](const Counters &counters) {
        return counters.importedFrom.isEmpty() != isImported;
    });
}

std::optional<Counters> CounterStore::latestWhere(const QString &textHash,
                                                  const std::function<bool(const Counters &)> &is) const {
    if (textHash.isEmpty())
        return {};
    const QStringList all = ids();
    for (auto id = all.crbegin(); id != all.crend(); ++id) {
        if (!id->endsWith(QLatin1Char('-') + markOf(textHash)))
            continue;
        Result<Counters> counters = load(*id);
        if (counters.hasValue() && counters.value().textHash == textHash && is(counters.value()))
            return std::move(counters).value();
    }
    return {};
}

} // namespace warpwright
