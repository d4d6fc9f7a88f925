// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/libraries/kernel_shares.h"

#include <cmath>
#include <map>

namespace warpwright {

namespace {

constexpr auto source = "torch's profiler in the candidate's own process: evidence, not proof";
constexpr size_t mostKernels = 64;
constexpr size_t mostName = 400;

Json notRun(const std::string &reason) {
    return {{"status", "not-run"},   {"reason", reason},      {"source", source},
            {"calls", nullptr},      {"ownShare", nullptr},   {"libraryShare", nullptr},
            {"torchShare", nullptr}, {"otherShare", nullptr}, {"kernels", Json::array()}};
}

// Filling and copying, which torch may do.
bool isAllowed(const std::string &kernel) {
    for (const char *word : {"FillFunctor", "copy_kernel", "arange", "CopyFunctor", "fill_kernel"})
        if (kernel.find(word) != std::string::npos)
            return true;
    return false;
}

bool isTime(const Json &value) {
    return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0.0;
}

} // namespace

Json judgeKernelShares(const Json &answer, StageAnswer &stage) {
    if (!answer.is_object())
        return notRun("the candidate's process gave no answer");
    const auto rows = answer.find("kernels");
    if (rows == answer.end() || !rows->is_array() || rows->empty()) {
        const auto reason = answer.find("reason");
        return notRun(reason != answer.end() && reason->is_string()
                          ? reason->get<std::string>().substr(0, mostName)
                          : "no kernel was seen");
    }
    std::map<std::string, double> microseconds = {
        {"own", 0.0}, {"library", 0.0}, {"torch", 0.0}, {"other", 0.0}};
    Json kernels = Json::array();
    std::string torch;
    for (const Json &row : *rows) {
        if (kernels.size() == mostKernels)
            break;
        if (!row.is_object() || !row.value("name", Json()).is_string() ||
            !row.value("origin", Json()).is_string() || !isTime(row.value("microseconds", Json())))
            return notRun("the candidate's process gave an answer that is none");
        const std::string name = row["name"].get<std::string>().substr(0, mostName);
        const auto known = microseconds.find(row["origin"].get<std::string>());
        const std::string origin = known == microseconds.end() ? "other" : known->first;
        const Json count = row.value("count", Json());
        microseconds[origin] += row["microseconds"].get<double>();
        kernels.push_back({{"name", name},
                           {"origin", origin},
                           {"count", count.is_number_unsigned() ? count : Json()},
                           {"microseconds", row["microseconds"]}});
        if (origin == "torch" && !isAllowed(name))
            torch += (torch.empty() ? "" : ", ") + name;
    }
    if (const Json left = answer.value("left", Json()); isTime(left))
        microseconds["other"] += left.get<double>();
    double total = 0.0;
    for (const auto &[origin, time] : microseconds)
        total += time;
    const auto share = [&](const char *origin) {
        return total > 0.0 ? Json(microseconds[origin] / total) : Json();
    };
    const Json calls = answer.value("calls", Json());
    Json provenance = {{"status", torch.empty() ? "passed" : "failed"},
                       {"reason", ""},
                       {"source", source},
                       {"calls", calls.is_number_unsigned() ? calls : Json()},
                       {"ownShare", share("own")},
                       {"libraryShare", share("library")},
                       {"torchShare", share("torch")},
                       {"otherShare", share("other")},
                       {"kernels", kernels}};
    if (!torch.empty())
        stage.reject(
            "torch-kernels",
            "torch's profiler, in the candidate's own process, saw these kernels of torch work: " + torch,
            "Kernels of torch do a part of the candidate's work, and torch's dispatcher saw nothing of it: " +
                torch + ".",
            "Compute in your own kernels; torch may allocate, fill and copy.");
    return provenance;
}

} // namespace warpwright
