// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpwright {

using PassWords = std::vector<std::string>;

/// nvcc's passes over one file for one architecture, in the order in which nvcc runs them.
enum PassName { HostText, HostFront, DeviceText, DeviceCode, Assemble, Pack, HostCode, passCount };

/// What nvcc would run, and the files by which its passes depend on each other; as nvcc names them.
struct PassPlan {
    std::vector<std::pair<std::string, std::string>> variables; ///< that nvcc sets for all of them
    std::array<PassWords, passCount> commands;
    std::string moduleId;         ///< cudafe++ writes it, cicc reads it
    std::string hostText;         ///< cudafe++'s, which the host compiler compiles
    std::string stub;             ///< cicc's, which hostText includes
    std::string fatbin;           ///< fatbinary's
    std::string embedded;         ///< the same as C, which the stub includes
    std::string object;           ///< the end of it all
    bool canAssembleLast = false; ///< the host compiler's flags change nothing between its assembly and its
                                  ///< object, so that the two may be made one after the other
};

/// Reads what `nvcc … -keep --dryrun` says on stderr. Nothing, and why, where it says anything but what
/// CUDA 13.0 says of one file and one architecture: nvcc is then left to itself.
[[nodiscard]] std::optional<PassPlan> readDryRun(const std::string &text, std::string &why);

/// The value after `name`, where the words have it exactly once.
[[nodiscard]] std::optional<std::string> valueAfter(const PassWords &words, const std::string &name);

/// The words of the host compiler that make assembly, and of its assembler that make the object of it.
[[nodiscard]] PassWords assemblyWords(const PassPlan &plan, const std::string &assembly);
[[nodiscard]] PassWords objectWords(const PassPlan &plan, const std::string &assembly);

} // namespace warpwright
