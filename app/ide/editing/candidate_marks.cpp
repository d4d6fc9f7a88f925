// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/candidate_marks.h"

#include "toolchain/base/figures.h"
#include "toolchain/text/scanned_text.h"
#include "toolchain/tool_output/quoted_place.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"
#include "widgets/editor/line_notes.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace warpwright {
namespace {

EditorMark::Severity severityOf(Severity severity) {
    switch (severity) {
    case Severity::Note:
        return EditorMark::Info;
    case Severity::Warning:
        return EditorMark::Warning;
    case Severity::Error:
    case Severity::Fatal:
        return EditorMark::Error;
    }
    return EditorMark::Error;
}

/// "void (anonymous namespace)::softmaxRows<256>(float const*)" -> "softmaxRows"
QString plainName(const QString &demangledName) {
    static const QRegularExpression name(QStringLiteral(R"re(([A-Za-z_]\w*)\s*(?:<[^()]*>)?\s*\()re"));
    const QRegularExpressionMatch match =
        name.match(QString(demangledName).remove(QStringLiteral("(anonymous namespace)::")));
    return match.hasMatch() ? match.captured(1) : demangledName;
}

const KernelResources *sameKernel(const std::optional<Evaluation> &evaluation, const QString &name) {
    if (!evaluation)
        return nullptr;
    for (const KernelResources &kernel : evaluation->compile.kernels)
        if (plainName(kernel.name) == plainName(name))
            return &kernel;
    return nullptr;
}

QString words(const char *text) {
    return QCoreApplication::translate("CandidateMarks", text);
}

} // namespace

int lineOfKernel(const QString &text, const QString &demangledName) {
    const QRegularExpression definition(QStringLiteral(R"(__global__[^;{}]*?\b%1\s*\()")
                                            .arg(QRegularExpression::escape(plainName(demangledName))));
    const ScannedText scanned = scanText(text.toUtf8(), Literals::Blanked);
    const QRegularExpressionMatch match = definition.match(scanned.code);
    // The line of the name, not of __global__ above it.
    return match.hasMatch() ? scanned.lineAt(match.capturedEnd() - 1) : 0;
}

QString resourceNote(const KernelResources &now, const KernelResources *before) {
    const auto changed = [before](int value, int old) {
        return before != nullptr && value != old ? QStringLiteral(" (%1)").arg(signedText(value - old))
                                                 : QString();
    };
    QStringList parts;
    parts << words("%1 registers").arg(now.registers) +
                 changed(now.registers, before != nullptr ? before->registers : 0);
    if (now.staticSharedBytes > 0 || (before != nullptr && before->staticSharedBytes > 0))
        parts << words("%1 B shared").arg(now.staticSharedBytes) +
                     changed(now.staticSharedBytes, before != nullptr ? before->staticSharedBytes : 0);
    const int spills = now.spillLoadBytes + now.spillStoreBytes;
    const int oldSpills = before != nullptr ? before->spillLoadBytes + before->spillStoreBytes : 0;
    parts << (spills == 0 && oldSpills == 0 ? words("no spills")
                                            : words("%1 B spilled").arg(spills) + changed(spills, oldSpills));
    return parts.join(QStringLiteral(", "));
}

void markCandidate(CodeEditor &editor, const QString &file, const Shown &shown, const CompiledText *compiled,
                   bool isStale) {
    if (isStale && compiled == nullptr) {
        editor.decorator<LineNotes>().clear();
        return;
    }
    std::vector<EditorMark> marks;
    editor.decorator<LineNotes>().clear();
    if (compiled != nullptr || shown.evaluation) {
        const CompileSection &compile = compiled != nullptr ? compiled->compile : shown.evaluation->compile;
        const std::optional<Evaluation> &before =
            compiled != nullptr ? shown.evaluation : shown.parentEvaluation;
        for (const Diagnostic &diagnostic : compile.diagnostics) {
            if (diagnostic.file != file || diagnostic.line < 1)
                continue;
            QString text = diagnostic.message;
            for (const DiagnosticNote &note : diagnostic.notes)
                text += QLatin1Char('\n') + note.message;
            const QuotedPlace place =
                quotedPlace(diagnostic.message, editor.text(diagnostic.line - 1), diagnostic.column);
            marks.push_back({diagnostic.line, place.from, severityOf(diagnostic.severity), text, place.to});
        }
        if (file.endsWith(QLatin1String(".cu"))) {
            const QString text = editor.content();
            for (const KernelResources &kernel : compile.kernels)
                if (const int line = lineOfKernel(text, kernel.name); line > 0)
                    editor.decorator<LineNotes>().set(line,
                                                      resourceNote(kernel, sameKernel(before, kernel.name)));
        }
    }
    editor.decorator<DiagnosticMarks>().setMarks(std::move(marks));
}

} // namespace warpwright
