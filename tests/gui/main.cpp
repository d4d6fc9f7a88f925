// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/bench/event_meter.h"
#include "app/ide/shell/main_window.h"
#include "tests/gui/window_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "widgets/look/house_style.h"

#include <QApplication>

QObject *makeTestAgentModel();
QObject *makeTestAgentModes();
QObject *makeTestAgentPlaybook();
QObject *makeTestAgentPrompts();
QObject *makeTestAgentReview();
QObject *makeTestAgentRun();
QObject *makeTestAgents();
QObject *makeTestBudgets();
QObject *makeTestConfigSweep();
QObject *makeTestCutWords();
QObject *makeTestEditingWindow();
QObject *makeTestExercisedWindow();
QObject *makeTestFindingWindow();
QObject *makeTestHeatWindow();
QObject *makeTestLanguage();
QObject *makeTestLanguageNames();
QObject *makeTestLessonWindow();
QObject *makeTestMainJob();
QObject *makeTestModels();
QObject *makeTestNewestWins();
QObject *makeTestPastReview();
QObject *makeTestPastRuns();
QObject *makeTestPresenting();
QObject *makeTestRecordings();
QObject *makeTestReach();
QObject *makeTestRestoredWindow();
QObject *makeTestReviewLeads();
QObject *makeTestRunComparison();
QObject *makeTestRunPages();
QObject *makeTestScreenshot();
QObject *makeTestStop();
QObject *makeTestSameNumbers();
QObject *makeTestKilledWindow();
QObject *makeTestBadWorkspaces();
QObject *makeTestTypingEvents();
QObject *makeTestWheel();
int typeAndWait(const QString &folder);
int answerAndWait(const QString &folder);

int main(int argc, char **argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const warpwright::EventMeter application(argc, argv);
    warpwright::loadFonts();
    QApplication::setStyle(new warpwright::HouseStyle(styleLook()));
    if (qEnvironmentVariableIsSet("TYPE_INTO"))
        return typeAndWait(qEnvironmentVariable("TYPE_INTO"));
    if (qEnvironmentVariableIsSet("ANSWER_IN"))
        return answerAndWait(qEnvironmentVariable("ANSWER_IN"));
    return runTestClasses(application, {{"TestLessonWindow", makeTestLessonWindow},
                                        {"TestMainJob", makeTestMainJob},
                                        {"TestAgentReview", makeTestAgentReview},
                                        {"TestAgentModel", makeTestAgentModel},
                                        {"TestAgentModes", makeTestAgentModes},
                                        {"TestAgentPlaybook", makeTestAgentPlaybook},
                                        {"TestAgentPrompts", makeTestAgentPrompts},
                                        {"TestAgentRun", makeTestAgentRun},
                                        {"TestAgents", makeTestAgents},
                                        {"TestBudgets", makeTestBudgets},
                                        {"TestConfigSweep", makeTestConfigSweep},
                                        {"TestCutWords", makeTestCutWords},
                                        {"TestEditingWindow", makeTestEditingWindow},
                                        {"TestExercisedWindow", makeTestExercisedWindow},
                                        {"TestFindingWindow", makeTestFindingWindow},
                                        {"TestHeatWindow", makeTestHeatWindow},
                                        {"TestLanguage", makeTestLanguage},
                                        {"TestLanguageNames", makeTestLanguageNames},
                                        {"TestSameNumbers", makeTestSameNumbers},
                                        {"TestModels", makeTestModels},
                                        {"TestNewestWins", makeTestNewestWins},
                                        {"TestPastRuns", makeTestPastRuns},
                                        {"TestRecordings", makeTestRecordings},
                                        {"TestPastReview", makeTestPastReview},
                                        {"TestPresenting", makeTestPresenting},
                                        {"TestReach", makeTestReach},
                                        {"TestRestoredWindow", makeTestRestoredWindow},
                                        {"TestReviewLeads", makeTestReviewLeads},
                                        {"TestRunComparison", makeTestRunComparison},
                                        {"TestRunPages", makeTestRunPages},
                                        {"TestScreenshot", makeTestScreenshot},
                                        {"TestStop", makeTestStop},
                                        {"TestKilledWindow", makeTestKilledWindow},
                                        {"TestBadWorkspaces", makeTestBadWorkspaces},
                                        {"TestTypingEvents", makeTestTypingEvents},
                                        {"TestWheel", makeTestWheel}});
}
