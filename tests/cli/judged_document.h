// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cli/cli_world.h"

/// Fails the test where a check's document has another verdict, lacks one of the words or breaks the schema.
void verifyDocument(const CliOutcome &outcome, const QString &verdict, int exitCode,
                    const QStringList &words);

/// A check of a task without a candidate. The judge is built here, once for each state of its sources; no
/// other row waits for that.
void verifyLoneTask(const CliWorld &world);
