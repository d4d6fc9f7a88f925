// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/endpoint.h"

#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

/// All that was heard of one ask().
struct Asked {
    QString text;
    QString givenUp; ///< texts of tries that were followed by another
    QString thinking;
    QStringList calls; ///< names, each once a piece
    int pieces = 0;
    std::vector<int> waits;
    QStringList reasons; ///< of the waits
    std::optional<warpwright::ChatReply> reply;
    std::optional<warpwright::EndpointProblem> problem;
    int ends = 0; ///< answered() and failed() together
    double seconds = 0;
    bool endedBeforeReturn = false;

    /// For a failed test's message.
    [[nodiscard]] QByteArray words() const;
    [[nodiscard]] warpwright::EndpointProblem::Kind kind() const;
};

/// Short enough for a test: tries without pauses, and silence of half a second.
[[nodiscard]] warpwright::EndpointPatience shortPatience();
/// A system's text, a question, and the tool report_sum.
[[nodiscard]] warpwright::ChatRequest smallRequest();

/// Asks and turns the loop until an end has come. `onPiece` is called at each piece.
[[nodiscard]] Asked askThrough(warpwright::Endpoint &endpoint, const warpwright::ChatRequest &request,
                               const std::function<void()> &onPiece = {});
[[nodiscard]] Asked ask(const warpwright::ModelProfile &profile,
                        const warpwright::ChatRequest &request = smallRequest(), const QString &key = {},
                        const warpwright::EndpointPatience &patience = shortPatience());

[[nodiscard]] const std::vector<warpwright::Dialect> &allDialects();
