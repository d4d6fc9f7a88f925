// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/passes/pass_plan.h"
#include "toolchain/passes/pass_process.h"

#include <array>
#include <chrono>
#include <optional>
#include <string>

namespace warpwright {

/// Runs nvcc's passes side by side as far as their files let them, and says what nvcc would have said.
///
/// Three of nvcc's orders are none of the files': cicc needs of cudafe++ only the module id, and the host
/// compiler of cicc only the stub by which kernels are launched: both are guessed and compared, for neither
/// changes with the body of a kernel; the host compiler needs of ptxas only the bytes that its assembler puts
/// into the object. Where a guess was wrong the pass runs again. The object is nvcc's own to the byte.
class PassRun {
public:
    /// What cudafe++ and cicc wrote the last time; empty: who reads it waits for it.
    struct Guesses {
        std::string moduleId;
        std::string stub;
    };

    PassRun(PassPlan plan, Guesses guesses);

    /// What nvcc would have ended with; nothing: it is to be asked itself, for something went another way
    /// than its passes usually go.
    [[nodiscard]] std::optional<int> run();
    /// How they were run, for a log: what was guessed wrong, and when each began and ended (milliseconds
    /// since this was made).
    [[nodiscard]] std::string told() const;

private:
    static constexpr std::size_t join = passCount; ///< of assembly and device code: ours, after nvcc's
    enum class State { Waiting, Running, Done };
    struct Pass {
        PassWords words;
        State state = State::Waiting;
        PassProcess process;
        double began = 0.0; ///< milliseconds since m_start
        double ended = 0.0;
    };

    [[nodiscard]] std::optional<int> runAll();
    [[nodiscard]] bool prepare();
    [[nodiscard]] bool isDone(std::size_t pass) const { return m_passes[pass].state == State::Done; }
    [[nodiscard]] bool mayStart(std::size_t pass) const;
    [[nodiscard]] bool startAll();
    [[nodiscard]] bool ended(std::size_t pass);
    [[nodiscard]] bool confirmModuleId();
    [[nodiscard]] bool confirmStub();
    [[nodiscard]] bool checkEmbedded();
    void nameAssembly();
    [[nodiscard]] bool hasWords(std::size_t pass) const;
    void again(std::size_t pass);
    [[nodiscard]] double milliseconds() const;
    [[nodiscard]] int say() const;

    PassPlan m_plan;
    Guesses m_guess;
    std::string m_cicc;     ///< where cicc writes its stub while a guess stands for it
    std::string m_embedded; ///< where fatbinary writes meanwhile
    bool m_guessesModuleId = false;
    bool m_guessesStub = false;
    bool m_isStubMoved = false; ///< the guess was the same code at other lines
    std::string m_wrong;        ///< what was guessed wrong, in words
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    bool m_assemblesLast = false;
    int m_assemblies = 0;      ///< so many times the host compiler was asked for assembly
    std::size_t m_last = join; ///< nothing after the first pass that failed counts
    std::array<Pass, passCount + 1> m_passes;
};

/// A file's bytes; nothing: it cannot be read whole.
[[nodiscard]] std::optional<std::string> readPassFile(const std::string &path);

} // namespace warpwright
