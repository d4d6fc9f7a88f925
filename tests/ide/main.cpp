// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"
#include "widgets/look/look.h"

#include <QApplication>

int typeUntilKilled(const QString &file, const QString &drafts);
QObject *makeTestChanges();
QObject *makeTestDraftKeeper();
QObject *makeTestDraftRecovery();
QObject *makeTestEditedFile();
QObject *makeTestFileSaving();
QObject *makeTestLanguageText();
QObject *makeTestFileWatch();
QObject *makeTestFiles();
QObject *makeTestFinding();
QObject *makeTestHunkNumbers();
QObject *makeTestLeftWork();
QObject *makeTestLineEdits();
QObject *makeTestPaletteRows();
QObject *makeTestProposalFigures();
QObject *makeTestReplayBar();
QObject *makeTestRunWords();
QObject *makeTestTypingCost();
QObject *makeTestUnkeptEvaluations();

int main(int argc, char **argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    if (const QStringList failed = warpwright::loadFonts(); !failed.isEmpty())
        qFatal("fonts: %s", qPrintable(failed.join(u' ')));
    // What a kill leaves needs a window to kill.
    if (argc == 4 && QByteArray(argv[1]) == "--type-until-killed")
        return typeUntilKilled(QString::fromLocal8Bit(argv[2]), QString::fromLocal8Bit(argv[3]));
    return runTestClasses(application, {{"TestLanguageText", makeTestLanguageText},
                                        {"TestLeftWork", makeTestLeftWork},
                                        {"TestLineEdits", makeTestLineEdits},
                                        {"TestFinding", makeTestFinding},
                                        {"TestHunkNumbers", makeTestHunkNumbers},
                                        {"TestPaletteRows", makeTestPaletteRows},
                                        {"TestProposalFigures", makeTestProposalFigures},
                                        {"TestReplayBar", makeTestReplayBar},
                                        {"TestRunWords", makeTestRunWords},
                                        {"TestChanges", makeTestChanges},
                                        {"TestFileWatch", makeTestFileWatch},
                                        {"TestFiles", makeTestFiles},
                                        {"TestEditedFile", makeTestEditedFile},
                                        {"TestFileSaving", makeTestFileSaving},
                                        {"TestDraftKeeper", makeTestDraftKeeper},
                                        {"TestDraftRecovery", makeTestDraftRecovery},
                                        {"TestTypingCost", makeTestTypingCost},
                                        {"TestUnkeptEvaluations", makeTestUnkeptEvaluations}});
}
