// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/report_page/report_input.h"
#include "toolchain/workspace/workspace.h"

namespace warpwright {

/// What is stored of a text of this workspace and of the iterations and runs around it, for a report page: of
/// the text on disk (`iteration` 0) or of an earlier one. Not in it: the compiler's listing of the kernels,
/// which takes a compiler; add it to `known`, and then the findings by withFindings(). What is damaged is
/// told in `problems`, and does not keep the rest from being shown. Reads files: not for a window's thread.
/// `run`: the page is of this run alone, with what each proposal changes, and of the text that it came to
/// where `iteration` is 0, as it recorded it where the history has not; an error names the runs that there
/// are.
[[nodiscard]] Result<ReportInput> storedReport(const Workspace &workspace, int iteration,
                                               const QString &run = {});

/// With the findings of all that is known; `missing`: what could not be added, in whole sentences.
[[nodiscard]] ReportInput withFindings(ReportInput input, const QStringList &missing);

/// Makes the page with the colours of `folders.resources`, and writes it to `file`, which is absolute. Its
/// size in bytes. A file that is no page of HTML is not replaced.
[[nodiscard]] Result<qint64> writeReport(const ReportInput &input, const DataFolders &folders,
                                         const QString &file);

} // namespace warpwright
