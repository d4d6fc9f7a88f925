// SPDX-License-Identifier: GPL-3.0-or-later
// Finds documents that nobody reads to the end any more, and entries of the notebook that are cited and are
// not there.
#pragma once

#include "tests/guards/guard_file.h"

namespace warpwright {

/// Markdown, but for the notebook, whose days are as long as they were.
bool isDocument(const QString &path);
/// One line a complaint: "docs/a.md: 301 lines, more than 300", "docs/a.md:7: 161 characters, more than 160".
QStringList documentComplaints(const QVector<GuardFile> &documents);

/// What cites the notebook: sources and documents, or is of it.
bool citesNotebook(const QString &path);
/// "agent/a.cpp:3: docs/notebook/DAY.md has no entry #anchor". Of `files`, those of the notebook say which
/// entries there are, and all are read for what they cite; a source has to name an entry, not a day alone.
QStringList notebookComplaints(const QVector<GuardFile> &files);

} // namespace warpwright
