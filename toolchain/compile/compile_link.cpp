// SPDX-License-Identifier: GPL-3.0-or-later
// The link of compile_run.h.
#include "toolchain/base/text_file.h"
#include "toolchain/compile/compile_report.h"
#include "toolchain/compile/compile_run.h"
#include "toolchain/compile/exported_symbols.h"

#include <QRegularExpression>

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <utility>

namespace warpwright {

namespace {

/// `line` with the name that it quotes as people write it.
QByteArray demangled(QByteArray line, const QByteArray &name) {
    const std::unique_ptr<char, void (*)(void *)> text(
        abi::__cxa_demangle(name.constData(), nullptr, nullptr, nullptr), std::free);
    return text ? line.replace(name, text.get()) : line;
}

/// The linker's words without its warnings of names that `libraries` have.
QByteArray withoutKnownNames(const QByteArray &log, const QStringList &libraries) {
    static const QRegularExpression quoted(
        QStringLiteral("(in function|undefined reference to) [`'\"]([^`'\"]+)[`'\"]"));
    std::vector<ExportedSymbols> exports;
    for (const QString &library : libraries)
        exports.emplace_back(library);
    QByteArray kept;
    QByteArray place; // said before the names that are missed there
    for (const QByteArray &line : log.split('\n')) {
        const auto match = quoted.match(QString::fromUtf8(line));
        const QByteArray name = match.captured(2).toUtf8();
        if (match.captured(1) == QLatin1String("in function")) {
            place = demangled(line, name) + '\n';
        } else if (!match.hasMatch() ||
                   std::none_of(exports.begin(), exports.end(),
                                [&name](const ExportedSymbols &of) { return of.has(name); })) {
            kept += std::exchange(place, {}) + (match.hasMatch() ? demangled(line, name) : line) + '\n';
        }
    }
    kept.chop(1); // after the last line there was no more
    return kept;
}

} // namespace

void CompileRun::link() {
    emit progress(QStringLiteral("link"), 0, 1, QStringLiteral("cuda_extension.so"));
    if (m_plan.standIn.name.isEmpty() || m_cache.find(m_plan.standIn.key))
        linkObjects();
    else
        makeStandIn();
}

// An empty library of that name: whoever is linked with it asks for the real one at run time.
void CompileRun::makeStandIn() {
    const QString source = m_scratch + QStringLiteral("/stand-in.cpp");
    const QString library = m_scratch + QStringLiteral("/stand-in.so");
    if (const auto done = writeFileAtomically(source, {}); !done.hasValue())
        return fail(done.message());
    run({{},
         m_plan.linker,
         {QStringLiteral("-shared"), QStringLiteral("-nostdlib"),
          QStringLiteral("-Wl,-soname,") + m_plan.standIn.name, source, QStringLiteral("-o"), library},
         {}},
        [this, library](const ProcessOutcome &process) {
            if (process.cancelled)
                return end(CompileStatus::Cancelled);
            if (!process.succeeded())
                return fail(
                    environmentFault(act(QStringLiteral("make a library"), m_plan.linker), process, {}));
            if (const auto done = m_cache.store(m_plan.standIn.key, library, {}); !done.hasValue())
                return fail(done.message());
            linkObjects();
        });
}

void CompileRun::linkObjects() {
    QStringList arguments = linkedObjects();
    QStringList readable;
    if (!m_plan.standIn.name.isEmpty()) {
        readable << m_cache.objectPath(m_plan.standIn.key);
        arguments << QStringLiteral("-Wl,--no-as-needed") << readable;
    }
    arguments << m_plan.linkArguments << QStringLiteral("-o")
              << m_newBuild + QStringLiteral("/run/cuda_extension.so");
    run({{}, m_plan.linker, arguments, readable},
        [this](const ProcessOutcome &process) { linkDone(process); });
}

QStringList CompileRun::linkedObjects() const {
    QStringList objects;
    for (const CompileStep &step : m_plan.steps)
        if (step.isLinked)
            objects << m_cache.objectPath(step.objectKey);
    return objects;
}

void CompileRun::linkDone(const ProcessOutcome &process) {
    if (process.cancelled)
        return end(CompileStatus::Cancelled);
    m_linkLog = process.standardOutput + process.standardError;
    if (!m_plan.standIn.name.isEmpty())
        m_linkLog = withoutKnownNames(m_linkLog, m_plan.standIn.libraries);
    const auto diagnostics = linkDiagnostics(m_linkLog, m_plan);
    if (!process.succeeded()) {
        const QString fault =
            environmentFault(act(QStringLiteral("link the extension"), m_plan.linker), process, diagnostics);
        return fault.isEmpty() ? end(CompileStatus::Failed) : fail(fault);
    }
    emit progress(QStringLiteral("link"), 1, 1, QStringLiteral("cuda_extension.so"));
    if (countErrors(diagnostics) > 0)
        return end(CompileStatus::Failed);
    install();
}

} // namespace warpwright
