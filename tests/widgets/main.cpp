// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"
#include "widgets/look/look.h"

#include <QApplication>

QObject *makeTestCodeEditor();
QObject *makeTestCompletionList();
QObject *makeTestCommandPalette();
QObject *makeTestDiagnosticMarks();
QObject *makeTestEditorActions();
QObject *makeTestFileDialogs();
QObject *makeTestFindBar();
QObject *makeTestHunkBar();
QObject *makeTestHunkMarks();
QObject *makeTestLiveMarks();
QObject *makeTestListingBar();
QObject *makeTestLongList();
QObject *makeTestNotices();
QObject *makeTestTabMenu();
QObject *makeTestTabOrder();
QObject *makeTestPickList();
QObject *makeTestScaledLayouts();
QObject *makeTestSeveralCursors();
QObject *makeTestTextPopup();
QObject *makeTestTheme();
QObject *makeTestTyping();
QObject *makeTestUndoTokens();
QObject *makeTestWheelFocus();

int main(int argc, char **argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    if (const QStringList failed = warpwright::loadFonts(); !failed.isEmpty())
        qFatal("fonts: %s", qPrintable(failed.join(u' ')));
    return runTestClasses(application, {{"TestCodeEditor", makeTestCodeEditor},
                                        {"TestCompletionList", makeTestCompletionList},
                                        {"TestCommandPalette", makeTestCommandPalette},
                                        {"TestDiagnosticMarks", makeTestDiagnosticMarks},
                                        {"TestEditorActions", makeTestEditorActions},
                                        {"TestFileDialogs", makeTestFileDialogs},
                                        {"TestFindBar", makeTestFindBar},
                                        {"TestHunkBar", makeTestHunkBar},
                                        {"TestHunkMarks", makeTestHunkMarks},
                                        {"TestLiveMarks", makeTestLiveMarks},
                                        {"TestListingBar", makeTestListingBar},
                                        {"TestLongList", makeTestLongList},
                                        {"TestNotices", makeTestNotices},
                                        {"TestTabMenu", makeTestTabMenu},
                                        {"TestTabOrder", makeTestTabOrder},
                                        {"TestPickList", makeTestPickList},
                                        {"TestScaledLayouts", makeTestScaledLayouts},
                                        {"TestSeveralCursors", makeTestSeveralCursors},
                                        {"TestTextPopup", makeTestTextPopup},
                                        {"TestTheme", makeTestTheme},
                                        {"TestTyping", makeTestTyping},
                                        {"TestUndoTokens", makeTestUndoTokens},
                                        {"TestWheelFocus", makeTestWheelFocus}});
}
