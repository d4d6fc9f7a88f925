// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/findings/findings_json.h"

#include <cmath>

namespace warpwright {
namespace {

OrderedJson textOrNull(const QString &text) {
    return text.isEmpty() ? OrderedJson(nullptr) : OrderedJson(toJson(text));
}

OrderedJson numberOrNull(const std::optional<double> &number) {
    return number && std::isfinite(*number) ? OrderedJson(*number) : OrderedJson(nullptr);
}

} // namespace

OrderedJson toJson(const Finding &finding) {
    OrderedJson evidence = OrderedJson::array();
    for (const FindingEvidence &one : finding.evidence)
        evidence.push_back(OrderedJson{{"what", toJson(one.what)},
                                       {"value", numberOrNull(one.value)},
                                       {"unit", toJson(one.unit)},
                                       {"source", toJson(one.source)}});
    OrderedJson place = nullptr;
    if (!finding.file.isEmpty())
        place = OrderedJson{{"file", toJson(finding.file)}, {"line", finding.line}};
    return OrderedJson{{"id", toJson(finding.id)},
                       {"title", toJson(finding.title)},
                       {"kernel", textOrNull(finding.kernel)},
                       {"place", std::move(place)},
                       {"message", toJson(finding.message)},
                       {"advice", toJson(finding.advice)},
                       {"isMeasured", finding.isMeasured},
                       {"isNote", finding.isNote},
                       {"gain", OrderedJson{{"microseconds", numberOrNull(finding.gainMicroseconds)},
                                            {"shareOfCall", numberOrNull(finding.gainShare)},
                                            {"basis", textOrNull(finding.gainBasis)}}},
                       {"evidence", std::move(evidence)}};
}

OrderedJson toJson(const Findings &findings, const FindingsSubject &subject) {
    OrderedJson list = OrderedJson::array();
    for (const Finding &finding : findings.list)
        list.push_back(toJson(finding));
    return OrderedJson{{"schema", findingsSchema},
                       {"program", toJson(subject.program)},
                       {"of", OrderedJson{{"workspace", toJson(subject.workspace)},
                                          {"textHash", textOrNull(subject.textHash)},
                                          {"iteration", subject.iteration},
                                          {"evaluation", textOrNull(subject.evaluation)},
                                          {"counters", textOrNull(subject.counters)},
                                          {"timeline", textOrNull(subject.timeline)}}},
                       {"looked", stringsToJson<OrderedJson>(findings.looked)},
                       {"missing", stringsToJson<OrderedJson>(findings.missing)},
                       {"call", OrderedJson{{"microseconds", numberOrNull(findings.callMicroseconds)},
                                            {"source", textOrNull(findings.callSource)}}},
                       {"findings", std::move(list)}};
}

} // namespace warpwright
