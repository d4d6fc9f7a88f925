// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>

namespace warpwright {

/// Why a call of the judge could not be answered, in the four parts that a person needs.
struct Fault : std::exception {
    Fault(std::string faultVerdict, std::string faultWhat, std::string faultWhy, std::string faultAdvice)
        : verdict(std::move(faultVerdict)),
          whatFailed(std::move(faultWhat)),
          why(std::move(faultWhy)),
          advice(std::move(faultAdvice)) {}
    const char *what() const noexcept override { return whatFailed.c_str(); }

    std::string verdict; ///< task-failed, environment, run-failed, wrong …: PROTOCOL.md
    std::string whatFailed;
    std::string why;
    std::string advice;
    bool outOfMemory = false; ///< a smaller MemoryPlan may get through
};

/// The client asked to stop. Not a failure of anything.
struct Cancelled : std::exception {
    const char *what() const noexcept override { return "cancelled"; }
};

/// A sandbox could not be built, or does not stand as it was asked for. Nothing ran in it.
struct SandboxFault : std::exception {
    explicit SandboxFault(std::string faultWhy) : why(std::move(faultWhy)) {}
    const char *what() const noexcept override { return why.c_str(); }

    std::string why;
};

/// What went wrong in a worker, before it is known whose fault that is.
struct WorkerFault : std::exception {
    enum class Kind { Raised, Died, TimedOut };

    Kind kind = Kind::Raised;
    std::string phase;   ///< "forward", "import model.py" …, or the request that was not answered
    std::string type;    ///< the Python exception's class; "exit(1)": its process ended itself
    std::string message; ///< the exception's words, or the signal, or the limit
    std::string detail;  ///< traceback, or the end of what the worker printed
    int signal = 0;      ///< Died by it; 0: by none
    bool outOfMemory = false;
    bool wasKilled =
        false; ///< Died by SIGKILL: somebody else ended it, the kernel's out-of-memory killer too

    const char *what() const noexcept override { return message.c_str(); }
};

/// A worker answered with fields that are not there, or of another type: only a candidate's does.
inline WorkerFault nonsenseFault(const std::string &problem) {
    WorkerFault fault;
    fault.phase = "message";
    fault.message = "answered the judge with what is no answer (" + problem + ")";
    return fault;
}

} // namespace warpwright
