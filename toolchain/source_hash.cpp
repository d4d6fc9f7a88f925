// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/source_hash.h"

#include "toolchain/text_file.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace warpwright {

namespace {

constexpr int mostHeaders = 2000;

QByteArray sha256(const QByteArray &bytes) {
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
}

} // namespace

SourceHash::SourceHash(QString workspace) : m_workspace(QDir::cleanPath(workspace)) {}

const SourceHash::Text *SourceHash::read(const QString &path) {
    if (const auto known = m_texts.constFind(path); known != m_texts.constEnd())
        return &*known;
    const auto bytes = readTextFile(path);
    if (!bytes.hasValue()) {
        m_message = bytes.message();
        return nullptr;
    }
    Text text;
    text.hash = sha256(bytes.value());
    // %: is the digraph of #. What stands in a comment is followed too: that costs nothing but a wider key.
    static const QRegularExpression directive(
        QStringLiteral("^[ \\t]*(?:#|%:)[ \\t]*(?:include|include_next|import|embed)\\b[ \\t]*(.*)$"),
        QRegularExpression::MultilineOption);
    static const QRegularExpression literal(QStringLiteral("^[\"<]([^\">]+)[\">]"));
    auto found = directive.globalMatch(QString::fromUtf8(bytes.value()));
    while (found.hasNext()) {
        const auto name = literal.match(found.next().captured(1).trimmed());
        if (!name.hasMatch()) {
            text.includesByMacro = true;
            continue;
        }
        for (const QString &folder : {QFileInfo(path).path(), m_workspace}) {
            const QString candidate = QDir::cleanPath(folder + QLatin1Char('/') + name.captured(1));
            if (!text.includes.contains(candidate))
                text.includes << candidate;
        }
    }
    // A line that is continued inside the directive hides it from the expression above.
    if (bytes.value().contains("#\\\n") || bytes.value().contains("include\\\n"))
        text.includesByMacro = true;
    return &*m_texts.insert(path, text);
}

QStringList SourceHash::allHeaders() const {
    QStringList headers;
    for (const QString &folder : {m_workspace, m_workspace + QStringLiteral("/kernels")}) {
        // Below kernels/ at any depth; of the root only its own files, for anything may lie beside a
        // workspace.
        const auto depth =
            folder == m_workspace ? QDirIterator::NoIteratorFlags : QDirIterator::Subdirectories;
        QDirIterator entries(folder, QDir::Files, depth);
        while (entries.hasNext() && headers.size() < mostHeaders) {
            static const QStringList suffixes = {
                QStringLiteral("h"),  QStringLiteral("cuh"), QStringLiteral("hpp"),
                QStringLiteral("hh"), QStringLiteral("inl"), QStringLiteral("inc"),
                QStringLiteral("cu"), QStringLiteral("cpp"), QStringLiteral("ptx")};
            const QString path = entries.next();
            if (suffixes.contains(QFileInfo(path).suffix()) && !headers.contains(path))
                headers << path;
        }
    }
    return headers;
}

Result<QByteArray> SourceHash::of(const QString &name, bool countsAllHeaders) {
    using Answer = Result<QByteArray>;
    const QString root = m_workspace + QLatin1Char('/');
    QStringList files = {QDir::cleanPath(root + name)};
    bool countsAll = countsAllHeaders;
    for (qsizetype at = 0; at < files.size(); ++at) {
        const Text *text = read(files[at]);
        if (!text) {
            // An include that is in a folder we may not read; the compiler will say so better.
            if (at == 0)
                return Answer::error(m_message);
            continue;
        }
        countsAll = countsAll || text->includesByMacro;
        for (const QString &include : text->includes)
            if (!files.contains(include) && QFileInfo(include).isFile())
                files << include;
        if (countsAll && at + 1 == files.size())
            for (const QString &header : allHeaders())
                if (!files.contains(header))
                    files << header;
    }
    std::sort(files.begin() + 1, files.end());
    QByteArray all;
    for (const QString &file : files) {
        const Text *text = read(file);
        all += (file.startsWith(root) ? file.mid(root.size()) : file).toUtf8() + '\0' +
               (text ? text->hash : QByteArray());
    }
    return Answer::ok(sha256(all));
}

} // namespace warpwright
