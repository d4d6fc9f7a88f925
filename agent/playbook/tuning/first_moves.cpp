// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/tuning/first_moves.h"

namespace warpwright {
namespace {

/// The first text, as moves are added to it.
class CombinedMoves {
public:
    CombinedMoves(const Program &program, const PlaybookMove &plain, const PromisingMoves &promising)
        : m_program(program), m_move(plain), m_promising(promising) {}

    void addMoves(bool keepsPrecision) {
        const auto next = [&]() -> std::optional<PlaybookMove> {
            for (const PlaybookMove &move : m_promising(m_program, m_move.knobSets, false))
                if (!(keepsPrecision && move.changesPrecision))
                    return move;
            return std::nullopt;
        };
        while (const std::optional<PlaybookMove> move = next())
            add(*move);
    }

    /// Whether there was one.
    bool addPlan() {
        const std::vector<PlaybookMove> moves = m_promising(m_program, m_move.knobSets, true);
        if (moves.empty())
            return false;
        m_program = *moves.front().program;
        m_move.program = m_program;
        m_changes << moves.front().title;
        add(moves.front());
        return true;
    }

    [[nodiscard]] bool isEmpty() const { return m_titles.isEmpty(); }
    [[nodiscard]] const QStringList &changes() const { return m_changes; }
    [[nodiscard]] PlaybookMove move() const {
        PlaybookMove all = m_move;
        all.reason += QStringLiteral(" With it, at once:\n- ") + m_titles.join(QStringLiteral("\n- "));
        return all;
    }

private:
    void add(const PlaybookMove &move) {
        m_move.knobSets = move.knobSets;
        m_titles << move.title;
    }

    Program m_program;
    PlaybookMove m_move;
    const PromisingMoves &m_promising;
    QStringList m_titles;
    QStringList m_changes;
};

} // namespace

bool isSurelySlower(const PlaybookMove &move) {
    constexpr double surely = 1.25;
    return move.prediction.timeRatio.value_or(0) > surely;
}

FirstMoves firstMovesFrom(const Program &program, const PlaybookMove &plain,
                          const PromisingMoves &promising) {
    FirstMoves first;
    CombinedMoves usual(program, plain, promising);
    usual.addMoves(false);
    // A program's expected gain depends on its kernels: tensor cores need NHWC.
    CombinedMoves other = usual;
    while (other.addPlan())
        other.addMoves(false);
    first.changes = other.changes();
    if (!first.changes.isEmpty()) {
        first.texts.push_back(other.move());
        first.usual = usual.move();
        first.usual->program = program;
    }
    CombinedMoves exact(program, plain, promising);
    exact.addMoves(true);
    for (const CombinedMoves &some : {usual, exact})
        if (!some.isEmpty() && (first.texts.empty() || first.texts.back().program ||
                                first.texts.back().knobSets != some.move().knobSets))
            first.texts.push_back(some.move());
    first.texts.push_back(plain);
    first.texts.back().reason +=
        QStringLiteral(" This first text is plain; what makes it fast comes in moves of its own.");
    return first;
}

} // namespace warpwright
