// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/opening_headers.h"

#include "toolchain/base/text_file.h"
#include "toolchain/text/token_text.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

const QString pybind = QStringLiteral("torch/csrc/utils/pybind.h");

/// What torch has for Python: the wider first, which brings the other.
const QStringList &pythonHeaders() {
    static const QStringList names = {QStringLiteral("torch/csrc/autograd/python_variable.h"), pybind};
    return names;
}

/// The widest first: each of them brings those below that matter.
const QStringList &wideHeaders() {
    static const QStringList names = {QStringLiteral("torch/extension.h"), QStringLiteral("torch/torch.h"),
                                      QStringLiteral("torch/all.h"),       QStringLiteral("torch/types.h"),
                                      QStringLiteral("ATen/ATen.h"),       QStringLiteral("torch/library.h")};
    return names;
}

/// Headers that mean the same before torch's and after.
bool isIndifferent(const QString &name) {
    static const QStringList plain = {
        QStringLiteral("Python.h"),    QStringLiteral("assert.h"),    QStringLiteral("cuda.h"),
        QStringLiteral("cuda_bf16.h"), QStringLiteral("cuda_fp16.h"), QStringLiteral("cuda_runtime.h"),
        QStringLiteral("float.h"),     QStringLiteral("immintrin.h"), QStringLiteral("limits.h"),
        QStringLiteral("math.h"),      QStringLiteral("omp.h"),       QStringLiteral("stddef.h"),
        QStringLiteral("stdint.h"),    QStringLiteral("stdio.h"),     QStringLiteral("stdlib.h"),
        QStringLiteral("string.h")};
    static const QRegularExpression standard(QStringLiteral("^[a-z_]+$"));
    return plain.contains(name) || standard.match(name).hasMatch() ||
           name.startsWith(QLatin1String("torch/")) || name.startsWith(QLatin1String("ATen/")) ||
           name.startsWith(QLatin1String("c10/")) || name.startsWith(QLatin1String("pybind11/"));
}

class Reader {
public:
    explicit Reader(const QString &workspace) : m_workspace(workspace) {}

    /// False: something else than an include was met.
    bool read(const QString &path) {
        if (m_seen.contains(path))
            return true;
        m_seen << path;
        const auto bytes = readTextFile(path);
        const auto text = bytes.hasValue() ? textWithoutComments(bytes.value()) : std::nullopt;
        if (!text)
            return false;
        QStringList lines;
        for (const QString &line : QString::fromUtf8(*text).split(QLatin1Char('\n')))
            if (!line.trimmed().isEmpty())
                lines << line.simplified();
        const bool isHeader = m_seen.size() > 1;
        for (qsizetype at = isHeader && isGuarded(lines) ? 2 : 0; at < lines.size(); ++at)
            if (!take(lines[at], QFileInfo(path).path()))
                return false;
        return true;
    }

    [[nodiscard]] const QStringList &names() const { return m_names; }

private:
    static bool isGuarded(const QStringList &lines) {
        static const QRegularExpression opens(QStringLiteral("^# ?ifndef (\\w+)$"));
        if (lines.size() < 2)
            return false;
        const auto guard = opens.match(lines[0]);
        return guard.hasMatch() && (lines[1] == QStringLiteral("#define ") + guard.captured(1) ||
                                    lines[1] == QStringLiteral("# define ") + guard.captured(1));
    }

    bool take(const QString &line, const QString &folder) {
        static const QRegularExpression include(
            QStringLiteral("^# ?include ?(?:<([^>\"]+)>|\"([^>\"]+)\")$"));
        if (line == QLatin1String("#pragma once") || line == QLatin1String("# pragma once"))
            return true;
        const auto match = include.match(line);
        if (!match.hasMatch())
            return false;
        const QString inQuotes = match.captured(2);
        if (!inQuotes.isEmpty()) {
            const QString path = QDir::cleanPath(folder + QLatin1Char('/') + inQuotes);
            if (path.startsWith(m_workspace + QLatin1Char('/')) && QFileInfo(path).isFile())
                return read(path);
        }
        const QString name = inQuotes.isEmpty() ? match.captured(1) : inQuotes;
        if (!isIndifferent(name))
            return false;
        m_names << name;
        return true;
    }

    QString m_workspace;
    QStringList m_seen;
    QStringList m_names;
};

} // namespace

QStringList openingHeaders(const QString &workspace, const QString &name) {
    const QString root = QDir::cleanPath(workspace);
    Reader reader(root);
    static_cast<void>(reader.read(QDir::cleanPath(root + QLatin1Char('/') + name)));
    QStringList headers;
    const auto addFirst = [&](const QStringList &names) {
        const auto found = std::find_if(names.begin(), names.end(), [&](const QString &header) {
            return reader.names().contains(header);
        });
        if (found != names.end())
            headers << *found;
    };
    addFirst(wideHeaders());
    if (!headers.contains(QStringLiteral("torch/extension.h")))
        addFirst(pythonHeaders());
    return headers;
}

bool areWide(const QStringList &headers) {
    return std::any_of(headers.begin(), headers.end(),
                       [](const QString &name) { return wideHeaders().contains(name); });
}

QList<QStringList> usualOpenings() {
    return {{QStringLiteral("torch/types.h"), pybind}, {pythonHeaders().front()}};
}

} // namespace warpwright
