// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/worker_faults.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <map>

namespace warpwright {
namespace {

/// What CUDA's libraries answer where they get no memory for themselves, or the device is in trouble: their
/// words do not tell, and no reference can do anything about it.
bool isLibrarysOwn(const WorkerFault &fault) {
    static constexpr std::array words = {"CUDNN_STATUS_INTERNAL_ERROR", "CUDNN_STATUS_NOT_INITIALIZED",
                                         "CUBLAS_STATUS_NOT_INITIALIZED", "CUBLAS_STATUS_INTERNAL_ERROR"};
    return std::any_of(words.begin(), words.end(),
                       [&fault](const char *word) { return fault.message.find(word) != std::string::npos; });
}

/// Where a process was, of which only the request is known that it did not answer.
std::string placeOf(const WorkerFault &fault) {
    static const std::map<std::string, std::string> places = {
        {"run", "forward"},
        {"facts", "forward"},
        {"batch", "forward"},
        {"timed calls", "forward"},
        {"load_reference", "model.py, while it was loaded"},
        {"load_candidate", "model_new.py, while it was loaded"},
        {"describe_inputs", "get_inputs"},
        {"draw_inputs", "get_inputs"},
    };
    const auto found = places.find(fault.phase);
    return found == places.end() ? fault.phase : found->second;
}

bool endedItself(const WorkerFault &fault) {
    return fault.kind == WorkerFault::Kind::Died && !fault.type.empty();
}

/// Where the reader of files says in words of its own why, and then what to do: the end of the first.
size_t endOfTold(const WorkerFault &fault) {
    return fault.kind == WorkerFault::Kind::Raised && fault.type.empty() ? fault.message.find(". ")
                                                                         : std::string::npos;
}

} // namespace

std::string describe(const WorkerFault &fault) {
    if (const size_t end = endOfTold(fault); end != std::string::npos)
        return fault.message.substr(0, end);
    std::string text = fault.type.empty() ? fault.message : fault.type + ": " + fault.message;
    // So ctypes says that there is no executable memory (worker/no_new_code.cpp).
    if (fault.type == "MemoryError" && fault.message.empty())
        text += "on a CPU a candidate's process makes no code, as ctypes does where C is to call Python";
    if (endedItself(fault))
        text = "It called " + fault.type + " in " + placeOf(fault) +
               (fault.detail.empty() ? ", and printed nothing." : "; what it printed last:");
    else if (fault.kind == WorkerFault::Kind::Died)
        text = "Its process " + fault.message + ".";
    else if (fault.kind == WorkerFault::Kind::TimedOut)
        text = "It " + fault.message + ".";
    std::string tail = fault.detail;
    while (!tail.empty() && (tail.back() == '\n' || tail.back() == ' '))
        tail.pop_back();
    if (tail.size() > 3000)
        tail.erase(0, tail.size() - 3000);
    return tail.empty() ? text : text + "\n" + tail;
}

// Python's faulthandler: `  File "…/model_new.py", line 12 in forward`, the innermost frame first.
Json placeInTraceback(const std::string &printed) {
    const std::string file = "/model_new.py\", line ";
    const size_t at = printed.find(file);
    if (at == std::string::npos)
        return nullptr;
    return {{"file", "model_new.py"}, {"line", std::atoi(printed.c_str() + at + file.size())}};
}

bool rejectWriter(const WorkerFault &fault, StageAnswer &stage) {
    constexpr const char *reported = "warpwright: write inputs"; // worker/trap_report.cpp
    if (fault.kind != WorkerFault::Kind::Died || fault.signal != SIGSEGV ||
        fault.detail.find(reported) == std::string::npos)
        return false;
    const Json place = placeInTraceback(fault.detail);
    const std::string where = place.is_null() ? "" : " First at model_new.py:" + place["line"].dump() + ".";
    stage.reject("writes-inputs", "it wrote to memory that it may only read (" + placeOf(fault) + ")",
                 "The candidate changes its inputs; the reference leaves them as they are." + where,
                 "Write results into new tensors only.", place);
    return true;
}

std::string adviceFor(const WorkerFault &fault) {
    if (const size_t end = endOfTold(fault); end != std::string::npos)
        return fault.message.substr(end + 2);
    if (fault.outOfMemory)
        return "The candidate needs more memory than the device has left; allocate less, or close other "
               "programs.";
    if (fault.kind == WorkerFault::Kind::TimedOut)
        return "Look for a loop or a barrier that never ends. The process was killed; nothing of it is left.";
    if (fault.wasKilled)
        return "Something outside killed it: a person, or the system when memory ran out (see dmesg). Check "
               "again; if it happens each time, let the candidate use less memory.";
    if (endedItself(fault))
        return "Throw an exception there (TORCH_CHECK, or throw std::runtime_error) instead of calling "
               "exit(): "
               "then the judge can say where it comes from.";
    if (fault.kind == WorkerFault::Kind::Died)
        return "Look for an access outside of a buffer; run the kernel under compute-sanitizer or valgrind.";
    if (fault.phase == "load_state_dict")
        return "The reference's parameters are loaded into the candidate under their names: give ModelNew "
               "the same "
               "nn.Parameters and submodules. The model_new.py of a new workspace has none yet.";
    return "Correct the candidate; the last lines above name the place.";
}

Fault faultOfReference(const std::string &model, const WorkerFault &fault) {
    const std::string whose = "for the reference \"" + model + "\" (" + fault.phase + ").";
    if (fault.outOfMemory) {
        Fault full("environment", "The device has too little memory " + whose, describe(fault),
                   "Close other programs that use the device, or make the task's inputs smaller.");
        full.outOfMemory = true;
        return full;
    }
    if (isLibrarysOwn(fault)) {
        Fault own("environment", "A library of CUDA failed in itself " + whose, describe(fault),
                  "Mostly it got no memory: close other programs that use the device, and check again. If it "
                  "fails on a free device as well, the library has no way for this reference.");
        own.outOfMemory = true;
        return own;
    }
    return Fault("task-failed", "The reference \"" + model + "\" cannot be used: " + fault.phase + " failed.",
                 describe(fault),
                 endOfTold(fault) != std::string::npos
                     ? adviceFor(fault)
                     : "Mend the reference; `Model`, `get_inputs()` and `get_init_inputs()` must work in the "
                       "chosen interpreter.");
}

} // namespace warpwright
