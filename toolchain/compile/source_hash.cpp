// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/source_hash.h"

#include "toolchain/base/text_file.h"
#include "toolchain/text/token_text.h"

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

/// Python's comments are no matter for us: nothing is compiled from them.
bool isForCompilers(const QString &path) {
    return !path.endsWith(QLatin1String(".py")) && !path.endsWith(QLatin1String(".ptx"));
}

/// `tokens` without empty lines; nothing: where a line stands may matter. `includes`: as they are written.
std::optional<QByteArray> withoutEmptyLines(const QByteArray &tokens, const QStringList &systemIncludes) {
    // In a raw string and after a line that is continued an empty line means something.
    if (tokens.contains("R\"") || tokens.contains("\\\n"))
        return std::nullopt;
    static const QRegularExpression word(QStringLiteral("\\b(?:__LINE__|__COUNTER__|__builtin_LINE|__builtin_"
                                                        "source_location|assert|source_location|line)\\b"));
    if (word.match(QString::fromUtf8(tokens)).hasMatch())
        return std::nullopt;
    static const QStringList harmless = {
        QStringLiteral("algorithm"),   QStringLiteral("array"),       QStringLiteral("atomic"),
        QStringLiteral("bit"),         QStringLiteral("chrono"),      QStringLiteral("climits"),
        QStringLiteral("cmath"),       QStringLiteral("complex"),     QStringLiteral("cstddef"),
        QStringLiteral("cstdint"),     QStringLiteral("cstdlib"),     QStringLiteral("cstring"),
        QStringLiteral("functional"),  QStringLiteral("immintrin.h"), QStringLiteral("limits"),
        QStringLiteral("memory"),      QStringLiteral("mutex"),       QStringLiteral("numeric"),
        QStringLiteral("omp.h"),       QStringLiteral("string"),      QStringLiteral("thread"),
        QStringLiteral("type_traits"), QStringLiteral("utility"),     QStringLiteral("vector")};
    for (const QString &name : systemIncludes)
        if (!harmless.contains(name))
            return std::nullopt;
    QByteArray lines;
    for (const QByteArray &line : tokens.split('\n'))
        if (!line.trimmed().isEmpty())
            lines += line + '\n';
    return lines;
}

} // namespace

SourceHash::SourceHash(QString workspace, bool ignoresComments)
    : m_workspace(QDir::cleanPath(workspace)), m_ignoresComments(ignoresComments) {}

const SourceHash::Text *SourceHash::read(const QString &path) {
    if (const auto known = m_texts.constFind(path); known != m_texts.constEnd())
        return &*known;
    const auto bytes = readTextFile(path);
    if (!bytes.hasValue()) {
        m_message = bytes.message();
        return nullptr;
    }
    Text text;
    std::optional<QByteArray> tokens;
    if (m_ignoresComments && isForCompilers(path))
        tokens = textWithoutComments(bytes.value());
    // The mark keeps a blanked text from standing for a plain one that looks like it.
    text.bytesHash = sha256(bytes.value());
    text.hash = tokens ? sha256("tokens\n" + *tokens) : text.bytesHash;
    const QByteArray &scanned = tokens ? *tokens : bytes.value();
    // %: is the digraph of #. Where comments cannot be told from code, what stands in one is followed too:
    // that costs nothing but a wider key.
    static const QRegularExpression directive(
        QStringLiteral("^[ \\t]*(?:#|%:)[ \\t]*(?:include|include_next|import|embed)\\b[ \\t]*(.*)$"),
        QRegularExpression::MultilineOption);
    static const QRegularExpression literal(QStringLiteral("^[\"<]([^\">]+)[\">]"));
    QStringList systemIncludes;
    auto found = directive.globalMatch(QString::fromUtf8(scanned));
    while (found.hasNext()) {
        const auto name = literal.match(found.next().captured(1).trimmed());
        if (!name.hasMatch()) {
            text.includesByMacro = true;
            continue;
        }
        bool isOurs = false;
        for (const QString &folder : {QFileInfo(path).path(), m_workspace}) {
            const QString candidate = QDir::cleanPath(folder + QLatin1Char('/') + name.captured(1));
            if (!text.includes.contains(candidate))
                text.includes << candidate;
            isOurs = isOurs || QFileInfo(candidate).isFile();
        }
        if (!isOurs)
            systemIncludes << name.captured(1);
    }
    // A line that is continued inside the directive hides it from the expression above.
    if (scanned.contains("#\\\n") || scanned.contains("include\\\n"))
        text.includesByMacro = true;
    if (const auto lines =
            tokens && !text.includesByMacro ? withoutEmptyLines(*tokens, systemIncludes) : std::nullopt)
        text.linelessHash = sha256("lines\n" + *lines);
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

Result<QStringList> SourceHash::filesOf(const QString &name, bool countsAllHeaders) {
    using Answer = Result<QStringList>;
    QStringList files = {QDir::cleanPath(m_workspace + QLatin1Char('/') + name)};
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
    return Answer::ok(std::move(files));
}

QByteArray SourceHash::hashOf(const QStringList &files, QByteArray Text::*hash) {
    const QString root = m_workspace + QLatin1Char('/');
    QByteArray all;
    for (const QString &file : files) {
        const Text *text = read(file);
        all += (file.startsWith(root) ? file.mid(root.size()) : file).toUtf8() + '\0' +
               (text ? text->*hash : QByteArray());
    }
    return sha256(all);
}

Result<QByteArray> SourceHash::of(const QString &name, bool countsAllHeaders) {
    const auto files = filesOf(name, countsAllHeaders);
    return files.hasValue() ? Result<QByteArray>::ok(hashOf(files.value(), &Text::hash))
                            : Result<QByteArray>::error(files.message());
}

QString SourceHash::ofBytes(const QString &path) const {
    const auto known = m_texts.constFind(path);
    return known == m_texts.constEnd() ? QString() : QString::fromLatin1(known->bytesHash.toHex());
}

std::optional<QByteArray> SourceHash::withoutLines(const QString &name) {
    const auto files = filesOf(name, false);
    if (!files.hasValue())
        return std::nullopt;
    for (const QString &file : files.value())
        if (const Text *text = read(file); !text || text->linelessHash.isEmpty())
            return std::nullopt;
    return hashOf(files.value(), &Text::linelessHash);
}

} // namespace warpwright
