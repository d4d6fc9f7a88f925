// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"
#include "widgets/look/look.h"

#include <QApplication>

#include <algorithm>

QObject *makeTestBuildModels();
QObject *makeTestChartModels();
QObject *makeTestChartViews();
QObject *makeTestComparisonView();
QObject *makeTestCountersView();
QObject *makeTestFailureMapView();
QObject *makeTestFindingsView();
QObject *makeTestHardData();
QObject *makeTestHotLines();
QObject *makeTestHunkContributions();
QObject *makeTestLessonTimes();
QObject *makeTestOccupancyView();
QObject *makeTestRooflinePlaces();
QObject *makeTestRooflineView();
QObject *makeTestSweep();
QObject *makeTestTimelineView();
QObject *makeTestTrueLengths();

/// Where `--pictures FOLDER` asks what was drawn to be kept; empty: nowhere.
QString picturesFolder;

int main(int argc, char **argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    // Before Qt Test sees it.
    for (int at = 1; at + 1 < argc; ++at) {
        if (QByteArray(argv[at]) == "--pictures") {
            picturesFolder = QString::fromLocal8Bit(argv[at + 1]);
            std::copy(argv + at + 2, argv + argc + 1, argv + at);
            argc -= 2;
        }
    }
    QApplication application(argc, argv);
    if (const QStringList failed = warpwright::loadFonts(); !failed.isEmpty())
        qFatal("fonts: %s", qPrintable(failed.join(u' ')));
    return runTestClasses(application, {{"TestBuildModels", makeTestBuildModels},
                                        {"TestChartModels", makeTestChartModels},
                                        {"TestChartViews", makeTestChartViews},
                                        {"TestComparisonView", makeTestComparisonView},
                                        {"TestCountersView", makeTestCountersView},
                                        {"TestFailureMapView", makeTestFailureMapView},
                                        {"TestFindingsView", makeTestFindingsView},
                                        {"TestHardData", makeTestHardData},
                                        {"TestHotLines", makeTestHotLines},
                                        {"TestHunkContributions", makeTestHunkContributions},
                                        {"TestLessonTimes", makeTestLessonTimes},
                                        {"TestOccupancyView", makeTestOccupancyView},
                                        {"TestRooflinePlaces", makeTestRooflinePlaces},
                                        {"TestRooflineView", makeTestRooflineView},
                                        {"TestSweep", makeTestSweep},
                                        {"TestTimelineView", makeTestTimelineView},
                                        {"TestTrueLengths", makeTestTrueLengths}});
}
