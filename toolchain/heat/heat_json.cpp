// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/heat/heat_json.h"

namespace warpwright {
namespace {

OrderedJson textOrNull(const QString &text) {
    return text.isEmpty() ? OrderedJson(nullptr) : OrderedJson(toJson(text));
}

OrderedJson jsonOf(const CodePlace &place) {
    return place.line > 0 ? OrderedJson{{"file", toJson(place.file)}, {"line", place.line}}
                          : OrderedJson(nullptr);
}

OrderedJson jsonOf(const HeatCounts &counts) {
    OrderedJson stalls = OrderedJson::object();
    for (const auto &[reason, samples] : counts.stalls)
        stalls[toJson(reason)] = samples;
    return OrderedJson{{"samples", counts.samples},
                       {"samplesNotIssued", counts.notIssued},
                       {"stalls", std::move(stalls)},
                       {"executed", counts.executed},
                       {"threads", counts.threads},
                       {"sectors", counts.sectors},
                       {"sectorsIdeal", counts.sectorsIdeal},
                       {"wavefronts", counts.wavefronts},
                       {"wavefrontsIdeal", counts.wavefrontsIdeal},
                       {"localSectors", counts.localSectors}};
}

OrderedJson jsonOf(const std::vector<std::pair<CodePlace, double>> &samplesOf) {
    OrderedJson list = OrderedJson::array();
    for (const auto &[place, samples] : samplesOf)
        list.push_back(OrderedJson{{"file", toJson(place.file)}, {"line", place.line}, {"samples", samples}});
    return list;
}

OrderedJson jsonOf(const std::vector<HeatLine> &lines) {
    OrderedJson list = OrderedJson::array();
    for (const HeatLine &line : lines) {
        list.push_back(OrderedJson{{"file", toJson(line.file)},
                                   {"line", line.line},
                                   {"text", toJson(line.text)},
                                   {"share", line.share},
                                   {"counts", jsonOf(line.counts)},
                                   {"inlined", jsonOf(line.inlined)},
                                   {"awaited", jsonOf(line.awaited)}});
    }
    return list;
}

OrderedJson jsonOf(const std::vector<HeatInstruction> &instructions) {
    OrderedJson list = OrderedJson::array();
    for (const HeatInstruction &one : instructions)
        list.push_back(OrderedJson{
            {"address", one.address},
            {"sass", textOrNull(one.text)},
            {"place", jsonOf(one.place)},
            {"innermost", jsonOf(one.innermost)},
            {"awaits", one.awaited < 0
                           ? OrderedJson(nullptr)
                           : OrderedJson(instructions[static_cast<std::size_t>(one.awaited)].address)},
            {"counts", jsonOf(one.counts)}});
    return list;
}

const char *nameOf(HeatBasis basis) {
    switch (basis) {
    case HeatBasis::Listing:
        return "listing";
    case HeatBasis::Report:
        return "report";
    case HeatBasis::Nothing:
        break;
    }
    return "nothing";
}

} // namespace

OrderedJson toJson(const Heat &heat, const HeatSubject &subject) {
    OrderedJson kernels = OrderedJson::array();
    for (const KernelHeat &kernel : heat.kernels) {
        OrderedJson json{
            {"name", toJson(kernel.name)},     {"mangled", textOrNull(kernel.mangled)},
            {"launches", kernel.launches},     {"launchesWithoutSamples", kernel.unsampled},
            {"share", kernel.share},           {"chargedShare", kernel.charged},
            {"basis", nameOf(kernel.basis)},   {"whyNotListing", textOrNull(kernel.whyNotListing)},
            {"counts", jsonOf(kernel.counts)}, {"lines", jsonOf(kernel.lines)}};
        if (subject.wantsInstructions)
            json["instructions"] = jsonOf(kernel.instructions);
        kernels.push_back(std::move(json));
    }
    return OrderedJson{
        {"schema", heatSchema},
        {"program", toJson(subject.program)},
        {"of", OrderedJson{{"workspace", toJson(subject.workspace)},
                           {"textHash", textOrNull(heat.textHash)},
                           {"iteration", heat.iteration},
                           {"counters", textOrNull(heat.counters)},
                           {"at", heat.at.isValid()
                                      ? OrderedJson(toJson(heat.at.toUTC().toString(Qt::ISODateWithMs)))
                                      : OrderedJson(nullptr)},
                           {"device", textOrNull(heat.device)}}},
        {"asked", OrderedJson{{"kernel", textOrNull(subject.choice.kernel)},
                              {"launch", subject.choice.launch < 0 ? OrderedJson(nullptr)
                                                                   : OrderedJson(subject.choice.launch)}}},
        {"samples", heat.samples},
        {"charged", heat.charged},
        {"problems", stringsToJson<OrderedJson>(heat.problems)},
        {"kernels", std::move(kernels)},
        {"lines", jsonOf(heat.lines)}};
}

} // namespace warpwright
