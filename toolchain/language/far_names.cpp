// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/far_names.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace warpwright {
namespace {

QSet<QString> headersIn(const QString &text) {
    static const QRegularExpression include(
        QStringLiteral("^[ \\t]*#[ \\t]*include[ \\t]*[<\"]([^>\"\\n]+)[>\"]"),
        QRegularExpression::MultilineOption);
    QSet<QString> headers;
    for (auto found = include.globalMatch(text); found.hasNext();)
        headers.insert(found.next().captured(1));
    return headers;
}

/// As clangd begins its words: «From `<pythread.h>`»; empty: it does not say, or it is one of the candidate's
/// own, in quotes.
QString headerOf(const CompletionItem &item) {
    static const QRegularExpression from(QStringLiteral("^From `?<([^>\n]+)>"));
    return from.match(item.documentation).captured(1);
}

bool isOfPython(const QString &name, const QString &header) {
    static const QRegularExpression names(QStringLiteral("^_?(Py[A-Z_]|PY_|THP[A-Z])"));
    static const QRegularExpression headers(QStringLiteral(
        "^(cpython/.+|(py|\\w*object|abstract|ceval|codecs|descr|import|modsupport)\\w*\\.h)$"));
    return names.match(name).hasMatch() || headers.match(header).hasMatch();
}

/// clang's headers of x86 come with its wrapper for CUDA.
bool isOfX86(const QString &name) {
    static const QRegularExpression names(QStringLiteral("^_mm\\d*_"));
    return names.match(name).hasMatch();
}

bool isIncludeGuard(const QString &name) {
    static const QRegularExpression names(QStringLiteral("^_[A-Z0-9_]+_H_*$"));
    return names.match(name).hasMatch();
}

} // namespace

void markFarNames(Completion &completion, const QString &text) {
    const QSet<QString> headers = headersIn(text);
    const bool includesPython = headers.contains(QStringLiteral("Python.h"));
    const bool includesX86 = std::any_of(headers.begin(), headers.end(), [](const QString &header) {
        return header.endsWith(QLatin1String("intrin.h"));
    });
    for (CompletionItem &item : completion.items) {
        const QString header = headerOf(item);
        const bool isForeign =
            (!includesPython && isOfPython(item.label, header)) || (!includesX86 && isOfX86(item.label));
        item.isFar = isIncludeGuard(item.label) || (isForeign && !headers.contains(header));
    }
}

} // namespace warpwright
