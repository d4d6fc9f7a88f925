// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"
#include "widgets/look/look.h"

#include <QApplication>

QObject *makeTestAgentPanel();
QObject *makeTestAssemblyPage();
QObject *makeTestBetsInPane();
QObject *makeTestComparePage();
QObject *makeTestHelp();
QObject *makeTestHunkTable();
QObject *makeTestLessonPage();
QObject *makeTestLessonPictures();
QObject *makeTestMeasuredPages();
QObject *makeTestMessageRows();
QObject *makeTestNarrowParts();
QObject *makeTestNewProposal();
QObject *makeTestOverview();
QObject *makeTestProfileForms();
QObject *makeTestSettingsPage();
QObject *makeTestJudgeNotice();
QObject *makeTestStartPage();
QObject *makeTestSystemTheme();
QObject *makeTestTopBar();
QObject *makeTestVerifyPage();
QObject *makeTestLargeText();

int main(int argc, char **argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    if (const QStringList failed = warpwright::loadFonts(); !failed.isEmpty())
        qFatal("fonts: %s", qPrintable(failed.join(u' ')));
    return runTestClasses(application, {
                                           {"TestAgentPanel", makeTestAgentPanel},
                                           {"TestAssemblyPage", makeTestAssemblyPage},
                                           {"TestBetsInPane", makeTestBetsInPane},
                                           {"TestComparePage", makeTestComparePage},
                                           {"TestHelp", makeTestHelp},
                                           {"TestHunkTable", makeTestHunkTable},
                                           {"TestLessonPage", makeTestLessonPage},
                                           {"TestLessonPictures", makeTestLessonPictures},
                                           {"TestMeasuredPages", makeTestMeasuredPages},
                                           {"TestMessageRows", makeTestMessageRows},
                                           {"TestNarrowParts", makeTestNarrowParts},
                                           {"TestNewProposal", makeTestNewProposal},
                                           {"TestOverview", makeTestOverview},
                                           {"TestProfileForms", makeTestProfileForms},
                                           {"TestSettingsPage", makeTestSettingsPage},
                                           {"TestJudgeNotice", makeTestJudgeNotice},
                                           {"TestStartPage", makeTestStartPage},
                                           {"TestSystemTheme", makeTestSystemTheme},
                                           {"TestTopBar", makeTestTopBar},
                                           {"TestVerifyPage", makeTestVerifyPage},
                                           {"TestLargeText", makeTestLargeText},
                                       });
}
