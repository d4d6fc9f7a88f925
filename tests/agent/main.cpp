// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestFileReview();
QObject *makeTestFileReviewProperties();
QObject *makeTestPrediction();
QObject *makeTestProposalReview();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestFileReview", makeTestFileReview},
                     {"TestFileReviewProperties", makeTestFileReviewProperties},
                     {"TestPrediction", makeTestPrediction},
                     {"TestProposalReview", makeTestProposalReview}});
}
