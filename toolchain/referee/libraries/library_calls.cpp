// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/libraries/library_calls.h"

#include <algorithm>

namespace warpwright {

namespace {

constexpr size_t mostFunctions = 512; // of a record: a longer one is nobody's extension
constexpr size_t mostNamed = 12;

void addCounts(std::map<std::string, uint64_t> &counts, const Json &record, const char *key) {
    const auto found = record.find(key);
    if (found == record.end() || !found->is_object())
        return;
    for (const auto &[name, count] : found->items())
        if (count.is_number_unsigned() && (counts.count(name) != 0 || counts.size() < mostFunctions))
            counts[name] += count.get<uint64_t>();
}

constexpr auto place = ", in the candidate's own process: ";

} // namespace

void LibraryCalls::add(const Json &record) {
    if (!record.is_object() || !record.value("watched", Json()).is_boolean())
        return;
    m_wasWatched = m_wasWatched || record["watched"].get<bool>();
    addCounts(m_calls, record, "calls");
    Counts ever;
    addCounts(ever, record, "calls");
    addCounts(ever, record, "earlier");
    for (const auto &[name, count] : ever)
        m_ever[name] = std::max(m_ever[name], count);
    if (const auto brought = record.find("brought"); brought != record.end() && brought->is_array())
        for (const Json &file : *brought)
            if (file.is_string() && m_brought.size() < mostNamed &&
                std::find(m_brought.begin(), m_brought.end(), file.get<std::string>()) == m_brought.end())
                m_brought.push_back(file.get<std::string>());
}

std::string LibraryCalls::named(LibraryUse use, const Counts &counts) const {
    std::string names;
    size_t count = 0;
    for (const auto &[name, calls] : counts) {
        if (calls == 0 || useOf(name) != use)
            continue;
        if (++count > mostNamed)
            return names + ", …";
        names += (names.empty() ? "" : ", ") + readableFunction(name) + " (" + std::to_string(calls) + ")";
    }
    return names;
}

void LibraryCalls::judge(StageAnswer &stage, const Json &facts) const {
    if (const std::string code = named(LibraryUse::RuntimeCode, m_ever); !code.empty())
        stage.reject("runtime-code", std::string("called by the candidate's extension") + place + code,
                     "The candidate compiles or loads code while it runs: " + code + ".",
                     "Build everything from the kernel's sources, before it runs.");
    std::string files;
    for (const std::string &file : m_brought)
        files += (files.empty() ? "" : ", ") + file;
    if (!files.empty())
        stage.reject("runtime-code", std::string("mapped as code") + place + files,
                     "The candidate loads code that was not built from its sources: " + files + ".",
                     "Build everything from the kernel's sources, before it runs.");
    if (const std::string torch = named(LibraryUse::TorchInside, m_calls); !torch.empty())
        stage.reject("torch-operators",
                     std::string("called by the candidate's extension under its forward") + place + torch,
                     "The candidate lets torch do the work, past its dispatcher: " + torch + ".",
                     "Compute in your own kernels; torch may allocate, fill, copy and view.");
    judgeWork(stage, facts);
}

void LibraryCalls::judgeWork(StageAnswer &stage, const Json &facts) const {
    const bool executes = has(LibraryUse::Executes, m_calls);
    const bool isProduct =
        has(LibraryUse::Product, m_calls) || (executes && has(LibraryUse::PlansProduct, m_ever));
    const bool isConvolution =
        has(LibraryUse::Convolution, m_calls) || (executes && has(LibraryUse::PlansConvolution, m_ever));
    std::string other = named(LibraryUse::Computes, m_calls);
    const auto more = [&other](const std::string &names) {
        if (!names.empty())
            other += (other.empty() ? "" : ", ") + names;
    };
    if (executes)
        more(named(LibraryUse::PlansOther, m_ever));
    // Beside a product or a convolution they bring operands into order; alone they are the work.
    if (!isProduct && !isConvolution) {
        more(named(LibraryUse::Layout, m_calls));
        if (executes)
            more(named(LibraryUse::PlansLayout, m_ever));
    }
    if (!other.empty())
        stage.reject(
            "library-use",
            std::string("called by the candidate's extension under its forward") + place + other,
            "A library does work for the candidate that is neither a matrix product nor a convolution: " +
                other + ".",
            "Compute it in your own kernels. cuBLAS and BLAS may multiply, cuDNN may convolve, oneDNN may do "
            "both; the rest is the kernel's work.");
    if (const std::string unknown = named(LibraryUse::Unknown, m_calls); !unknown.empty())
        stage.doubt("The candidate's extension calls functions of libraries that the judge does not know: " +
                    unknown + ". Whether the rules allow them was not decided.");
    std::string work;
    for (const std::string &name : allowedWork())
        work += (work.empty() ? "" : ", ") + readableFunction(name);
    if ((isProduct || isConvolution) && !facts.value("hasProduct", false) &&
        !facts.value("hasConvolution", false))
        stage.doubt("A library multiplies or convolves for the candidate (" + work +
                    "), and the reference does neither: that is an odd way to compute what it computes.");
}

std::vector<std::string> LibraryCalls::allowedWork() const {
    std::vector<std::string> names;
    for (const auto &[name, calls] : m_calls) {
        const LibraryUse use = useOf(name);
        if (calls > 0 &&
            (use == LibraryUse::Product || use == LibraryUse::Convolution || use == LibraryUse::Executes))
            names.push_back(name);
    }
    return names;
}

Json LibraryCalls::asJson() const {
    Json calls = Json::object();
    for (const auto &[name, count] : m_calls)
        calls[name] = count;
    return {{"status", m_wasWatched ? "passed" : "not-run"}, {"calls", calls}, {"brought", m_brought}};
}

} // namespace warpwright
