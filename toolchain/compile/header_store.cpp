// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/header_store.h"

#include "toolchain/base/file_state.h"
#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSet>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace warpwright {
namespace {

constexpr qint64 day = 24 * 3600;

QByteArray numbers(std::initializer_list<qint64> values) {
    QByteArray text;
    for (const qint64 value : values)
        text += QByteArray::number(value) + ' ';
    return text;
}

/// The change time cannot be set by hand: whoever writes to the file changes it.
QByteArray sealOf(const QString &path) {
    const auto state = fileStateOf(QFile::encodeName(path));
    return state && state->size > 0 ? numbers({state->inode, state->size, state->modified, state->changed})
                                    : QByteArray();
}

/// Packages are replaced under the same names: their size and time tell.
QByteArray lineOf(const QByteArray &path) {
    const auto state = fileStateOf(path);
    return state ? numbers({state->size, state->modified}) + path : QByteArray();
}

/// The right-hand side of the rule that GCC wrote: names, with blanks and # escaped.
QByteArrayList namesIn(const QByteArray &rule) {
    QByteArrayList names;
    QByteArray name;
    const qsizetype colon = rule.indexOf(": ");
    for (qsizetype i = colon < 0 ? rule.size() : colon + 1; i < rule.size(); ++i) {
        const char c = rule[i];
        const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
        if (c == '\\' && (next == ' ' || next == '#')) {
            name += next;
            ++i;
        } else if (c == '$' && next == '$') {
            name += '$';
            ++i;
        } else if (c == ' ' || c == '\n' || c == '\\') {
            if (!name.isEmpty())
                names << std::exchange(name, {});
            if (c == '\n' && i > 0 && rule[i - 1] != '\\')
                break;
        } else {
            name += c;
        }
    }
    if (!name.isEmpty())
        names << name;
    return names;
}

void syncFile(const QString &path) {
    const int file = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        ::fsync(file);
        ::close(file);
    }
}

} // namespace

QByteArray HeaderRequest::text() const {
    QByteArray lines;
    for (const QString &header : headers)
        lines += "#include <" + header.toUtf8() + ">\n";
    return lines;
}

QByteArray HeaderRequest::toJson() const {
    return dumpJson(Json{{"compiler", warpwright::toJson(compiler)},
                         {"arguments", stringsToJson<Json>(arguments)},
                         {"headers", stringsToJson<Json>(headers)},
                         {"key", warpwright::toJson(key)}});
}

Result<HeaderRequest> HeaderRequest::fromJson(const QByteArray &json) {
    using Answer = Result<HeaderRequest>;
    const auto all = parseJson(json);
    if (!all.hasValue())
        return Answer::error(all.message());
    HeaderRequest request{stringIn(all.value(), "compiler"), {}, {}, stringIn(all.value(), "key")};
    if (all.value().is_object()) {
        request.arguments = stringsIn(all.value().value("arguments", Json()));
        request.headers = stringsIn(all.value().value("headers", Json()));
    }
    if (request.compiler.isEmpty() || request.key.isEmpty() || request.headers.isEmpty())
        return Answer::error(QStringLiteral("it names no compiler, no headers or no key"));
    return Answer::ok(std::move(request));
}

HeaderRequest makeHeaderRequest(const QString &compiler, const QStringList &arguments,
                                const QStringList &headers, const QByteArray &identity) {
    HeaderRequest request{compiler, arguments, headers, {}};
    const QByteArray all = "warpwright.headers/1\n" + identity + '\n' + compiler.toUtf8() + '\n' +
                           arguments.join(QLatin1Char('\n')).toUtf8() + '\n' + request.text();
    request.key =
        QString::fromLatin1(QCryptographicHash::hash(all, QCryptographicHash::Sha256).toHex().left(32));
    return request;
}

HeaderStore::HeaderStore(QString cacheFolder)
    : m_folder(std::move(cacheFolder) + QStringLiteral("/headers")) {}

QString HeaderStore::find(const QString &key) const {
    const QString header = place(key) + QStringLiteral("/headers.h");
    const QString list = place(key) + QStringLiteral("/made");
    const auto made = readTextFile(list);
    if (!made.hasValue())
        return {};
    QByteArrayList lines = made.value().split('\n');
    if (lines.size() < 3 || lines.takeFirst() != sealOf(header + QStringLiteral(".gch")))
        return {};
    if (!lines.takeLast().isEmpty() || QFileInfo(header).size() != 0)
        return {};
    for (const QByteArray &line : lines) {
        const qsizetype path = line.indexOf('/');
        if (path < 0 || lineOf(line.mid(path)) != line)
            return {};
    }
    utimensat(AT_FDCWD, QFile::encodeName(list).constData(), nullptr, 0);
    return header;
}

