// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/findings/kernel_evidence.h"

/// The detectors: each reads what it needs and is silent where that is missing or thin. A threshold stands
/// beside its reason in the source. What several of them would tell of one cause is told by the first of
/// `causes` in findings.cpp.
namespace warpwright {

/// "spill": registers that did not suffice; "local-array": an array indexed at run time.
[[nodiscard]] std::vector<Finding> localMemoryFindings(const FindingContext &context);
/// "narrow-access": neighbouring loads that one wider load would do.
[[nodiscard]] std::vector<Finding> narrowAccessFindings(const FindingContext &context);
/// "uncoalesced": more sectors of 32 bytes than the data fill.
[[nodiscard]] std::vector<Finding> uncoalescedFindings(const FindingContext &context);
/// "bank-conflict"
[[nodiscard]] std::vector<Finding> bankConflictFindings(const FindingContext &context);
/// "low-occupancy", "register-limited", and the note "low-occupancy-harmless".
[[nodiscard]] std::vector<Finding> occupancyFindings(const FindingContext &context);
/// "few-bytes-in-flight"
[[nodiscard]] std::vector<Finding> bytesInFlightFindings(const FindingContext &context);
/// "tail-wave", and "small-grid": fewer blocks than SMs.
[[nodiscard]] std::vector<Finding> waveFindings(const FindingContext &context);
/// "launch-bound": of the whole call; by clock or timeline, else by counters of many brief launches.
[[nodiscard]] std::vector<Finding> launchFindings(const FindingContext &context);
/// "redundant-passes": of the whole call.
[[nodiscard]] std::vector<Finding> redundantPassFindings(const FindingContext &context);
/// "fp64"
[[nodiscard]] std::vector<Finding> fp64Findings(const FindingContext &context);
/// "integer-division", "wide-index"
[[nodiscard]] std::vector<Finding> indexFindings(const FindingContext &context);
/// "older-matrix-instruction", "tf32"
[[nodiscard]] std::vector<Finding> matrixFindings(const FindingContext &context);
/// "no-matrix-unit": by the check's task and its precision, or by the reference's words and the code.
[[nodiscard]] std::vector<Finding> scalarProductFindings(const FindingContext &context);
/// "contended-atomics"
[[nodiscard]] std::vector<Finding> atomicFindings(const FindingContext &context);
/// "barrier-wait", and "idle-warps": most warps of a block only wait for the others.
[[nodiscard]] std::vector<Finding> barrierFindings(const FindingContext &context);
/// "host-sync": the launcher waits or allocates; of the whole call.
[[nodiscard]] std::vector<Finding> hostSyncFindings(const FindingContext &context);
/// "l2-resident": a note of the whole call.
[[nodiscard]] std::vector<Finding> residentFindings(const FindingContext &context);
/// "near-roof": a note of the whole call that it is near the measured speed of light.
[[nodiscard]] std::vector<Finding> nearRoofFindings(const FindingContext &context);
/// "divergent-branch"
[[nodiscard]] std::vector<Finding> divergenceFindings(const FindingContext &context);

/// Of the checked device; nothing: it does not say.
[[nodiscard]] std::optional<double> lastLevelCacheBytes(const FindingContext &context);
/// Of the global loads' and stores' sectors those that the data do not need, 0 … 1; nothing: not counted.
[[nodiscard]] std::optional<double> excessSectorShare(const KernelEvidence &kernel);
/// Of its peak in all of the kernel's cycles, 0 … 1, what the busiest of DRAM, L2, L1 and the SMs
/// reached; 0: not counted.
[[nodiscard]] double busiestUnit(const KernelEvidence &kernel);
/// Bytes that must be in flight on one SM to keep memory busy, and those that are asked for.
struct BytesInFlight {
    double needed = 0;
    double asked = 0;
    double perThread = 0;
    double warps = 0; ///< resident on average
};
[[nodiscard]] std::optional<BytesInFlight> bytesInFlightOf(const KernelEvidence &kernel);

} // namespace warpwright
