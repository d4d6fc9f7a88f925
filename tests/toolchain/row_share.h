// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

/// Rows that go the same long way with other words take turns: one of `shares` is tried for a commit, another
/// for another commit, and the first of a test always. All are where WARPWRIGHT_TESTS=whole, where a row is
/// named on the command line, where there is no repository to ask, and where `file`, the test's own, is not
/// committed yet or was changed, or brought by a merge, within half an hour before the newest commit.
///
/// Counts the rows of the test that runs: ask once a row.
[[nodiscard]] bool isRowOfCommit(const char *file, int shares);
/// The same for a list within one row.
[[nodiscard]] bool isRowOfCommit(const char *file, int shares, qsizetype row);

/// At the beginning of a test with rows. What is left out is counted as skipped.
#define TAKE_TURNS(shares)                                                   \
    do {                                                                     \
        if (!isRowOfCommit(__FILE__, shares))                                \
            QSKIP("Another commit's row; WARPWRIGHT_TESTS=whole takes all"); \
    } while (false)
