// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/passes/pass_plan.h"
#include "toolchain/passes/pass_process.h"

#include <array>
#include <optional>
#include <string>

namespace warpwright {

/// Runs nvcc's passes side by side as far as their files let them, and says what nvcc would have said.
///
/// Two of nvcc's orders are none of the files': cicc needs of cudafe++ only the module id, which is guessed
/// and compared; the host compiler needs of ptxas only the bytes that its assembler puts into the object.
/// Once the guess was wrong cicc runs again. The object is nvcc's own to the byte.
class PassRun {
public:
    /// `moduleId`: what cudafe++ wrote the last time; empty: cicc waits for it.
    PassRun(PassPlan plan, std::string moduleId);

    /// What nvcc would have ended with; nothing: it is to be asked itself, for something went another way
    /// than its passes usually go.
    [[nodiscard]] std::optional<int> run();
    [[nodiscard]] bool guessedWrong() const { return m_guessedWrong; }

private:
    static constexpr std::size_t join = passCount; ///< of assembly and device code: ours, after nvcc's
    enum class State { Waiting, Running, Done };
    struct Pass {
        PassWords words;
        State state = State::Waiting;
        PassProcess process;
    };

    [[nodiscard]] std::optional<int> runAll();
    [[nodiscard]] bool prepare();
    [[nodiscard]] bool isDone(std::size_t pass) const { return m_passes[pass].state == State::Done; }
    [[nodiscard]] bool mayStart(std::size_t pass) const;
    [[nodiscard]] bool startAll();
    [[nodiscard]] bool ended(std::size_t pass);
    [[nodiscard]] bool confirmModuleId();
    [[nodiscard]] bool checkEmbedded();
    void again(std::size_t pass);
    [[nodiscard]] int say() const;

    PassPlan m_plan;
    std::string m_guess;
    std::string m_assembly;
    std::string m_embedded; ///< where fatbinary writes meanwhile
    bool m_guesses = false;
    bool m_guessedWrong = false;
    bool m_assemblesLast = false;
    std::size_t m_last = join; ///< nothing after the first pass that failed counts
    std::array<Pass, passCount + 1> m_passes;
};

} // namespace warpwright
