// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/trajectory_writer.h"
#include "agent/review/text_change.h"

#include <QString>

#include <optional>

/// Writes runs for tests, as a session would: proposals, decisions, applied texts, iterations, evaluations.
class RecordedRun {
public:
    explicit RecordedRun(const QString &stateFolder);

    void append(const char *kind, const warpwright::Json &body);
    /// run-began with all of the text in it. `start`: the iteration that this text is already; 0: it does not
    /// say.
    void begin(const warpwright::CandidateTexts &texts, int start = 0);
    /// A proposal that is accepted whole: proposal, decision, applied, iteration, evaluation. Gives the
    /// iteration's number. `speedUp`: over eager.
    int accept(const warpwright::CandidateTexts &proposed, double speedUp, const QString &title = {});
    /// The evaluation of an iteration with the text that is there. `speedUp`: over eager.
    void measure(int iteration, double speedUp);
    void editByHand(const warpwright::CandidateTexts &texts);
    /// The text of an earlier iteration again.
    void restore(int iteration, const warpwright::CandidateTexts &texts);

    [[nodiscard]] const warpwright::CandidateTexts &texts() const { return m_texts; }
    [[nodiscard]] warpwright::TrajectoryWriter &writer() { return *m_writer; }
    void end() { m_writer.reset(); }
    [[nodiscard]] QString folder() const { return m_folder; }

private:
    void change(const char *kind, const warpwright::CandidateTexts &texts, warpwright::Json body);

    std::optional<warpwright::TrajectoryWriter> m_writer;
    QString m_folder;
    warpwright::CandidateTexts m_texts;
    int m_iteration = 0;
    int m_parent = 0;
    int m_proposals = 0;
};

/// A small workspace's text whose kernel says `words`.
[[nodiscard]] warpwright::CandidateTexts textSaying(const QByteArray &words);
/// Two runs: three iterations in the first, one in the second.
void writeTwoRuns(const QString &stateFolder);
