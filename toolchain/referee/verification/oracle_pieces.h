// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/comparison/flat_values.h"
#include "referee/task/task_session.h"
#include "referee/verification/verification_round.h"

namespace warpwright {

/// The fp64 oracle of results that have no room as a whole: some rows of the inputs at a time, computed when
/// they are asked for, and again when they are asked for again.
///
/// That a row of the results comes from its own rows of the inputs alone is tried on the reference: its
/// results for the first and for the last rows have to be what they are among all the others.
class OraclePieces {
public:
    OraclePieces(TaskSession &session, WorkerProcess &oracle);

    /// Once a session, on a round that has the reference's results.
    [[nodiscard]] bool areRowsTheirOwn(const VerificationRound &round);

    /// Begins with a round: its first rows are computed. Throws WorkerFault where the reference does not run
    /// in fp64.
    void begin(const VerificationRound &round);
    /// Gives the memory back until results are asked for again. The round's inputs may be others then.
    void forget();
    /// All of one result; this, and the round's inputs, stay as they are meanwhile.
    [[nodiscard]] FlatValues values(size_t output);

private:
    struct Rows {
        int64_t first;
        int64_t count;
    };
    struct Wanted {
        int64_t count;
        at::ScalarType type;
    };

    [[nodiscard]] Rows rowsOf(int64_t piece) const;
    [[nodiscard]] Json cut(const Json &inputs, Rows rows, RowCut how) const;
    [[nodiscard]] bool isSame(const VerificationRound &round, Rows rows, RowCut how);
    void compute(int64_t piece);
    [[nodiscard]] at::Tensor part(size_t output, int64_t begin, int64_t end);

    TaskSession &m_session;
    WorkerProcess &m_oracle;
    int64_t m_rows;     ///< of all
    int64_t m_rowsEach; ///< of a piece, the last one has fewer
    Json m_inputs;
    std::vector<Wanted> m_wanted; ///< as the reference's results of the round are
    int64_t m_piece = -1;         ///< that m_results are of
    std::vector<ValueLeaf> m_results;
};

} // namespace warpwright
