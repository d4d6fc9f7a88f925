// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "toolchain/check/evaluation_run.h"

#include <QMetaType>
#include <QString>

/// What goes in and out of a tool, for the toolbox and for the tools that it runs.
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

} // namespace warpwright

Q_DECLARE_METATYPE(warpwright::ToolAnswer)
Q_DECLARE_METATYPE(warpwright::ToolSubmission)
