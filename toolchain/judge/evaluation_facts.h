// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/compile/compile_plan.h"
#include "toolchain/compile/device_choice.h"
#include "toolchain/environment/toolchain_probe.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/workspace/workspace.h"

#include <QString>

namespace warpwright {

/// The parts of a document that are known before anything is run, and what follows from them.

/// A document in which every part is there and says nothing yet. `program`: our own version.
[[nodiscard]] Evaluation emptyEvaluation(const QString &program);

[[nodiscard]] OrderedJson workspaceSection(const Workspace &workspace);

/// Versions of everything that takes part. `program`: our own version.
[[nodiscard]] OrderedJson environmentSection(const Toolchain &toolchain, const QString &program);

/// The hash of all inputs; empty where a text cannot be read (compiling will say so). The same for a copy of
/// the workspace in another folder.
[[nodiscard]] QString inputsHashOf(const Workspace &workspace, const Toolchain &toolchain,
                                   const DeviceChoice &device, const CompilePlan &plan);

/// Baselines are kept per task, device, driver and torch. The file need not exist.
[[nodiscard]] QString baselinesFile(const QString &cache, const Workspace &workspace,
                                    const Toolchain &toolchain, const DeviceChoice &device);

/// The message for a verdict that the judge reached: our opening words, its reason and its advice.
[[nodiscard]] EvaluationMessage verdictMessage(Verdict verdict, const Workspace &workspace,
                                               const QString &reason, const QString &advice);

/// The same of the judge's `reply`, with `verify` as it gave it: where the map of a wrong result shows what
/// went wrong, the advice is about that.
[[nodiscard]] EvaluationMessage judgedMessage(Verdict verdict, const Workspace &workspace, const Json &reply,
                                              const OrderedJson &verify);

/// Puts what the judge knows of the device into its section: its values win, but a null of it hides nothing
/// that we know.
void mergeFacts(OrderedJson &section, const Json &facts);

/// How long it stood in the queue for the device, which is a part of its seconds.
[[nodiscard]] double secondsInQueue(const Evaluation &evaluation);
void addSecondsInQueue(Evaluation &evaluation, double seconds);

} // namespace warpwright
