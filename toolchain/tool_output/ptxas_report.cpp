// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/ptxas_report.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace warpwright {

namespace {

/// Registers of an SM are handed to warps in lumps of 256 and to the four schedulers evenly
/// (compute capability 5.0 to 12.x: 65536 registers, cuda_occupancy.h of CUDA 13.0).
int threadsThatFit(int registers) {
    constexpr int perMultiprocessor = 65536;
    constexpr int lump = 256;
    constexpr int schedulers = 4;
    constexpr int warpSize = 32;
    constexpr int mostThreads = 1024;
    if (registers <= 0)
        return mostThreads;
    const int perWarp = (std::min(registers, perMultiprocessor) * warpSize + lump - 1) / lump * lump;
    const int warps = perMultiprocessor / schedulers / perWarp * schedulers;
    return std::clamp(warps * warpSize, warpSize, mostThreads);
}

int numberBefore(const QString &line, const QString &words) {
    const auto at = line.indexOf(words);
    if (at <= 0)
        return 0;
    auto begin = at;
    while (begin > 0 && line[begin - 1].isDigit())
        --begin;
    return line.mid(begin, at - begin).toInt();
}

} // namespace

QString demangled(const QString &symbol) {
    int status = 0;
    const QByteArray name = symbol.toUtf8();
    if (!name.startsWith("_Z"))
        return symbol;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.constData(), nullptr, nullptr, &status), &std::free);
    if (status != 0 || !text)
        return symbol;
    // nvcc names the anonymous namespace of a file after a hash and the file:
    // _GLOBAL__N__43ec55a7_8_spill_cu_cce0c4b3.
    static const QRegularExpression anonymous(QStringLiteral("\\b_GLOBAL__N__\\w+"));
    // Around it a device function that was not inlined has another of its own making.
    static const QRegularExpression internal(QStringLiteral("\\b_INTERNAL_\\w+::"));
    return QString::fromUtf8(text.get())
        .replace(anonymous, QStringLiteral("(anonymous namespace)"))
        .remove(internal);
}

std::vector<KernelResources> parsePtxasReport(const QByteArray &text) {
    static const QRegularExpression entry(QStringLiteral("Compiling entry function '([^']+)' for '([^']+)'"));
    static const QRegularExpression properties(QStringLiteral("Function properties for (\\S+)"));
    std::vector<KernelResources> kernels;
    // The properties of a function that was not inlined stand between the kernels: its numbers are no
    // kernel's.
    bool isOfKernel = false;
    for (const QByteArray &raw : text.split('\n')) {
        // Most of a long log is something else; decoding it all would cost more than reading it.
        if (!raw.contains("ptxas info") && !raw.contains("bytes stack frame"))
            continue;
        const QString line = QString::fromUtf8(raw);
        if (const auto match = entry.match(line); match.hasMatch()) {
            KernelResources kernel;
            kernel.mangled = match.captured(1);
            kernel.name = demangled(kernel.mangled);
            kernel.arch = match.captured(2);
            kernels.push_back(std::move(kernel));
            isOfKernel = true;
        } else if (kernels.empty()) {
            continue;
        } else if (const auto function = properties.match(line); function.hasMatch()) {
            isOfKernel = function.captured(1) == kernels.back().mangled;
        } else if (isOfKernel && line.contains(QLatin1String("bytes stack frame"))) {
            kernels.back().stackBytes = numberBefore(line, QStringLiteral(" bytes stack frame"));
            kernels.back().spillStoreBytes = numberBefore(line, QStringLiteral(" bytes spill stores"));
            kernels.back().spillLoadBytes = numberBefore(line, QStringLiteral(" bytes spill loads"));
        } else if (isOfKernel && line.contains(QLatin1String(" registers"))) {
            KernelResources &kernel = kernels.back();
            kernel.registers = numberBefore(line, QStringLiteral(" registers"));
            kernel.barriers = numberBefore(line, QStringLiteral(" barriers"));
            kernel.staticSharedBytes = numberBefore(line, QStringLiteral(" bytes smem"));
            kernel.constantBytes = numberBefore(line, QStringLiteral(" bytes cmem[0]"));
            kernel.maxThreads = threadsThatFit(kernel.registers);
        }
    }
    return kernels;
}

} // namespace warpwright
