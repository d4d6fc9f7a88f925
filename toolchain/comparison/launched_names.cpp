// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/comparison/launched_names.h"

#include "toolchain/base/json.h"
#include "toolchain/tool_output/kernel_name.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace warpwright {
namespace {

using Ran = std::vector<std::pair<QString, double>>; // by short name, all of its launches together

void add(Ran &ran, const QString &name, double microseconds) {
    const QString brief = shortKernelName(name);
    const auto found =
        std::find_if(ran.begin(), ran.end(), [&brief](const auto &one) { return one.first == brief; });
    if (found == ran.end())
        ran.emplace_back(brief, microseconds);
    else
        found->second += microseconds;
}

LaunchedNames sorted(Ran ran, bool isAll) {
    std::stable_sort(ran.begin(), ran.end(),
                     [](const auto &one, const auto &other) { return one.second > other.second; });
    LaunchedNames launched;
    launched.isAll = isAll;
    for (const auto &[name, microseconds] : ran)
        launched.names << name;
    return launched;
}

} // namespace

LaunchedNames launchedNames(const Counters &counters, const QString &arm) {
    Ran ran;
    for (const KernelCounters *kernel : counters.kernelsOf(arm))
        add(ran, kernel->name, kernel->microseconds().value_or(0));
    return sorted(std::move(ran), counters.isWholeCall);
}

LaunchedNames launchedNames(const Timeline &timeline, const QString &arm) {
    Ran ran;
    for (const TimelineArm &one : timeline.arms)
        if (one.name == arm)
            for (const TimelineEvent &event : one.events)
                if (event.kind == TimelineEvent::Kind::Kernel)
                    add(ran, event.name, event.durationUs);
    return sorted(std::move(ran), true);
}

LaunchedNames launchedNames(const Evaluation &evaluation) {
    LaunchedNames launched;
    if (!evaluation.profile.is_object())
        return launched;
    const auto seen = evaluation.profile.find("provenance");
    if (seen == evaluation.profile.end() || !seen->is_object())
        return launched;
    const auto kernels = seen->find("kernels");
    if (kernels == seen->end() || !kernels->is_array())
        return launched;
    for (const OrderedJson &kernel : *kernels) // the longest first, and not all of very many
        if (const QString name = shortKernelName(stringIn(kernel, "name"));
            !name.isEmpty() && !launched.names.contains(name))
            launched.names << name;
    return launched;
}

} // namespace warpwright
