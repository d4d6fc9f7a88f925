// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history/iteration_document.h"

#include "toolchain/base/figures.h"

namespace warpwright {
namespace {

OrderedJson timeToJson(const QDateTime &time) {
    return time.isValid() ? OrderedJson(toJson(time.toUTC().toString(Qt::ISODateWithMs)))
                          : OrderedJson(nullptr);
}

} // namespace

OrderedJson iterationToJson(const IterationRecord &record) {
    const Iteration &one = record.iteration;
    OrderedJson json{{"number", one.number},
                     {"parent", one.parent},
                     {"author", OrderedJson{{"kind", toJson(authorKindName(one.author.kind))},
                                            {"name", toJson(one.author.name)}}},
                     {"note", toJson(one.note)},
                     {"time", timeToJson(one.time)},
                     {"textHash", toJson(one.textHash)},
                     {"evaluations", stringsToJson<OrderedJson>(record.evaluations)},
                     {"evaluation", nullptr}};
    if (record.latest)
        json["evaluation"] = OrderedJson(summaryToJson(*record.latest));
    if (record.mark != IterationMark::None)
        json["mark"] = toJson(iterationMarkName(record.mark));
    if (!record.problem.isEmpty())
        json["problem"] = toJson(record.problem);
    return json;
}

OrderedJson ratioToJson(const TimeRatio &ratio, const QString &why) {
    return OrderedJson{{"timeRatio", ratio.value},
                       {"low", ratio.low},
                       {"high", ratio.high},
                       {"isNoise", !why.isEmpty()},
                       {"remark", why.isEmpty() ? OrderedJson(nullptr) : OrderedJson(toJson(why))},
                       {"way", toJson(wayText(ratio.way))}};
}

OrderedJson runToJson(const IndexedRun &run) {
    return OrderedJson{{"run", toJson(run.run)},
                       {"beganAt", timeToJson(run.beganAt)},
                       {"latestAt", timeToJson(run.latestAt)},
                       {"agent", toJson(run.agent)},
                       {"mode", toJson(run.mode)},
                       {"ending", toJson(run.ending)},
                       {"events", run.events},
                       {"proposals", run.proposals},
                       {"iterations", run.iterations},
                       {"unreadableLines", run.passedOver}};
}

} // namespace warpwright
