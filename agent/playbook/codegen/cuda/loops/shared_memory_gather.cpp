// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/shared_memory_gather.h"

namespace warpwright {

QStringList stagingLines(const SharedMemoryGather &gather, const Kernel &kernel, const KernelNames &names,
                         const QString &begin) {
    const KernelInput &input = kernel.inputs[static_cast<std::size_t>(gather.inputs.front())];
    const QString type = cTypeName(input.type, true);
    const QString buffer = names.nameOf(input.buffer);
    QStringList lines = {
        QStringLiteral(
            "// A row gathers from anywhere in its segment: a warp touches 32 cache lines, which takes L1"),
        QStringLiteral("// 32 passes. In shared memory it takes three or four (bank conflicts).")};
    if (gather.isLarge())
        lines << QStringLiteral("extern __shared__ __align__(1024) unsigned char shared[];")
              << QStringLiteral("auto *const staged = reinterpret_cast<%1 *>(shared);").arg(type);
    else
        lines << QStringLiteral("alignas(16) __shared__ %1 staged[%2];")
                     .arg(type)
                     .arg(gather.rows * gather.elements);
    lines << QStringLiteral("#pragma unroll 8 // keeps several loads in flight");
    const int ofLoad = gather.bytes() % 16 == 0 ? 16 : gather.bytes() % 8 == 0 ? 8 : gather.bytesOfElement;
    const QString vec = ofLoad == 16 ? QStringLiteral("uint4") : QStringLiteral("uint2");
    lines << QStringLiteral("for (int i = threadIdx.x; i < %1; i += THREADS)").arg(gather.bytes() / ofLoad)
          << (ofLoad == gather.bytesOfElement
                  ? QStringLiteral("    staged[i] = %1[%2 + i];").arg(buffer, begin)
                  : QStringLiteral("    reinterpret_cast<%1 *>(staged)[i] = "
                                   "reinterpret_cast<const %1 *>(%2 + %3)[i];")
                        .arg(vec, buffer, begin));
    return lines << QStringLiteral("__syncthreads();");
}

QString gatheredElement(const SharedMemoryGather &gather, const KernelInput &input) {
    const std::int64_t offset = input.address.offset % gather.elements;
    if (!gather.hasRows())
        return QStringLiteral("staged[%1]").arg(offset);
    const QString ofRow = QStringLiteral("rowInBlock * %1").arg(gather.elements);
    return QStringLiteral("staged[%1]")
        .arg(offset == 0 ? ofRow : QStringLiteral("%1 + %2").arg(ofRow).arg(offset));
}

} // namespace warpwright