Result<void> HeaderStore::publish(const QString &made, const QString &key) const {
    const auto rule = readTextFile(made + QStringLiteral("/headers.d"));
    if (!rule.hasValue())
        return Result<void>::error(rule.message());
    QByteArray list;
    for (const QByteArray &name : namesIn(rule.value())) {
        // Our own few lines are in the key.
        if (name.startsWith(QFile::encodeName(made) + '/'))
            continue;
        const QByteArray line = name.startsWith('/') ? lineOf(name) : QByteArray();
        if (line.isEmpty())
            return Result<void>::error(
                QStringLiteral("Cannot precompile headers: \"%1\", which was read, cannot be found.")
                    .arg(QString::fromUtf8(name)));
        list += line + '\n';
    }
    const QString gch = made + QStringLiteral("/headers.h.gch");
    syncFile(gch);
    if (const auto written = writeFileAtomically(made + QStringLiteral("/made"), sealOf(gch) + '\n' + list);
        !written.hasValue())
        return written;
    QDir(place(key)).removeRecursively(); // one that was found wanting
    if (::rename(QFile::encodeName(made).constData(), QFile::encodeName(place(key)).constData()) != 0)
        return Result<void>::error(QStringLiteral("Cannot rename \"%1\" to \"%2\": %3.")
                                       .arg(made, place(key), qt_error_string(errno)));
    return Result<void>::ok();
}

void HeaderStore::discard(const QString &key) const {
    if (!key.isEmpty())
        QDir(place(key)).removeRecursively();
}

void HeaderStore::prune(qint64 limitBytes) const {
    struct Entry {
        QString folder;
        qint64 bytes;
        QDateTime used;
    };
    std::vector<Entry> entries;
    const QDateTime now = QDateTime::currentDateTime();
    for (const QFileInfo &entry :
         QDir(m_folder).entryInfoList(QDir::Dirs | QDir::Files | QDir::NoDotAndDotDot)) {
        const QFileInfo made(entry.filePath() + QStringLiteral("/made"));
        if (entry.isDir() && made.exists() && !entry.fileName().startsWith(QLatin1String("tmp-")))
            entries.push_back({entry.filePath(),
                               QFileInfo(entry.filePath() + QStringLiteral("/headers.h.gch")).size(),
                               made.lastModified()});
        else if (entry.lastModified().secsTo(now) > day)
            entry.isDir() ? static_cast<void>(QDir(entry.filePath()).removeRecursively())
                          : static_cast<void>(QFile::remove(entry.filePath()));
    }
    std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.used > b.used; });
    qint64 bytes = 0;
    for (const Entry &entry : entries)
        if ((bytes += entry.bytes) > limitBytes)
            QDir(entry.folder).removeRecursively();
}

bool HeaderStore::isAskedForByOthers(const QString &key, const QString &text) const {
    const QString mark = place(key) + QStringLiteral(".first");
    const auto first = readTextFile(mark);
    if (first.hasValue() && first.value() != text.toUtf8())
        return true;
    if (makeFolder(m_folder).hasValue())
        static_cast<void>(writeFileAtomically(mark, text.toUtf8()));
    return false;
}

void HeaderStore::refuse(const QString &key, const QByteArray &why) const {
    static_cast<void>(writeFileAtomically(place(key) + QStringLiteral(".refused"), why));
}

bool HeaderStore::isRefused(const QString &key) const {
    const QFileInfo mark(place(key) + QStringLiteral(".refused"));
    return mark.exists() && mark.lastModified().secsTo(QDateTime::currentDateTime()) < day;
}

QString findPreparer() {
    if (qgetenv("WARPWRIGHT_HEADERS") == "0")
        return {};
    const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/wright");
    return QFileInfo(program).isExecutable() ? program : QString();
}

void startPreparing(const QString &preparer, const HeaderStore &store, const HeaderRequest &request) {
    if (preparer.isEmpty() || request.isEmpty() || store.isRefused(request.key))
        return;
    // Two bindings of one workspace miss the same headers in the same moment.
    static QSet<QString> asked;
    if (asked.contains(request.key))
        return;
    asked << request.key;
    const QString file = store.folder() + QLatin1Char('/') + request.key + QStringLiteral(".request");
    if (makeFolder(store.folder()).hasValue() && writeFileAtomically(file, request.toJson()).hasValue())
        startPreparing(preparer, {QStringLiteral("--request"), file});
}

void startPreparing(const QString &preparer, const QStringList &arguments) {
    if (preparer.isEmpty())
        return;
    QProcess process;
    process.setProgram(preparer);
    process.setArguments(QStringList{QStringLiteral("prepare")} + arguments);
    process.setWorkingDirectory(QStringLiteral("/"));
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    // Below a command that adopts orphans it would count as one, and be ended with what a candidate left
    // behind.
    int adopts = 0;
    prctl(PR_GET_CHILD_SUBREAPER, &adopts);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    process.startDetached();
    prctl(PR_SET_CHILD_SUBREAPER, adopts);
}

} // namespace warpwright
