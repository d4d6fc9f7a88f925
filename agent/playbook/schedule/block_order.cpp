// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/block_order.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

// On an H100 (50 MB of L2) reversing gained nothing with 16 MB and 7 % of three kernels' time with 48.
constexpr double largeBytes = 20e6;

/// Bytes of the buffer that the loops touch.
double bytesOf(const Kernel &kernel, const AffineExpr &address, ElementType type) {
    double bytes = static_cast<double>(bytesOf(type));
    for (std::size_t i = 0; i < kernel.loops.size() && i < address.steps.size(); ++i)
        if (address.steps[i] != 0)
            bytes *= static_cast<double>(kernel.loops[i]);
    return bytes;
}

/// Whether the outermost loop is the one with the longest steps.
bool isSequential(const Kernel &kernel, const AffineExpr &address) {
    std::int64_t outermost = 0;
    std::int64_t longest = 0;
    for (std::size_t i = 0; i < kernel.loops.size() && i < address.steps.size(); ++i)
        if (kernel.loops[i] > 1) {
            outermost = outermost == 0 ? address.steps[i] : outermost;
            longest = std::max(longest, address.steps[i]);
        }
    return outermost > 0 && outermost == longest;
}

/// Blocks take their work by blockIdx.x alone, and nothing else depends on it.
bool canReverse(const Kernel &kernel) {
    return kernel.isLoops() && !kernel.isScattered();
}

struct Touch {
    std::size_t kernel = 0;
    bool isAlong = false;
};

} // namespace

std::vector<bool> goBackwards(const Program &program) {
    std::vector<bool> backwards(program.kernels.size());
    std::map<int, Touch> touched; // by memory: who touched it last
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        const Kernel &kernel = program.kernels[i];
        const bool isLibrary = !kernel.isLoops(); // its tiles run from the start
        double largest = largeBytes;
        for (const KernelInput &input : kernel.inputs) {
            const auto last = touched.find(program.memoryOf(input.buffer));
            const double bytes = bytesOf(kernel, input.address, input.type);
            if (!input.isPlain() || last == touched.end() || bytes < largest || program.timeStepsOf(i) > 1 ||
                !canReverse(kernel) || !isSequential(kernel, input.address) || !last->second.isAlong)
                continue;
            double between = 0; // bytes that went through the cache since
            for (std::size_t k = last->second.kernel + 1; k < i; ++k)
                between += program.kernels[k].bytes();
            if (between >= largeBytes)
                continue;
            largest = bytes;
            backwards[i] = !backwards[last->second.kernel];
        }
        for (const KernelInput &input : kernel.inputs)
            if (input.isPlain())
                touched[program.memoryOf(input.buffer)] = {i,
                                                           isLibrary || isSequential(kernel, input.address)};
        for (const KernelStore &store : kernel.stores)
            touched[program.memoryOf(store.buffer)] = {i, isLibrary || isSequential(kernel, store.address)};
    }
    return backwards;
}

QString withBlocksFromEnd(const QString &cuda) {
    const QString number = QStringLiteral("blockIdx.x");
    const qsizetype begin = cuda.indexOf(QLatin1String("{\n"), cuda.indexOf(QLatin1String("__global__"))) + 2;
    const qsizetype end = cuda.indexOf(QLatin1String("\n}\n"), begin);
    if (cuda.indexOf(number) < begin || cuda.lastIndexOf(number) > end)
        return cuda;
    const bool isClustered = cuda.contains(QLatin1String("__cluster_dims__(BLOCKS)"));
    const QString fromEnd =
        isClustered // blocks of a cluster address each other by rank
            ? QStringLiteral("gridDim.x - BLOCKS - blockIdx.x + 2 * (blockIdx.x % BLOCKS)")
            : QStringLiteral("gridDim.x - 1 - blockIdx.x");
    QString body = cuda.mid(begin, end - begin);
    body.replace(number, QLatin1String("reversedBlock"));
    return cuda.left(begin) +
           QStringLiteral("    // The previous kernel ended there: its last data is still in the L2 cache.\n"
                          "    const unsigned reversedBlock = %1;\n")
               .arg(fromEnd) +
           body + cuda.mid(end);
}

} // namespace warpwright
