// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/amputation.h"

#include "referee/amputate/elf_image.h"
#include "referee/base/stage_answer.h"
#include "referee/libraries/library_rules.h"
#include "referee/process/worker_faults.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace warpwright {

namespace {

constexpr const char *reportWord = "warpwright: trap "; // worker/trap_report.cpp

/// Whether a library's table of traps {address, bytes} holds this address.
bool isTrap(const std::string &table, uint64_t address) {
    std::ifstream file(table, std::ios::binary);
    for (uint64_t span[2]; file.read(reinterpret_cast<char *>(span), sizeof span);) {
        if (address >= span[0] && address - span[0] < span[1])
            return true;
    }
    return false;
}

std::string functionAt(const std::string &library, uint64_t address) {
    try {
        const ElfImage image(library);
        for (const ElfFunction &function : image.functions()) {
            if (address >= function.address && address - function.address < function.bytes)
                return std::string(function.name);
        }
    } catch (const std::exception &) {
        // The library went while it was used: the address has to do.
    }
    return {};
}

} // namespace

Amputation::Amputation(const Json &made) {
    if (!made.is_object())
        return;
    m_reason = made.value("reason", "");
    if (made.value("status", "") != "made")
        return;
    const std::string folder = made.value("folder", "");
    for (const Json &library : made.value("libraries", Json::array())) {
        const std::string original = library.value("original", "");
        const std::string copy = folder + "/" + library.value("copy", "");
        std::error_code ignored;
        if (!std::filesystem::exists(original, ignored) || !std::filesystem::exists(copy, ignored)) {
            m_reason = "\"" + (std::filesystem::exists(original, ignored) ? copy : original) + "\" is gone.";
            return;
        }
        m_libraries.push_back({library.value("name", ""), original, folder + "/" + library.value("traps", ""),
                               library.value("name", "").starts_with("libtorch")});
        (library.value("later", false) ? m_later : m_covers).emplace_back(copy, original);
        m_facts.push_back({{"name", library.value("name", "")},
                           {"trapped", library.value("trapped", 0)},
                           {"functions", library.value("functions", 0)}});
    }
    m_notNumpy = made.value("notNumpy", "");
    m_farm = folder + "/" + made.value("farm", "");
    m_status = m_covers.empty() ? "not-run" : "made";
}

Json Amputation::toJson() const {
    return {{"status", m_status}, {"reason", m_reason}, {"libraries", m_facts}};
}

std::optional<Amputation::Trap> Amputation::trapOf(const WorkerFault &fault) const {
    if (fault.kind != WorkerFault::Kind::Died || fault.signal != SIGILL)
        return std::nullopt;
    const size_t word = fault.detail.rfind(reportWord);
    if (word == std::string::npos)
        return std::nullopt;
    std::istringstream said(fault.detail.substr(word + std::string(reportWord).size()));
    std::string name;
    uint64_t address = 0;
    if (!(said >> name >> std::hex >> address))
        return std::nullopt;
    for (const Library &library : m_libraries) {
        if (library.name != name || !isTrap(library.traps, address))
            continue;
        const std::string function = functionAt(library.original, address);
        std::ostringstream place;
        place << name << " at 0x" << std::hex << address;
        return Trap{function.empty() ? place.str() : readableFunction(function), library.isTorch};
    }
    return std::nullopt;
}

bool Amputation::reject(const WorkerFault &fault, StageAnswer &stage) const {
    const auto trap = trapOf(fault);
    if (!trap)
        return false;
    const Json place = placeInTraceback(fault.detail);
    const std::string where =
        place.is_null() ? ""
                        : " First at " + place["file"].get<std::string>() + ":" + place["line"].dump() + ".";
    const std::string evidence = "its process came to " + trap->function +
                                 ", which is not there for a candidate (" + fault.phase + ")";
    if (trap->isTorch)
        stage.reject("torch-operators", evidence,
                     "The candidate lets torch do the work: " + trap->function + "." + where,
                     "Compute in your own kernels; torch may allocate, fill, copy and view, and it may "
                     "compute on parameters alone: in the constructor, in load_state_dict, or once in the "
                     "first call with new ones. A library's matrix product or convolution is called from the "
                     "kernel's sources.",
                     place);
    else
        stage.reject("library-use", evidence,
                     "The candidate lets numpy do the work: " + trap->function + "." + where,
                     "Compute in your own kernels. Of numpy there are shapes, scalars and tables of double "
                     "precision; what is computed from parameters alone, torch may compute.",
                     place);
    return true;
}

} // namespace warpwright
