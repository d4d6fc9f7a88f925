// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "agent/session/measurer.h"
#include "toolchain/check/evaluation_run.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace warpwright {

/// A tool as it is offered to whoever calls it: a model, another agent, a client of ours.
struct ToolSpec {
    QString name;        ///< [a-z_]{1,64}
    QString title;       ///< for people: «Verify»
    QString description; ///< for models: what it does, what comes back, where more is
    Json parameters;     ///< JSON Schema, "type": "object"
    bool isReadOnly = true;
    bool isDestructive = false;
    bool isIdempotent = true;

    bool operator==(const ToolSpec &) const = default;
};

/// What came of one call.
struct ToolAnswer {
    enum class Outcome { Ok, Failed, Denied, Cancelled };
    Outcome outcome = Outcome::Ok;
    QString text;             ///< short; says where more is
    Json structured = Json(); ///< the same for programs; null: there is none

    bool operator==(const ToolAnswer &) const = default;
};
[[nodiscard]] QString toolOutcomeName(ToolAnswer::Outcome outcome); ///< "ok", "failed", "denied", "cancelled"

/// What a caller wants to be proposed, as `submit` was called.
struct ToolSubmission {
    QString title;
    QString reason;
    Prediction prediction;
    CandidateTexts texts; ///< of the work folder, whole

    bool operator==(const ToolSubmission &) const = default;
};

/// Where tools act, and with what they measure.
struct ToolPlace {
    Workspace workspace;       ///< the person's: read, never written to
    QString folder;            ///< the caller's own copy of it, see WorkFolder; what tools write is here
    EvaluationRequest request; ///< all but its path
};

/// The tools of a loop, for models and clients alike: files and a shell in a work folder, behind the wall;
/// compilers, the judge and the clock on its text.
///
/// Each call() ends in exactly one ended(), never before it has returned; after cancel() with the outcome
/// `cancelled`, soon. Several calls are carried out one after the other, in their order. Wrong arguments, an
/// unknown tool and what is not allowed are answers like any other: they say what is right. Lives in the
/// application's thread, which it never blocks; destroying it kills what runs, and may be done by who hears
/// of an end.
class Toolbox : public QObject {
    Q_OBJECT
public:
    /// `measurer`: outlives it, in its thread.
    Toolbox(ToolPlace place, Measurer &measurer, QObject *parent = nullptr);
    ~Toolbox() override;

    /// In an order that never changes.
    [[nodiscard]] static const std::vector<ToolSpec> &specs();

    /// What is known of the run now: the iteration, its texts and evaluation, the history.
    void setRequest(const AgentRequest &request);
    /// Lays the work folder out anew with these texts; what was read counts as not read. Blocks for the
    /// writing of a few small files.
    [[nodiscard]] Result<void> setTexts(const CandidateTexts &texts);
    /// As the work folder holds them now.
    [[nodiscard]] Result<CandidateTexts> texts() const;

    /// For a caller with a small window: answers are at most so long, in bytes of UTF-8. Never over 16 KiB.
    void setMostAnswerBytes(qsizetype bytes);

    void call(const QString &id, const QString &name, const Json &arguments);
    /// All that run or wait.
    void cancel();
    /// The answer to submitted(): what becomes of it, in words for the caller.
    void answerSubmission(const QString &id, const ToolAnswer &answer);

signals:
    /// Of a call that takes long: «profile: block 12», 12 of 40; count 0: not known.
    void progress(const QString &id, const QString &text, int index, int count);
    /// `submit` was called, and its texts differ from the request's: waits for answerSubmission().
    void submitted(const QString &id, const warpwright::ToolSubmission &submission);
    /// `todo` was called.
    void planChanged(const std::vector<warpwright::PlanItem> &items);
    void ended(const QString &id, const warpwright::ToolAnswer &answer);

private:
    class Inside;
    std::unique_ptr<Inside> m_inside;
};

} // namespace warpwright

Q_DECLARE_METATYPE(warpwright::ToolAnswer)
Q_DECLARE_METATYPE(warpwright::ToolSubmission)
