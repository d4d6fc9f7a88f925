// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/disk_text.h"

#include "app/ide/editing/line_edits.h"
#include "toolchain/text/text_merge.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>

namespace warpwright {

quint64 fileIdentity(const QString &path) {
    struct stat facts = {};
    return ::stat(QFile::encodeName(path).constData(), &facts) == 0 ? facts.st_ino : 0;
}

namespace {

QString newNameOf(const QString &path, quint64 identity) {
    if (identity == 0)
        return {};
    const QDir folder = QFileInfo(path).dir();
    for (const QString &name : folder.entryList(QDir::Files | QDir::Hidden))
        if (fileIdentity(folder.filePath(name)) == identity)
            return name;
    return {};
}

} // namespace

DiskNews lookAtDisk(const DiskQuestion &question) {
    DiskNews news;
    if (!QFileInfo::exists(question.path)) {
        news.kind = DiskNews::Kind::Gone;
        news.movedTo = newNameOf(question.path, question.identity);
        return news;
    }
    Result<SourceText> read = readSourceText(question.path);
    if (!read.hasValue()) {
        news.kind = DiskNews::Kind::Unreadable;
        news.message = read.message();
        return news;
    }
    news.disk = std::move(read).value();
    news.isWritable = news.disk.isWritable;
    if (news.disk.hash == question.known.hash)
        return news;
    if (!question.isDirty) {
        news.kind = DiskNews::Kind::Reload;
        news.edits = lineEdits(question.mine, news.disk.text);
        return news;
    }
    if (news.disk.isReadOnlyKind) {
        news.kind = DiskNews::Kind::Conflict;
        news.merged = question.mine;
        return news;
    }
    const MergedText merged = mergeTexts(question.known.text, question.mine, news.disk.text,
                                         QStringLiteral("yours"), QStringLiteral("on disk"));
    news.kind = merged.isClean ? DiskNews::Kind::Merged : DiskNews::Kind::Conflict;
    news.merged = merged.text;
    if (merged.isClean) {
        news.edits = lineEdits(question.mine, merged.text);
        news.own = {lineEdits(merged.text, news.disk.text), lineEdits(news.disk.text, merged.text)};
    }
    return news;
}

SaveAnswer saveToDisk(const QString &path, const SourceText &source, const QByteArray &knownHash) {
    SaveAnswer answer;
    if (!knownHash.isEmpty()) {
        const QByteArray hash = hashOfFile(path);
        if (hash.isEmpty() && QFileInfo::exists(path)) {
            answer.message =
                QStringLiteral("Cannot save \"%1\": what it holds now cannot be read, and may be another's "
                               "work. Move it away, or make it readable.")
                    .arg(path);
            return answer;
        }
        if (!hash.isEmpty() && hash != knownHash) {
            answer.hasDiskChanged = true;
            return answer;
        }
    }
    Result<QByteArray> written = writeSourceText(path, source);
    answer.isSaved = written.hasValue();
    answer.message = written.message();
    if (answer.isSaved) {
        answer.hash = written.value();
        answer.identity = fileIdentity(path);
    }
    return answer;
}

} // namespace warpwright
