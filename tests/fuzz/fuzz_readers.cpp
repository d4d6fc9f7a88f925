// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzz_readers.h"

#include "toolchain/environment/cuda_toolkit.h"
#include "toolchain/environment/host_compiler.h"
#include "toolchain/inspect/opcode_diff.h"
#include "toolchain/inspect/opcode_mix.h"
#include "toolchain/tool_output/compiler_diagnostics.h"
#include "toolchain/tool_output/ptx_listing.h"
#include "toolchain/tool_output/ptxas_report.h"
#include "toolchain/tool_output/sass_listing.h"

#include <cstdlib>

using namespace warpwright;

namespace {

void demand(bool holds) {
    if (!holds)
        std::abort();
}

void look(std::vector<KernelCode> kernels) {
    for (KernelCode &kernel : kernels) {
        nameFilesFrom(QStringLiteral("/rows"), kernel);
        for (const PlaceChain &chain : kernel.chains)
            demand(!chain.empty());
        for (const CodeLine &line : kernel.lines) {
            demand(line.chain >= -1 && line.chain < static_cast<int>(kernel.chains.size()));
            demand(!line.opcode.isEmpty() || line.kind == CodeLine::Kind::Label);
            const CodePlace place = placeOf(kernel, line, QStringLiteral("rows.cu"));
            demand(place.line >= 0);
        }
        demand(kernel.launchThreads >= 0);
        const OpcodeMix mix = opcodeMixOf(kernel);
        demand(mix.total == kernel.instructionCount());
    }
    for (std::size_t i = 1; i < kernels.size() && i < 4; ++i)
        for (const ComparedCode &row : compareCode(kernels[i - 1], kernels[i]))
            demand(row.left >= 0 || row.right >= 0);
}

} // namespace

void readDiagnostics(const QByteArray &text) {
    const auto diagnostics = parseDiagnostics(text, QStringLiteral("/w"), 100);
    demand(diagnostics.size() <= 100);
    for (const Diagnostic &diagnostic : diagnostics) {
        demand(diagnostic.line >= 0 && diagnostic.column >= 0);
        demand(diagnostic.notes.size() <= 33);
    }
}

void readPtxasReport(const QByteArray &text) {
    for (const KernelResources &kernel : parsePtxasReport(text)) {
        demand(kernel.maxThreads >= 0 && kernel.maxThreads <= 1024);
        demand(kernel.registers >= 0 && kernel.staticSharedBytes >= 0);
    }
}

void readSass(const QByteArray &text) {
    look(parseSass(text));
}

void readPtx(const QByteArray &text) {
    look(parsePtx(text));
}

void readToolWords(const QByteArray &text) {
    const CudaPlace place{QStringLiteral("/cuda"), QStringLiteral("/cuda/bin/nvcc"), QStringLiteral("PATH")};
    const auto half = text.size() / 2;
    const auto toolkit = readCudaToolkit(place, text.left(half), text.mid(half));
    demand(toolkit.hasValue() || !toolkit.message().isEmpty());
    const auto compiler = readHostCompiler(QStringLiteral("/usr/bin/g++"), text);
    demand(compiler.hasValue() || !compiler.message().isEmpty());
}

#define WARPWRIGHT_JOIN(a, b) a##b
#define WARPWRIGHT_READER(name) WARPWRIGHT_JOIN(read, name)

int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    WARPWRIGHT_READER(FUZZ_READER)
    (QByteArray(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size)));
    return 0;
}
