// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

/// What the agent's pane shows, in the words and numbers that are to be read: it computes none of them.
namespace warpwright {

/// Something that happened in a run: a message in Markdown, or a call of a tool.
struct AgentEvent {
    enum Kind { Message, Tool };
    enum Outcome { Running, Succeeded, Failed, Denied, Cancelled };

    int id = 0; ///< unique in its run
    Kind kind = Message;
    QString author; ///< of a message: "playbook", "you"
    QString time;   ///< "14:31"
    QString text;   ///< of a message, Markdown; of a tool what it did, shown when it is unfolded
    QString icon;   ///< of a tool
    QString name;   ///< of a tool: "compile in the shadow"
    QString result; ///< of a tool: "1.8 s", "3 hunks"; while it runs how far: "12 of 40"
    Outcome outcome = Succeeded;
    QString about = {};    ///< of a tool, what it was called with: "kernels/softmax.cu"
    QString thought = {};  ///< of a message: "thinks…", "thought for 12 s"; empty: nothing is known of it
    QString thinking = {}; ///< what that was, shown when it is unfolded

    /// What one key or click shows and hides.
    [[nodiscard]] const QString &foldedText() const { return kind == Tool ? text : thinking; }
    bool operator==(const AgentEvent &) const = default;
};

struct PlanStep {
    enum State { Ahead, Now, Done, Dropped };
    QString text;
    State state = Ahead;

    bool operator==(const PlanStep &) const = default;
};

/// A number of the proposal's card, or how far its measuring is; never an empty place.
struct ShownFigure {
    /// Failed: it cannot be measured, for a text of this alone is not right.
    enum State { None, Measuring, Known, Noise, Hidden, Unexercised, Failed };
    State state = None;
    QString value;  ///< "−14.4"; while Failed why: "does not compile"; of None another word than «not yet"
    QString spread; ///< "± 0.6 µs"; while Measuring how far: "2 of 5"
    bool isOneRun = false; ///< a difference of two texts that were timed side by side
    bool isSlower = false; ///< it is surely one, and upwards

    bool operator==(const ShownFigure &) const = default;
};

struct ProposalView {
    enum State { UnderReview, Applied, Accepted, Rejected, PartlyAccepted, Stale };
    struct Check {
        enum State { Running, Passed, Failed, NotRun };
        QString words; ///< "verifies 5 of 5"
        State state = NotRun;
        QString page = {}; ///< of Build, where it is explained: "verify"; empty: nowhere

        bool operator==(const Check &) const = default;
    };
    struct Hunk {
        enum Mark { Open, Accepted, Rejected, Edited };
        int id = 0;
        int number = 0;
        QString title;
        ShownFigure alone;
        ShownFigure allBut;
        Mark mark = Open;      ///< what was answered
        QString answer = {};   ///< "rejected: it loses precision", of a past run "rejected by person"
        QString together = {}; ///< "with hunks 3, 4": it is answered with them

        bool operator==(const Hunk &) const = default;
    };

    int number = 0;
    State state = UnderReview;
    QString words; ///< its move and what it is based on
    std::vector<Check> checks;
    /// Checks and numbers are of the proposal as it was made, and the answers leave some of it out.
    bool isAsProposed = false;
    ShownFigure measured;
    ShownFigure predicted;
    ShownFigure wouldBe;
    QString before = {};     ///< "16.8 ms": what they are counted from; empty: nothing was measured
    QString baseRemark = {}; ///< otherBaseText(); empty: predicted and measured have one base
    QString unit = QStringLiteral("µs"); ///< of its times, and of a bet
    double unitMicroseconds = 1;
    double nowMicroseconds = 0; ///< the time that a bet is counted from; 0: there is none
    std::vector<Hunk> hunks;
    std::vector<std::pair<QString, QString>> resources; ///< {"registers/thread", "−8"}
    bool canDecide = true;
    QString whyNot;       ///< for tooltips when it cannot be decided on
    QString restWords;    ///< what «Reject the rest» does: "rejects 3 hunks; 2 accepted ones stay"
    int base = 0;         ///< the iteration it is based on
    QString progress;     ///< "2 of 3 hunks left", "compiling"
    bool waits = false;   ///< for the person
    int stepBase = 0;     ///< Step: applied and measured; what «revert» goes back to. 0: no step waits
    bool canBet = false;  ///< the result is not there yet, and nothing is bet
    bool asksBet = false; ///< the result is hidden, for the person bets first
    QString bet;          ///< what the person has bet: "53.0 ms of 113 ms, 2.13×"; empty: nothing

    bool operator==(const ProposalView &) const = default;
};

/// What was expected of a proposal, and what came.
struct LedgerLine {
    enum Mark { Open, Hit, Undecided, Off, Failed };
    int number = 0;
    QString move;
    QString expected;
    QString measured;
    Mark mark = Open;
    QString who;            ///< whose expectation: "playbook", "you"
    QString promised = {};  ///< as it was said then: "83.2 % of the time, −895 µs of 5.33 ms"
    QString range = {};     ///< what counts as a hit: "0.95–1.17×"
    bool isGranted = false; ///< no range was given
    QString interval = {};  ///< of what was measured: "2.10–2.45"
    QString base = {};      ///< otherBaseText()
    bool isOfAgent = false;
    QString taken = {}; ///< takenText(): what was measured is the whole proposal

    bool operator==(const LedgerLine &) const = default;
};

struct QueuedMessage {
    int id = 0;
    QString text;

    bool operator==(const QueuedMessage &) const = default;
};

/// A question that the agent waits with.
struct ShownPrompt {
    QString id;
    int epoch = 0;
    QString who;
    QString question; ///< as the agent has written it: no Markdown
    QStringList options;
    QString refusal; ///< what it means to say no
    int more = 0;    ///< that wait behind it

    bool operator==(const ShownPrompt &) const = default;
};

struct AgentView {
    std::vector<PlanStep> plan;
    std::optional<ProposalView> proposal;
    std::vector<LedgerLine> ledger;
    QString ledgerRemark; ///< "Δ µs against the last pass"
    std::vector<QueuedMessage> queue;
    QString whyNoMessages; ///< nothing can be said to this agent; empty: it listens
    QString note = {};     ///< what the agent waits for now: "qwen thinks"
    bool hasNotes = false; ///< the note's place is kept while it is empty
    std::optional<ShownPrompt> prompt = {};

    bool operator==(const AgentView &) const = default;
};

} // namespace warpwright
