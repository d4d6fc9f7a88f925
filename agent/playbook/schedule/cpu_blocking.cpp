// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/cpu_blocking.h"

namespace warpwright {
namespace {

constexpr std::int64_t streamedBlock =
    8192; ///< floats buffered in the cache before non-temporal stores write them

// Some ten microseconds, which is what threads take to start.
constexpr std::int64_t fewElements = 8192;
constexpr double fewOperations = 400e3; ///< of a library call

} // namespace

bool isWorthThreads(const Kernel &kernel) {
    if (!kernel.isLoops())
        return kernel.operations() >= fewOperations;
    return kernel.rows() * kernel.columns() >= fewElements;
}

QString withoutThreads(QString text) {
    text.remove(QLatin1String("#pragma omp parallel for schedule(dynamic)\n"));
    return text.replace(QLatin1String("#pragma omp parallel\n"),
                        QLatin1String("    // Too little work: starting threads would take longer.\n"
                                      "#pragma omp parallel num_threads(1)\n"));
}

Kernel withRowBlocking(Kernel kernel) {
    if (kernel.hasReductions() || kernel.loops.empty() || kernel.loops.back() <= streamedBlock)
        return kernel;
    const std::int64_t size = kernel.loops.back();
    std::int64_t inner = 0;
    for (std::int64_t some = streamedBlock; some >= 512 && inner == 0; some -= 16)
        inner = size % some == 0 ? some : 0;
    if (inner == 0)
        return kernel;
    const auto split = [inner](AffineExpr &index) {
        const std::int64_t step = index.steps.back();
        index.steps.back() = step * inner;
        index.steps.push_back(step);
    };
    for (KernelInput &input : kernel.inputs)
        split(input.address);
    for (KernelStore &store : kernel.stores)
        split(store.address);
    for (KernelStep &step : kernel.steps)
        if (step.op == Opcode::Index)
            split(step.index);
    kernel.loops.back() = size / inner;
    kernel.loops.push_back(inner);
    kernel.outer = kernel.loops.size() - 1;
    for (KernelStep &step : kernel.steps) // a row is a part of the former one
        if (step.level == StepLevel::Column)
            step.level = StepLevel::Element;
    return kernel;
}

QString streamFunction() {
    return QStringLiteral("// Writes past the cache (non-temporal stores). A usual store first reads the "
                          "line that it is about\n"
                          "// to overwrite, and the result would be evicted before anybody reads it.\n"
                          "inline void stream(float *to, const float *from, std::int64_t count) {\n"
                          "    std::int64_t i = 0;\n"
                          "#ifdef __SSE__\n"
                          "    for (; i < count && reinterpret_cast<std::uintptr_t>(to + i) % 16 != 0; ++i)\n"
                          "        to[i] = from[i];\n"
                          "    for (; i + 4 <= count; i += 4)\n"
                          "        _mm_stream_ps(to + i, _mm_loadu_ps(from + i));\n"
                          "#endif\n"
                          "    for (; i < count; ++i)\n"
                          "        to[i] = from[i];\n"
                          "}\n\n");
}

} // namespace warpwright
