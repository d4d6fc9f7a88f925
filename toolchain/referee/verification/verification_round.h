// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/value_tree.h"
#include "referee/comparison/comparison.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/process/worker_process.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace warpwright {

/// One set of inputs and what everybody made of it. Tensors lie in the workers' arenas until they are
/// released.
struct VerificationRound {
    int number = 0;
    uint64_t seed = 0;
    bool hasOwnWeights = false; ///< false: the parameters that the constructor made
    bool isNearLast = false;    ///< its inputs are those of the round before but for a few numbers
    int fill = -1;              ///< the byte that the candidate's new memory was filled with
    Json inputs;
    std::vector<ValueLeaf> candidate;
    std::vector<ValueLeaf> reference; ///< without TF32
    std::vector<ValueLeaf> workdir;   ///< as PyTorch comes
    std::vector<ValueLeaf> oracle;
    bool hasOracle = true;
    std::function<FlatValues(size_t)> exact; ///< the oracle's results where they are computed in pieces
    std::function<void()> forgetExact;       ///< then: their memory goes; the next ones are of what is there
    std::map<std::string, std::vector<std::vector<ErrorSize>>> yardsticks; ///< by class, yardstick, output
    std::string precision;                                                 ///< lowest of the outputs
    Json outputs = Json::array();                                          ///< for the answer
    Json failureMap; ///< for the answer: where the results are wrong; null: they are not

    /// Of one result; `owner` is whose memory the oracle's lie in.
    [[nodiscard]] FlatValues oracleValues(size_t output, const WorkerProcess &owner) const {
        if (exact)
            return exact(output);
        return tensorAt(oracle[output].node, owner.arena());
    }
};

} // namespace warpwright
