// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/findings_controller.h"

#include "toolchain/findings/stored_input.h"

namespace warpwright {

void FindingsController::find(const Workspace &workspace, int iteration,
                              std::shared_ptr<const Inspection> inspection) {
    m_isFinding = true;
    inPool(
        this,
        [workspace, iteration, inspection = std::move(inspection)] {
            Result<StoredInput> stored = storedInputOf(workspace, iteration);
            if (!stored.hasValue())
                return Result<Findings>::error(stored.message());
            StoredInput of = std::move(stored).value();
            if (inspection)
                of.input.inspection = *inspection;
            Findings findings = findingsOf(of.input);
            return Result<Findings>::ok(std::move(findings));
        },
        [this, number = m_jobs.next()](const Result<Findings> &answer) {
            if (m_jobs.isStale(number))
                return;
            m_isFinding = false;
            if (answer.hasValue())
                emit found(answer.value());
            else
                emit failed(answer.message());
        });
}

} // namespace warpwright
