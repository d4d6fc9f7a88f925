// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/findings_search.h"

#include "toolchain/findings/stored_input.h"

namespace warpwright {
namespace {

Findings search(const Workspace &workspace, int iteration,
                const std::shared_ptr<const Inspection> &inspection) {
    Result<StoredInput> read = storedInputOf(workspace, iteration);
    if (!read.hasValue()) {
        Findings none;
        none.missing << read.message();
        return none;
    }
    StoredInput stored = std::move(read).value();
    if (inspection && inspection->status == CompileStatus::Passed)
        stored.input.inspection = *inspection;
    Findings findings = findingsOf(stored.input);
    findings.missing = stored.missing + findings.missing;
    return findings;
}

} // namespace

void FindingsSearch::look(const Workspace &workspace, int iteration,
                          std::shared_ptr<const Inspection> inspection) {
    const int number = m_jobs.next();
    inPool(
        this,
        [workspace, iteration, inspection = std::move(inspection)] {
            return search(workspace, iteration, inspection);
        },
        [this, number](const Findings &findings) {
            if (!m_jobs.isStale(number))
                emit found(findings.list, findings.missing.join(QStringLiteral("; ")));
        });
}

} // namespace warpwright
