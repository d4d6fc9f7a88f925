// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/measurer.h"
#include "agent/tools/tool_values.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace warpwright {

/// The tools of a loop, for models and clients alike: files and a shell in a work folder, in the sandbox;
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
