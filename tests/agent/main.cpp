// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestAutoPolicy();
QObject *makeTestFileReview();
QObject *makeTestFileReviewProperties();
QObject *makeTestPrediction();
QObject *makeTestProposalReview();
QObject *makeTestScriptAgent();
QObject *makeTestSession();
QObject *makeTestSessionStop();
QObject *makeTestUnifiedPatch();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestAutoPolicy", makeTestAutoPolicy},
                     {"TestFileReview", makeTestFileReview},
                     {"TestFileReviewProperties", makeTestFileReviewProperties},
                     {"TestPrediction", makeTestPrediction},
                     {"TestProposalReview", makeTestProposalReview},
                     {"TestScriptAgent", makeTestScriptAgent},
                     {"TestSession", makeTestSession},
                     {"TestSessionStop", makeTestSessionStop},
                     {"TestUnifiedPatch", makeTestUnifiedPatch}});
}
