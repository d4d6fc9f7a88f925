// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"
#include "agent/interface/feedback.h"
#include "agent/interface/proposal.h"
#include "toolchain/base/result.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/history/iteration.h"

#include <QDateTime>
#include <QObject>
#include <QStringList>

#include <optional>
#include <vector>

namespace warpwright {

class Measurer;

/// What an agent is given to make its next proposal from.
struct AgentRequest {
    QString workspace; ///< its folder, to read; it is written to only by accepted proposals
    QString device;    ///< as it was asked for: "cpu", "cuda:0", "auto"
    QString proposal;  ///< the id that the proposal is to carry
    int iteration = 0; ///< the one that `texts` are; 0: none
    CandidateTexts texts;
    std::vector<IterationRecord> history;     ///< by number
    std::optional<Evaluation> lastEvaluation; ///< of `texts`; empty: not measured
    std::vector<Feedback> feedback;           ///< of the proposals since the last request
    QStringList messages;                     ///< what the person wrote since then, in order
};

/// A proposal of a run that goes on, as its record tells of it.
struct AnsweredProposal {
    AgentRequest request; ///< that it was made for; without history, feedback and messages
    QDateTime since;      ///< when the program began that made it
    QString evaluation;   ///< the id of request.lastEvaluation, which may not be read; empty: there was none
    QString title;
    QString resultHash; ///< textHashOf() the text that it was to become
    Feedback feedback;  ///< what became of it; of its hunks number, state and reason
};

/// Whatever makes proposals: a language model that streams, a search, a folder of patches, a recorded run.
///
/// Each propose() ends in exactly one of proposed(), done() and failed(); a cancel() does so soon, with
/// failed() where nothing else came first, and never blocks. It writes nothing into the workspace. Lives in
/// the thread of its session; long work is its own to move elsewhere.
class Agent : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] virtual AgentIdentity identity() const = 0;
    /// Why nobody will know what it costs, so that no limit of cost would ever be reached: a sentence for
    /// people, and what to do. Empty: it says it, it costs nothing, or only its answers will tell.
    [[nodiscard]] virtual QString whyCostUnknown() const { return {}; }
    /// To the thread of its session, with all that it is made of.
    virtual void moveTo(QThread *thread);
    /// What its tools measure with: the run's one queue, where the person goes first. Before the first
    /// propose(); outlives the agent's last.
    virtual void setMeasurer(Measurer &measurer);
    /// What may soon be asked for, while its texts are being measured (its workspace, device and texts are
    /// set): whoever reads long may begin. Nothing is heard of it, and propose() may come with other texts,
    /// or not at all.
    virtual void prepare(const AgentRequest &request);
    /// Of a run that goes on, before the first propose(): each proposal that was answered, in their order. An
    /// error, for people, after «Cannot continue the run: »: the agent cannot come to where it was. Also in
    /// another thread, before it lives in its session's.
    [[nodiscard]] virtual Result<void> wasAnswered(const AnsweredProposal &answered);
    /// Of a run that goes on, before the first propose(): what it gave as remembered(), in order, among the
    /// calls of wasAnswered() as they came. An error as there. Also in another thread.
    [[nodiscard]] virtual Result<void> recall(const Json &memory);
    /// Only when nothing is being proposed.
    virtual void propose(const AgentRequest &request) = 0;
    /// May be called at any time, also when nothing is being proposed.
    virtual void cancel() = 0;
    /// What the person wrote while it works; only in the slots of attends().
    virtual void hear(const QStringList &messages);
    /// The answer to its prompt of that id: one of the options, or empty when the prompt was taken away. A
    /// refusal is of that one call, and no reason to end.
    virtual void answerPrompt(const QString &id, const QString &answer);
    /// Behind failed(): whether another run of it would come no further: its key is refused, its server is
    /// gone, its program is not there.
    [[nodiscard]] virtual bool failsForAll() const { return false; }

signals:
    void proposed(const warpwright::Proposal &proposal);
    /// It has nothing more to propose; `why` is for people.
    void done(const QString &why);
    void failed(const QString &message);

    /// A piece of a message that is being written; the whole follows as message() with the same id.
    void messageDelta(const QString &id, const QString &text);
    void message(const warpwright::AgentMessage &message);
    /// What came of the message of that id, and of its thoughts, is void: it is written anew under this id.
    void messageGivenUp(const QString &id);
    /// A piece of what it thinks before the message of that id; the whole is in message().
    void thoughtDelta(const QString &id, const QString &text);
    /// What it waits for, or how far that is; empty: it works again. Shown, and not recorded.
    void noted(const QString &text);
    void planChanged(const std::vector<warpwright::PlanItem> &items);
    void toolBegan(const warpwright::ToolCall &call);
    void toolEnded(const warpwright::ToolCall &call);
    /// How far the call of that id is: «block 12», 12 of 40; count 0: not known.
    void toolProgressed(const QString &id, const QString &text, int index, int count);
    void used(const warpwright::AgentUsage &usage);
    /// It goes into another turn, and would read what the person wrote meanwhile: hear().
    void attends();
    /// What it needs to go on with the run in another program, beside texts and answers: recall() gets it.
    void remembered(const warpwright::Json &memory);
    /// It waits for answerPrompt(); nobody answers for the person, however long it takes.
    void prompted(const warpwright::AgentPrompt &prompt);
};

} // namespace warpwright
