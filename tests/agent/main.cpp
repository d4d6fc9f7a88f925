// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestAutoPolicy();
QObject *makeTestFileReview();
QObject *makeTestFileReviewProperties();
QObject *makeTestHunkAnswers();
QObject *makeTestHunkGroups();
QObject *makeTestHunkTitle();
QObject *makeTestPredictionOutcome();
QObject *makeTestTimeRatio();
QObject *makeTestLessonStory();
QObject *makeTestLessons();
QObject *makeTestPrediction();
QObject *makeTestProposalReview();
QObject *makeTestRecordings();
QObject *makeTestReplay();
QObject *makeTestRunGoesOn();
QObject *makeTestRunIndex();
QObject *makeTestPastReview();
QObject *makeTestRunScene();
QObject *makeTestRunSummary();
QObject *makeTestScriptAgent();
QObject *makeTestSession();
QObject *makeTestSessionEnd();
QObject *makeTestSessionPerson();
QObject *makeTestSessionSeries();
QObject *makeTestSessionStop();
QObject *makeTestTaskSet();
QObject *makeTestTextChange();
QObject *makeTestTrajectoryCrash();
QObject *makeTestTrajectoryFile();
QObject *makeTestUnifiedPatch();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestAutoPolicy", makeTestAutoPolicy},
                     {"TestFileReview", makeTestFileReview},
                     {"TestFileReviewProperties", makeTestFileReviewProperties},
                     {"TestHunkAnswers", makeTestHunkAnswers},
                     {"TestHunkGroups", makeTestHunkGroups},
                     {"TestHunkTitle", makeTestHunkTitle},
                     {"TestPredictionOutcome", makeTestPredictionOutcome},
                     {"TestTimeRatio", makeTestTimeRatio},
                     {"TestLessonStory", makeTestLessonStory},
                     {"TestLessons", makeTestLessons},
                     {"TestPrediction", makeTestPrediction},
                     {"TestProposalReview", makeTestProposalReview},
                     {"TestRecordings", makeTestRecordings},
                     {"TestReplay", makeTestReplay},
                     {"TestRunGoesOn", makeTestRunGoesOn},
                     {"TestRunIndex", makeTestRunIndex},
                     {"TestPastReview", makeTestPastReview},
                     {"TestRunScene", makeTestRunScene},
                     {"TestRunSummary", makeTestRunSummary},
                     {"TestScriptAgent", makeTestScriptAgent},
                     {"TestSession", makeTestSession},
                     {"TestSessionEnd", makeTestSessionEnd},
                     {"TestSessionPerson", makeTestSessionPerson},
                     {"TestSessionSeries", makeTestSessionSeries},
                     {"TestSessionStop", makeTestSessionStop},
                     {"TestTaskSet", makeTestTaskSet},
                     {"TestTextChange", makeTestTextChange},
                     {"TestTrajectoryCrash", makeTestTrajectoryCrash},
                     {"TestTrajectoryFile", makeTestTrajectoryFile},
                     {"TestUnifiedPatch", makeTestUnifiedPatch}});
}
