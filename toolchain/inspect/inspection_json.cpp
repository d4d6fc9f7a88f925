// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/inspect/inspection_json.h"

#include "toolchain/evaluation/evaluation_json.h"

#include <algorithm>
#include <iterator>

namespace warpwright {
namespace {

OrderedJson numberOrNull(qint64 value, qint64 none) {
    return value == none ? OrderedJson(nullptr) : OrderedJson(value);
}

OrderedJson occupancyToJson(const Occupancy &occupancy) {
    return OrderedJson{
        {"threads", occupancy.threads}, {"blocks", occupancy.blocks},
        {"warps", occupancy.warps},     {"maxWarps", occupancy.maxWarps},
        {"share", occupancy.share()},   {"limiters", stringsToJson<OrderedJson>(limiterNames(occupancy))}};
}

OrderedJson mixToJson(const OpcodeMix &mix) {
    OrderedJson classes = OrderedJson::object();
    for (int i = 0; i < opcodeClassCount; ++i)
        classes[opcodeClassKey(static_cast<OpcodeClass>(i)).toStdString()] =
            mix.byClass[static_cast<std::size_t>(i)];
    OrderedJson accesses = OrderedJson::array();
    for (const OpcodeMix::Access &one : mix.accesses)
        accesses.push_back(OrderedJson{{"opcode", toJson(one.base)},
                                       {"space", toJson(one.access.space)},
                                       {"widthBits", one.access.widthBits},
                                       {"count", one.count}});
    return OrderedJson{
        {"instructions", mix.total}, {"classes", std::move(classes)}, {"accesses", std::move(accesses)}};
}

/// Lines name their chain by its number: chains are few, lines are many.
OrderedJson codeToJson(const KernelCode &code) {
    OrderedJson chains = OrderedJson::array();
    for (const PlaceChain &chain : code.chains) {
        OrderedJson places = OrderedJson::array();
        for (const CodePlace &place : chain)
            places.push_back(OrderedJson{{"file", toJson(place.file)}, {"line", place.line}});
        chains.push_back(std::move(places));
    }
    OrderedJson lines = OrderedJson::array();
    for (const CodeLine &line : code.lines) {
        if (line.kind == CodeLine::Kind::Label)
            lines.push_back(OrderedJson{{"label", toJson(line.opcode)}});
        else
            lines.push_back(
                OrderedJson{{"address", numberOrNull(line.address, -1)},
                            {"predicate", line.predicate.isEmpty() ? OrderedJson(nullptr)
                                                                   : OrderedJson(toJson(line.predicate))},
                            {"opcode", toJson(line.opcode)},
                            {"operands", toJson(line.operands)},
                            {"places", numberOrNull(line.chain, -1)}});
    }
    return OrderedJson{{"places", std::move(chains)}, {"lines", std::move(lines)}};
}

} // namespace

std::vector<InspectedKernel> kernelsNamed(const std::vector<InspectedKernel> &kernels, const QString &name) {
    std::vector<InspectedKernel> found;
    const auto collect = [&](const auto &fits) {
        std::copy_if(kernels.begin(), kernels.end(), std::back_inserter(found), fits);
    };
    collect([&name](const InspectedKernel &kernel) {
        return kernel.resources.name == name || kernel.resources.mangled == name;
    });
    if (found.empty())
        collect([&name](const InspectedKernel &kernel) { return kernel.resources.name.contains(name); });
    return found;
}

OrderedJson toJson(const Inspection &inspection, const InspectionParts &parts,
                   const QString &programVersion) {
    OrderedJson diagnostics = OrderedJson::array();
    for (const Diagnostic &diagnostic : inspection.diagnostics)
        diagnostics.push_back(diagnosticToJson(diagnostic));
    OrderedJson kernels = OrderedJson::array();
    for (const InspectedKernel &kernel : kernelsNamed(inspection.kernels, parts.kernel)) {
        OrderedJson occupancies = OrderedJson::array();
        for (const Occupancy &occupancy : kernel.occupancies)
            occupancies.push_back(occupancyToJson(occupancy));
        OrderedJson one{{"source", toJson(kernel.source)},
                        {"resources", kernelToJson(kernel.resources)},
                        {"launchThreads", numberOrNull(kernel.launchThreads(), 0)},
                        {"occupancy", std::move(occupancies)},
                        {"mix", kernel.mix ? mixToJson(*kernel.mix) : OrderedJson(nullptr)}};
        if (parts.sass)
            one["sass"] = kernel.sass ? codeToJson(*kernel.sass) : OrderedJson(nullptr);
        if (parts.ptx)
            one["ptx"] = kernel.ptx ? codeToJson(*kernel.ptx) : OrderedJson(nullptr);
        kernels.push_back(std::move(one));
    }
    const char *status = inspection.status == CompileStatus::Passed   ? "passed"
                         : inspection.status == CompileStatus::Failed ? "failed"
                                                                      : "cancelled";
    return OrderedJson{
        {"schema", inspectionSchema},
        {"program", toJson(programVersion)},
        {"workspace", toJson(inspection.workspace)},
        {"architecture", toJson(inspection.architecture)},
        {"nvcc", toJson(inspection.nvcc)},
        {"status", status},
        {"compiled", inspection.compiled},
        {"compileSeconds", inspection.compileSeconds},
        {"disassemblySeconds", inspection.disassemblySeconds},
        {"note", inspection.note.isEmpty() ? OrderedJson(nullptr) : OrderedJson(toJson(inspection.note))},
        {"diagnostics", std::move(diagnostics)},
        {"kernels", std::move(kernels)}};
}

} // namespace warpwright
