// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/cuda_graph_capture.h"

#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/codegen/torch/templates/cuda_graph_capture.h"
#include "agent/playbook/recurrence/recurrence_mapping.h"

namespace warpwright {
namespace {

constexpr std::int64_t leastLaunches = 32;

} // namespace

bool usesCudaGraph(const Program &program) {
    std::int64_t launches = 0;
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        launches += persistentTimeSteps(program, i) > 1 ? 1 : program.timeStepsOf(i);
    return launches >= leastLaunches;
}

QString cudaGraphHeaders() {
    return fillTemplate(graphHeaders, {{"include", QStringLiteral("#include")}});
}

QString cudaGraphText(int branches, int segments) {
    if (branches < 2)
        return fillTemplate(graphLaunches,
                            {{"besideMember", {}},
                             {"branches", {}},
                             {"captured", QStringLiteral("            launches(captured.captureStream);\n")},
                             {"plain", QStringLiteral("stream")}});
    QStringList own = {QStringLiteral("captured.captureStream")};
    for (int branch = 1; branch < branches; ++branch)
        own << QStringLiteral("captured.branchStreams[%1]").arg(branch - 1);
    return fillTemplate(
        graphLaunches,
        {{"besideMember", QStringLiteral("    cudaStream_t branchStreams[%1] = {}; // of the other branches\n"
                                         "    cudaEvent_t events[%2] = {};\n")
                              .arg(branches - 1)
                              .arg(segments + branches)},
         {"branches", fillTemplate(graphBranches, {{"count", QString::number(branches)},
                                                   {"stretches", QString::number(segments)}})},
         {"captured", QStringLiteral("            const Branches branches{{%1}, captured.events};\n"
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
