// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/diagnostics_model.h"

#include "profiler_views/value_role.h"
#include "toolchain/base/figures.h"

#include <algorithm>
#include <tuple>

namespace warpwright {
namespace {

int rankOf(Severity severity) {
    switch (severity) {
    case Severity::Fatal:
    case Severity::Error:
        return 0;
    case Severity::Warning:
        return 1;
    case Severity::Note:
        break;
    }
    return 2;
}

const char *iconOf(Severity severity) {
    static constexpr const char *icons[] = {"error", "warning", "info"};
    return icons[rankOf(severity)];
}

const char *tokenOf(Severity severity) {
    static constexpr const char *tokens[] = {"verdict.wrong", "verdict.buildFailed", "text.secondary"};
    return tokens[rankOf(severity)];
}

QString placeOf(const QString &file, int line, const QString &otherwise) {
    if (file.isEmpty())
        return otherwise;
    const QString name = file.section(QLatin1Char('/'), -1);
    return line > 0 ? QStringLiteral("%1:%2").arg(name).arg(line) : name;
}

} // namespace

void DiagnosticsModel::setDiagnostics(const std::vector<Diagnostic> &diagnostics) {
    beginResetModel();
    m_rows = diagnostics;
    // Stable: what a tool said first of one line stays first, later ones often follow from it.
    std::stable_sort(m_rows.begin(), m_rows.end(), [](const Diagnostic &a, const Diagnostic &b) {
        return std::tuple(rankOf(a.severity), a.file, a.line) <
               std::tuple(rankOf(b.severity), b.file, b.line);
    });
    endResetModel();
}

QString DiagnosticsModel::counts() const {
    qsizetype counted[3] = {0, 0, 0};
    for (const Diagnostic &diagnostic : m_rows)
        ++counted[rankOf(diagnostic.severity)];
    QString text = countText(counted[0], QStringLiteral("error")) + QStringLiteral(", ") +
                   countText(counted[1], QStringLiteral("warning"));
    return counted[2] > 0 ? text + QStringLiteral(", ") + countText(counted[2], QStringLiteral("note"))
                          : text;
}

int DiagnosticsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DiagnosticsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DiagnosticsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const Diagnostic &diagnostic = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case ValueRole:
        if (index.column() == Message)
            return diagnostic.message;
        return role == ValueRole ? QStringLiteral("%1:%2:%3")
                                       .arg(diagnostic.file)
                                       .arg(diagnostic.line)
                                       .arg(diagnostic.column)
                                 : placeOf(diagnostic.file, diagnostic.line, diagnostic.tool);
    case IconNameRole:
        return index.column() == Message ? QString(QLatin1String(iconOf(diagnostic.severity))) : QString();
    case ColorRole:
        return QString(QLatin1String(index.column() == Message   ? tokenOf(diagnostic.severity)
                                     : diagnostic.file.isEmpty() ? "text.tertiary"
                                                                 : "accent.text"));
    case MonospaceRole:
        return index.column() == Place;
    case FileRole:
        return diagnostic.file;
    case LineRole:
        return diagnostic.line;
    case ColumnRole:
        return diagnostic.column;
    case Qt::AccessibleTextRole:
        return index.column() == Message
                   ? severityName(diagnostic.severity) + QStringLiteral(": ") + diagnostic.message
                   : placeOf(diagnostic.file, diagnostic.line, diagnostic.tool);
    case Qt::TextAlignmentRole:
        return index.column() == Message ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                         : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        break;
    default:
        return {};
    }
    QString text = QStringLiteral("%1 %2: %3")
                       .arg(diagnostic.tool, severityName(diagnostic.severity), diagnostic.message);
    if (!diagnostic.option.isEmpty())
        text += QStringLiteral(" [%1]").arg(diagnostic.option);
    for (const DiagnosticNote &note : diagnostic.notes)
        text += QStringLiteral("\n%1: %2")
                    .arg(placeOf(note.file, note.line, QStringLiteral("note")), note.message);
    return text;
}

QVariant DiagnosticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount ||
        (role != Qt::DisplayRole && role != ValueRole))
        return {};
    return section == Message ? QStringLiteral("message") : QStringLiteral("place");
}

} // namespace warpwright
