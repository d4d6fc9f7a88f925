// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/kept_launches.h"

#include "agent/playbook/codegen/anchor_text.h"
#include "agent/playbook/codegen/torch/templates/kept_launches.h"
#include "agent/playbook/recurrence/recurrence_sharing.h"

namespace warpwright {
namespace {

constexpr std::int64_t leastLaunches = 32;

} // namespace

bool keepsLaunches(const KernelPlan &plan) {
    std::int64_t launches = 0;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        launches += turnsInside(plan, i) > 1 ? 1 : plan.turnsOf(i);
    return launches >= leastLaunches;
}

QString keptLaunchesHeaders() {
    return filled(keptHeaders, {{"include", QStringLiteral("#include")}});
}

QString keptLaunchesText(int branches, int stretches) {
    if (branches < 2)
        return filled(keptLaunches, {{"besideMember", {}},
                                     {"branches", {}},
                                     {"captured", QStringLiteral("            launches(kept.own);\n")},
                                     {"plain", QStringLiteral("stream")}});
    QStringList own = {QStringLiteral("kept.own")};
    for (int branch = 1; branch < branches; ++branch)
        own << QStringLiteral("kept.beside[%1]").arg(branch - 1);
    return filled(
        keptLaunches,
        {{"besideMember", QStringLiteral("    cudaStream_t beside[%1] = {}; // of the other branches\n"
                                         "    cudaEvent_t events[%2] = {};\n")
                              .arg(branches - 1)
                              .arg(stretches + branches)},
         {"branches", filled(keptBranches, {{"count", QString::number(branches)},
                                            {"stretches", QString::number(stretches)}})},
         {"captured", QStringLiteral("            const Branches branches{{%1}, kept.events};\n"
                                     "            branches.fork();\n            launches(branches);\n"
                                     "            branches.join();\n")
                          .arg(own.join(QLatin1String(", ")))},
         {"plain", onOneStream(branches)}});
}

QString onOneStream(int branches) {
    QStringList streams;
    for (int branch = 0; branch < branches; ++branch)
        streams << QStringLiteral("stream");
    return branches < 2 ? streams[0]
                        : QStringLiteral("Branches{{%1}}").arg(streams.join(QLatin1String(", ")));
}

} // namespace warpwright
