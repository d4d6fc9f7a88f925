// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/verdict_look.h"

#include <QCoreApplication>

namespace warpwright {
namespace {

QString words(const char *text) {
    return QCoreApplication::translate("VerdictLook", text);
}

} // namespace

VerdictLook lookOf(Verdict verdict) {
    switch (verdict) {
    case Verdict::Pass:
        return {words("Pass"), "pass", "verdict.pass", "verdictBg.pass"};
    case Verdict::Wrong:
        return {words("Wrong"), "wrong", "verdict.wrong", "verdictBg.wrong"};
    case Verdict::RunFailed:
        return {words("Run failed"), "wrong", "verdict.wrong", "verdictBg.wrong"};
    case Verdict::Rejected:
        return {words("Rejected"), "rejected", "verdict.rejected", "verdictBg.rejected"};
    case Verdict::Impossible:
        return {words("Impossible"), "impossible", "verdict.rejected", "verdictBg.rejected"};
    case Verdict::BuildFailed:
        return {words("Build failed"), "build-failed", "verdict.buildFailed", "verdictBg.buildFailed"};
    case Verdict::TaskFailed:
        return {words("Task failed"), "build-failed", "verdict.buildFailed", "verdictBg.buildFailed"};
    case Verdict::Usage:
        return {words("Not a workspace"), "build-failed", "verdict.buildFailed", "verdictBg.buildFailed"};
    case Verdict::Environment:
        return {words("Environment error"), "build-failed", "verdict.buildFailed", "verdictBg.buildFailed"};
    case Verdict::Inconclusive:
        return {words("Inconclusive"), "inconclusive", "verdict.inconclusive", "verdictBg.inconclusive"};
    case Verdict::NotRun:
        return {words("Not run"), "not-run", "verdict.notRun", "verdictBg.notRun"};
    case Verdict::Unverifiable:
        return {words("Unverifiable"), "not-run", "verdict.notRun", "verdictBg.notRun"};
    case Verdict::Cancelled:
        return {words("Cancelled"), "cancelled", "verdict.notRun", "verdictBg.notRun"};
    }
    return {words("Not run"), "not-run", "verdict.notRun", "verdictBg.notRun"};
}

VerdictLook lookOf(Verdict verdict, const std::optional<Unexercised> &unexercised) {
    VerdictLook look = lookOf(verdict);
    if (unexercised && verdict == Verdict::Pass) {
        look = lookOf(Verdict::NotRun);
        look.word = words("Not exercised");
    }
    return look;
}

VerdictLook staleLook() {
    return {words("Stale"), "stale", "verdict.stale", "verdictBg.stale"};
}

VerdictLook recordingLook() {
    return {words("Recording"), "replay", "text.secondary", "verdictBg.notRun"};
}

VerdictLook notCheckedLook() {
    return {words("Not checked"), "pending", "verdict.notRun", "verdictBg.notRun"};
}

VerdictLook lookOf(StageStatus status) {
    switch (status) {
    case StageStatus::Passed:
        return lookOf(Verdict::Pass);
    case StageStatus::Failed:
        return lookOf(Verdict::Wrong);
    case StageStatus::Undecided:
        return lookOf(Verdict::Inconclusive);
    case StageStatus::NotRun:
        return lookOf(Verdict::NotRun);
    case StageStatus::Cancelled:
        return lookOf(Verdict::Cancelled);
    }
    return lookOf(Verdict::NotRun);
}

} // namespace warpwright
