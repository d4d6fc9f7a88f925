// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/trajectory_reader.h"
#include "agent/review/text_change.h"

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace warpwright {

/// An event that was carried out again.
struct ReplayedEvent {
    TrajectoryEvent event;
    bool changesText = false; ///< the text after it is another than before
    QString problem;          ///< where it does not fit what is recorded; empty: it fits

    bool operator==(const ReplayedEvent &) const = default;
};

/// Carries out a trajectory again, on a text in memory: at each event the text is, byte for byte, what lay on
/// the disk then, or the replay says where it is not.
///
/// A value; a copy goes its own way. Nothing is measured or written. Going back is cheap. What does not fit
/// is never placed by likeness: the text stays as it was until a recorded hash can be met again, which
/// problems() tells.
class TrajectoryReplay {
public:
    /// The text of an iteration in the workspace's history. Asked only where the trajectory alone does not
    /// tell.
    using History = std::function<Result<CandidateTexts>(int iteration)>;

    /// Before its first event. An error: the file cannot be read or begins with no event.
    [[nodiscard]] static Result<TrajectoryReplay> open(const QString &file, History history = {});

    /// The next event, carried out; none: that was the last.
    [[nodiscard]] Result<std::optional<ReplayedEvent>> next();
    /// Right after event `number`; 0: before the first. Beyond the last one is an error.
    [[nodiscard]] Result<void> seek(qint64 number);
    /// Right after the event that tells of this iteration.
    [[nodiscard]] Result<void> seekIteration(int iteration);
    /// Its text, also where it never lay in the workspace (a proposal that was kept as a branch). Moves
    /// nothing, but knows only iterations that next() or a seek has passed.
    [[nodiscard]] Result<CandidateTexts> iterationTexts(int iteration) const;

    /// The same of any text that it has passed, by its hash.
    [[nodiscard]] Result<CandidateTexts> textsOf(const QString &hash) const {
        return textWithHash(m_now, hash);
    }

    [[nodiscard]] qint64 number() const { return m_now.number; } ///< of the event carried out last
    [[nodiscard]] const CandidateTexts &texts() const { return m_now.texts; }
    [[nodiscard]] const QString &textHash() const { return m_now.hash; }

    struct Problem {
        qint64 number = 0; ///< of the event
        QString message;   ///< a sentence
        bool operator==(const Problem &) const = default;
    };
    /// Of all events that were ever carried out here, by number.
    [[nodiscard]] std::vector<Problem> problems() const;
    [[nodiscard]] const QString &file() const { return m_reader.file(); }

private:
    struct State {
        qint64 number = 0;
        qint64 offset = 0; ///< where the next event is looked for
        CandidateTexts texts;
        QString hash;
        bool isLost = false; ///< the text is not the recorded one, and that was told
    };

    TrajectoryReplay(QString file, History history);
    [[nodiscard]] Result<std::optional<ReplayedEvent>> advance(State &state);
    [[nodiscard]] QString carryOut(State &state, const TrajectoryEvent &event);
    [[nodiscard]] QString changeText(State &state, const TrajectoryEvent &event);
    [[nodiscard]] QString beginText(State &state, const TrajectoryEvent &event);
    [[nodiscard]] QString meetIteration(State &state, const TrajectoryEvent &event);
    void learnProposal(const TrajectoryEvent &event);
    [[nodiscard]] Result<CandidateTexts> historyText(qint64 iteration, const QString &hash) const;
    /// `before`: of proposals, only those whose line begins before this byte.
    [[nodiscard]] Result<CandidateTexts>
    textWithHash(const State &now, const QString &hash,
                 qint64 before = std::numeric_limits<qint64>::max()) const;
    [[nodiscard]] bool knowsHash(const State &now, const QString &hash) const;

    struct Proposed {
        qint64 offset = 0;
        QString baseHash;
    };

    TrajectoryReader m_reader;
    History m_history;
    State m_now;
    std::vector<TrajectoryEvent> m_ahead; ///< read, not yet carried out, last one first
    std::map<qint64, State> m_landmarks;  ///< to go back to
    std::map<QString, qint64> m_byHash;   ///< after which event the text was this one
    std::map<QString, Proposed> m_proposed;
    std::map<int, std::pair<qint64, QString>> m_iterations; ///< event and hash
    std::map<qint64, QString> m_problems;
};

} // namespace warpwright
