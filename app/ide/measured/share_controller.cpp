// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/share_controller.h"

#include "agent/report/stored_report.h"
#include "toolchain/process/in_pool.h"

namespace warpwright {
namespace {

Result<qint64> reportOf(const ShareController::Asked &asked) {
    Result<ReportInput> stored = storedReport(asked.workspace, asked.iteration, asked.run);
    if (!stored.hasValue())
        return Result<qint64>::error(stored.message());
    ReportInput input = std::move(stored).value();
    QStringList missing;
    if (asked.inspection)
        input.known.inspection = *asked.inspection;
    else if (!asked.run.isEmpty())
        missing << QStringLiteral("no listing of the kernels: the text of a past run is not compiled again");
    else
        missing << QStringLiteral("no listing of the kernels: it is read when the page Assembly is open, and "
                                  "the text as it was checked");
    input = withFindings(std::move(input), missing);
    input.program = asked.program;
    input.madeAt = QDateTime::currentDateTimeUtc();
    return writeReport(input, asked.folders, asked.file);
}

} // namespace

void ShareController::write(const Asked &asked) {
    Q_ASSERT(!m_isWriting);
    m_isWriting = true;
    emit writingChanged();
    inPool(
        this, [asked] { return reportOf(asked); },
        [this, file = asked.file](const Result<qint64> &answer) {
            m_isWriting = false;
            emit writingChanged();
            if (answer.hasValue())
                emit written(file);
            else
                emit failed(answer.message());
        });
}

} // namespace warpwright
