// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/compile_fault.h"

#include "toolchain/base/text_file.h"

#include <QDir>
#include <QRegularExpression>
#include <QStorageInfo>

#include <csignal>
#include <cstring>

namespace warpwright {

namespace {

QString cannot(const CompileAct &act, const QString &why, const QString &advice) {
    return QStringLiteral("Cannot %1: %2. %3").arg(act.what, why, advice).trimmed();
}

/// The last line that says something, for a tool that broke in a way of its own.
QString lastWords(const ProcessOutcome &outcome) {
    QByteArray text = outcome.standardError.trimmed();
    if (text.isEmpty())
        text = outcome.standardOutput.trimmed();
    const QString line = QString::fromUtf8(text.mid(text.lastIndexOf('\n') + 1).left(300)).trimmed();
    return line.isEmpty() ? QStringLiteral("it said nothing") : QStringLiteral("it said \"%1\"").arg(line);
}

/// What a tool said of itself (an option, a missing part, a missing library) when it said nothing of the
/// text.
const Diagnostic *toolTrouble(const std::vector<Diagnostic> &diagnostics) {
    const Diagnostic *trouble = nullptr;
    for (const Diagnostic &diagnostic : diagnostics) {
        if (diagnostic.severity < Severity::Error)
            continue;
        // A «nvcc error» without a place is the end of one of its parts, which the text may have brought
        // about.
        const bool isOfTool = diagnostic.tool == QLatin1String("g++") ? true
                              : diagnostic.tool == QLatin1String("nvcc")
                                  ? diagnostic.severity == Severity::Fatal
                                  : diagnostic.message.startsWith(QLatin1String("cannot find -l"));
        if (!diagnostic.file.isEmpty() || !isOfTool)
            return nullptr;
        if (!trouble)
            trouble = &diagnostic;
    }
    return trouble;
}

/// «fatal error: cusparse.h: No such file or directory» said in a file that is not the person's own.
const Diagnostic *missingForeignHeader(const std::vector<Diagnostic> &diagnostics) {
    for (const Diagnostic &diagnostic : diagnostics)
        if (diagnostic.severity == Severity::Fatal && QDir::isAbsolutePath(diagnostic.file) &&
            diagnostic.message.endsWith(QLatin1String(": No such file or directory")))
            return &diagnostic;
    return nullptr;
}

const QString memoryAdvice = QStringLiteral("It probably ran out of memory: close other programs, or set a "
                                            "smaller \"maxJobs\" in the settings file.");

} // namespace

QString fullFolder(const QStringList &folders) {
    constexpr qint64 full = 1024 * 1024;
    for (const QString &folder : folders) {
        const QStorageInfo disk(folder);
        if (disk.isValid() && disk.isReady() && disk.bytesAvailable() < full)
            return folder;
    }
    return {};
}

QString adviceForCompiler(const QString &tool) {
    if (tool.endsWith(QLatin1String("nvcc")))
        return QStringLiteral("Install the CUDA toolkit again, or set \"cuda\" in the settings file to the "
                              "folder of another one.");
    return QStringLiteral(
        "Install g++ again (sudo apt-get install --reinstall g++), or set CXX to another compiler.");
}

QString environmentFault(const CompileAct &act, const ProcessOutcome &outcome,
                         const std::vector<Diagnostic> &diagnostics) {
    const QByteArray text = outcome.standardOutput + outcome.standardError;
    const bool saysFull = text.contains("No space left on device") || text.contains("Disk quota exceeded");
    if (const QString folder = fullFolder(act.folders); saysFull || !folder.isEmpty()) {
        const QString where = folder.isEmpty() ? act.folders.value(0) : folder;
        return cannot(act, QStringLiteral("No space left on device, in \"%1\"").arg(where),
                      QStringLiteral("Free some space on that disk and try again."));
    }
    static const QRegularExpression killed(
        QStringLiteral("(Killed signal terminated program (\\S+)|'?(\\w+)'? died due to signal 9)"));
    if (const auto match = killed.match(QString::fromUtf8(text)); match.hasMatch())
        return cannot(act,
                      QStringLiteral("a part of the compiler was killed (\"%1\")").arg(match.captured(1)),
                      memoryAdvice);
    if (outcome.signal != 0) {
        const QString how = QStringLiteral("\"%1\" was ended by signal %2 (%3)")
                                .arg(act.tool)
                                .arg(outcome.signal)
                                .arg(QString::fromUtf8(strsignal(outcome.signal)));
        return cannot(act, how, outcome.signal == SIGKILL ? memoryAdvice : adviceForCompiler(act.tool));
    }
    if (const Diagnostic *missing = missingForeignHeader(diagnostics)) {
        const QString header = missing->message.section(QLatin1String(": No such"), 0, 0);
        return cannot(
            act, QStringLiteral("\"%1\" includes \"%2\", which is not installed").arg(missing->file, header),
            QStringLiteral("Install the package that brings it: for CUDA's headers the CUDA toolkit, or the "
                           "nvidia wheels that belong to torch."));
    }
    if (const Diagnostic *trouble = toolTrouble(diagnostics); trouble && !act.hasUserFlags)
        return cannot(act, QStringLiteral("\"%1\" refuses: %2").arg(act.tool, trouble->message),
                      adviceForCompiler(act.tool));
    if (outcome.exitCode != 0 && countErrors(diagnostics) == 0)
        return cannot(act,
                      QStringLiteral("\"%1\" ended with exit code %2, and %3")
                          .arg(act.tool)
                          .arg(outcome.exitCode)
                          .arg(lastWords(outcome)),
                      adviceForCompiler(act.tool));
    return {};
}

} // namespace warpwright
