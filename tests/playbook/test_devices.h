// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

// The devices that tests plan for.

/// The row of an H200; always the same object.
[[nodiscard]] warpwright::SharedDevice h200();
/// An H200 of compute capability 8.0: neither clusters nor wgmma. Always the same object.
[[nodiscard]] warpwright::SharedDevice withoutClusters();

/// The program for an H200.
[[nodiscard]] warpwright::Program programOf(const warpwright::ReferenceGraph &graph,
                                            const warpwright::ProgramChoices &choices = {});
