// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of verification.h that says who did the work: torch, a library, or kernels of the candidate's own.
#include "referee/verification/verification.h"

namespace warpwright {

namespace {

constexpr int knockFill = 0x7f; // of new memory: a large number
// Of the bytes that the task moves: so much of torch's arithmetic may be the move of a state.
constexpr double mostOnState = 1.0 / 16.0;

std::string listed(const Json &operators) {
    std::string names;
    for (const auto &[name, call] : operators.items()) {
        const Json count = call.is_object() ? call.value("count", Json()) : Json();
        names += (names.empty() ? "" : ", ") + name + (count.is_number() ? " (" + count.dump() + ")" : "");
    }
    return names;
}

Json placeOf(const Json &operators) {
    for (const Json &call : operators) {
        if (call.is_object() && call.value("file", Json()).is_string())
            return {{"file", call["file"]}, {"line", call.value("line", Json())}};
    }
    return {};
}

std::string sentenceOf(const Json &place) {
    return place.is_null()
               ? ""
               : " First at " + place["file"].get<std::string>() + ":" + place["line"].dump() + ".";
}

} // namespace

// The dispatcher's record of the candidate's own process: what does the work may not be torch.
void Verification::judgeOperators(const Json &operators) {
    if (!m_stage.isOpen() || !operators.is_object() || operators.empty())
        return;
    const std::string names = listed(operators);
    const Json place = placeOf(operators);
    m_stage.reject("torch-operators",
                   "torch's dispatcher, in the candidate's own process, saw these run under its forward: " +
                       names,
                   "The candidate lets torch do the work: " + names + "." + sentenceOf(place),
                   "Compute in your own kernels; torch may allocate, fill, copy and view. A library's matrix "
                   "product or convolution is called from the kernel's sources.",
                   place);
}

// Where forward moves the model's own tensors, a little arithmetic of torch may do that: nothing else that
// the call makes may rest on it.
void Verification::judgeStateWork() {
    if (!m_stage.isOpen() || !m_onState.is_object() || m_onState.empty())
        return;
    double elements = 0.0;
    for (const Json &call : m_onState)
        elements += call.is_object() && call.value("elements", Json()).is_number()
                        ? call["elements"].get<double>()
                        : 0.0;
    const bool isLittle = elements * 4.0 <= mostOnState * m_session.facts().value("bytes", 0.0);
    bool isForStateAlone = false;
    if (isLittle) {
        const Json ran = m_candidate->call(
            "run", {{"inputs", m_lastInputs}, {"clone", false}, {"fill", knockFill}, {"leaveState", true}},
            10.0 + 20.0 * m_referenceSeconds);
        isForStateAlone = m_memory->areLast(leavesOf(ran.at("outputs"), "output"), *m_candidate, true);
        m_candidate->call("release", {{"last", 1}}, 60.0);
    }
    const std::string names = listed(m_onState);
    if (isForStateAlone)
        return m_stage.doubt("torch moves tensors of the model's own under the candidate's forward (" +
                             names + "), as the reference does; none of its other results rests on that.");
    const Json place = placeOf(m_onState);
    m_stage.reject(
        "torch-operators",
        "torch's dispatcher, in the candidate's own process, saw these run under its forward: " + names +
            (isLittle ? "; without them its results are others" : ""),
        "The candidate lets torch do the work: " + names + "." + sentenceOf(place),
        isLittle ? "Compute in your own kernels. torch's arithmetic may move the tensors of the model's "
                   "own that forward changes, and nothing that is computed from them."
                 : "Compute in your own kernels, the tensors of the model's own that forward changes "
                   "too: they are no small part of this task.",
        place);
}

// The extension's calls of libraries, counted in the candidate's own process.
void Verification::judgeLibraries() {
    m_answer["libraries"] = m_libraries.asJson();
    if (!m_stage.isOpen())
        return;
    m_libraries.judge(m_stage, m_session.facts());
    if (!m_stage.isOpen())
        m_answer["libraries"]["status"] = "failed";
}

// The last round once more, with the candidate's own kernels taken out: its results may not be the same,
// unless a library's product or convolution makes them.
void Verification::knockOut(const std::string &runFolder) {
    const Phases::Span span(m_session.phases(), "knock-out");
    if (!m_stage.isOpen())
        return;
    try {
        const Json ran = m_candidate->call(
            "run", {{"inputs", m_lastInputs}, {"clone", false}, {"fill", knockFill}, {"knock", true}},
            10.0 + 20.0 * m_referenceSeconds);
        const Json swallowed = ran.value("swallowed", Json());
        const bool isSame = m_memory->areLast(leavesOf(ran.at("outputs"), "output"), *m_candidate);
        m_candidate->call("release", Json::object(), 60.0);
        if (!isSame)
            return;
        const bool isKnocked = swallowed.is_number_unsigned() && swallowed.get<uint64_t>() > 0;
        if (isKnocked && m_session.device().memory == MemoryKind::Cpu && doCppFunctionsWork(runFolder))
            return;
        const bool byLibraries = librariesMakeResults();
        if (isKnocked && byLibraries)
            m_stage.doubt("A library's product or convolution makes the results; the candidate's own kernels "
                          "run (" +
                          swallowed.dump() + " calls) and change nothing of them.");
        else if (isKnocked)
            m_stage.reject(
                "own-kernels",
                swallowed.dump() + " calls of the candidate's own kernels were made to do nothing, and "
                                   "its results stayed the same, bit by bit",
                "The candidate's own kernels do not make its results: without them they are the same.",
                "Let the kernels do the work.");
        else if (!byLibraries)
            m_stage.doubt("None of the candidate's own kernels was seen at work, nor a library's product or "
                          "convolution: what makes its results is not known (a CUDA graph hides kernels).");
    } catch (const WorkerFault &fault) {
        // Without its kernels it may well fail; what is timed is a new one then.
        if (fault.kind != WorkerFault::Kind::Raised)
            m_candidate = m_session.startCandidate(runFolder);
    }
}

// Once more with the functions of C++ linkage taken out as well: what took nothing but helpers away says
// nothing. One that returns an object may break the call, and then nobody knows.
bool Verification::doCppFunctionsWork(const std::string &runFolder) {
    try {
        const Json ran = m_candidate->call(
            "run", {{"inputs", m_lastInputs}, {"clone", false}, {"fill", knockFill}, {"knock", "any"}},
            10.0 + 20.0 * m_referenceSeconds);
        const bool isSame = m_memory->areLast(leavesOf(ran.at("outputs"), "output"), *m_candidate);
        m_candidate->call("release", Json::object(), 60.0);
        return !isSame;
    } catch (const WorkerFault &fault) {
        if (fault.kind != WorkerFault::Kind::Raised)
            m_candidate = m_session.startCandidate(runFolder);
        m_stage.doubt(
            "Taking out the candidate's own functions of C linkage changed nothing, and without its "
            "C++ functions a call fails: what makes its results is not known. Declare what launches "
            "a kernel as extern \"C\".");
        return true;
    }
}

// Once more with what libraries may do taken out. Throws WorkerFault like every call.
bool Verification::librariesMakeResults() {
    const std::vector<std::string> work = m_libraries.allowedWork();
    if (work.empty())
        return false;
    Json &make = m_answer["libraries"]["makeResults"] =
        true; // it raised without them: that is an answer, too
    const Json ran = m_candidate->call(
        "run", {{"inputs", m_lastInputs}, {"clone", false}, {"fill", knockFill}, {"knockLibraries", work}},
        10.0 + 20.0 * m_referenceSeconds);
    make = !m_memory->areLast(leavesOf(ran.at("outputs"), "output"), *m_candidate);
    m_candidate->call("release", Json::object(), 60.0);
    return make.get<bool>();
}

} // namespace warpwright
