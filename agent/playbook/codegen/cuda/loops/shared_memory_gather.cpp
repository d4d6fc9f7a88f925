// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/shared_memory_gather.h"

namespace warpwright {

QStringList stagingLines(const StagedGather &staged, const FusedKernel &kernel, const KernelNames &names,
                         const QString &begin) {
    const KernelLeaf &leaf = kernel.leaves[static_cast<std::size_t>(staged.leaves.front())];
    const QString type = cTypeName(leaf.type, true);
    const QString buffer = names.nameOf(leaf.buffer);
    QStringList lines = {
        QStringLiteral(
            "// What the row looks up lies anywhere in its segment: in 32 lines for a warp, which the"),
        QStringLiteral("// first cache takes 32 turns for. In shared memory it is three or four.")};
    if (staged.isLarge())
        lines << QStringLiteral("extern __shared__ __align__(1024) unsigned char shared[];")
              << QStringLiteral("auto *const staged = reinterpret_cast<%1 *>(shared);").arg(type);
    else
        lines << QStringLiteral("alignas(16) __shared__ %1 staged[%2];")
                     .arg(type)
                     .arg(staged.rows * staged.elements);
    lines << QStringLiteral("#pragma unroll 8 // loads that are on their way together");
    const int ofLoad = staged.bytes() % 16 == 0 ? 16 : staged.bytes() % 8 == 0 ? 8 : staged.bytesOfElement;
    const QString pack = ofLoad == 16 ? QStringLiteral("uint4") : QStringLiteral("uint2");
    lines << QStringLiteral("for (int some = threadIdx.x; some < %1; some += THREADS)")
                 .arg(staged.bytes() / ofLoad)
          << (ofLoad == staged.bytesOfElement
                  ? QStringLiteral("    staged[some] = %1[%2 + some];").arg(buffer, begin)
                  : QStringLiteral("    reinterpret_cast<%1 *>(staged)[some] = "
                                   "reinterpret_cast<const %1 *>(%2 + %3)[some];")
                        .arg(pack, buffer, begin));
    return lines << QStringLiteral("__syncthreads();");
}

QString stagedElement(const StagedGather &staged, const KernelLeaf &leaf) {
    const std::int64_t offset = leaf.address.offset % staged.elements;
    if (!staged.hasRows())
        return QStringLiteral("staged[%1]").arg(offset);
    const QString ofRow = QStringLiteral("ofBlock * %1").arg(staged.elements);
    return QStringLiteral("staged[%1]")
        .arg(offset == 0 ? ofRow : QStringLiteral("%1 + %2").arg(ofRow).arg(offset));
}

} // namespace warpwright
