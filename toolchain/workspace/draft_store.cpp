// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/draft_store.h"

#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <map>
#include <unistd.h>

namespace warpwright {
namespace {

const QString kFormat = QStringLiteral("warpwright.draft/1");

/// The 22nd field of /proc/<pid>/stat: when it was started, in ticks since the boot. Empty: it does not live.
QByteArray startOf(qint64 pid) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray text = file.readAll();
    // The second field is a name in brackets that may itself hold blanks and brackets.
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    const bool isDead = fields.value(0) == "Z" || fields.value(0) == "X";
    return isDead ? QByteArray() : fields.value(19);
}

QString ownerName(qint64 pid) {
    return QStringLiteral("%1.%2").arg(pid).arg(QString::fromLatin1(startOf(pid)));
}

/// "<hash of the path>-<pid>.<start>.draft"
QString ownerOf(const QString &fileName) {
    return QFileInfo(fileName.section(u'-', 1)).completeBaseName();
}

bool isAlive(const QString &owner) {
    const QByteArray start = startOf(owner.section(u'.', 0, 0).toLongLong());
    return !start.isEmpty() && QString::fromLatin1(start) == owner.section(u'.', 1);
}

QString keyOf(const QString &file) {
    return QString::fromLatin1(
        QCryptographicHash::hash(file.toUtf8(), QCryptographicHash::Sha256).toHex().left(24));
}

Result<Draft> readDraft(const QString &path) {
    using Answer = Result<Draft>;
    const auto bytes = readTextFile(path);
    if (!bytes.hasValue())
        return Answer::error(bytes.message());
    const auto json = parseJson(bytes.value());
    if (!json.hasValue() || stringIn(json.value(), "format") != kFormat)
        return Answer::error(QStringLiteral("\"%1\" is no draft.").arg(path));
    const Json &draft = json.value();
    return Answer::ok({stringIn(draft, "file"), stringIn(draft, "text"), stringIn(draft, "baseText"),
                       stringIn(draft, "baseHash").toLatin1(),
                       QDateTime::fromString(stringIn(draft, "time"), Qt::ISODateWithMs)});
}

} // namespace

DraftStore::DraftStore(QString folder) : m_folder(std::move(folder)), m_owner(ownerName(::getpid())) {}

QString DraftStore::pathFor(const QString &file) const {
    return QStringLiteral("%1/%2-%3.draft").arg(m_folder, keyOf(file), m_owner);
}

Result<void> DraftStore::write(const Draft &draft) const {
    const Json json{{"format", toJson(kFormat)},
                    {"file", toJson(draft.file)},
                    {"text", toJson(draft.text)},
                    {"baseText", toJson(draft.baseText)},
                    {"baseHash", draft.baseHash.toStdString()},
                    {"time", toJson(draft.time.toUTC().toString(Qt::ISODateWithMs))}};
    return writeFileAtomically(pathFor(draft.file), dumpJson(json));
}

void DraftStore::remove(const QString &file) const {
    const QDir folder(m_folder);
    for (const QString &name : folder.entryList({keyOf(file) + QStringLiteral("-*.draft")}, QDir::Files)) {
        const QString owner = ownerOf(name);
        if (owner == m_owner || !isAlive(owner))
            QFile::remove(folder.filePath(name));
    }
}

std::optional<Draft> DraftStore::find(const QString &file) const {
    const QDir folder(m_folder);
    std::optional<Draft> youngest;
    for (const QString &name : folder.entryList({keyOf(file) + QStringLiteral("-*.draft")}, QDir::Files)) {
        const QString owner = ownerOf(name);
        if (owner != m_owner && isAlive(owner))
            continue;
        const Result<Draft> read = readDraft(folder.filePath(name));
        if (read.hasValue() && (!youngest || youngest->time < read.value().time))
            youngest = read.value();
    }
    return youngest;
}

std::vector<Draft> DraftStore::recoverable() const {
    const QDir folder(m_folder);
    std::map<QString, Draft> youngest;
    for (const QString &name : folder.entryList({QStringLiteral("*.draft")}, QDir::Files)) {
        const QString owner = ownerOf(name);
        if (owner == m_owner || isAlive(owner))
            continue;
        const Result<Draft> read = readDraft(folder.filePath(name));
        if (!read.hasValue())
            continue;
        const Draft &draft = read.value();
        const auto [found, isFirst] = youngest.try_emplace(draft.file, draft);
        if (!isFirst && found->second.time < draft.time)
            found->second = draft;
    }
    std::vector<Draft> drafts;
    for (auto &[file, draft] : youngest)
        drafts.push_back(std::move(draft));
    return drafts;
}

} // namespace warpwright
