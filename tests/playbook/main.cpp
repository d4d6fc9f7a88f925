// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestAttention();
QObject *makeTestBufferLayouts();
QObject *makeTestCandidateText();
QObject *makeTestChannelsLast();
QObject *makeTestClassSums();
QObject *makeTestColumnScans();
QObject *makeTestConvolutionTails();
QObject *makeTestCudaSharing();
QObject *makeTestFamilies();
QObject *makeTestFinishedAnchors();
QObject *makeTestGraphRepetition();
QObject *makeTestImageBorders();
QObject *makeTestIndexMap();
QObject *makeTestKernelMerging();
QObject *makeTestKernelPlan();
QObject *makeTestLibraryAnchors();
QObject *makeTestMeasurementTable();
QObject *makeTestPartsInPlace();
QObject *makeTestPlanPasses();
QObject *makeTestPlaybookAgent();
QObject *makeTestPlaybookMoves();
QObject *makeTestProductConvolutions();
QObject *makeTestRecurrences();
QObject *makeTestReferenceGraph();
QObject *makeTestRewrittenGraphs();
QObject *makeTestRowsOnceLess();
QObject *makeTestSortedRows();
QObject *makeTestRowsAtOnce();
QObject *makeTestSampledImages();
QObject *makeTestStagedGathers();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestAttention", makeTestAttention},
                     {"TestBufferLayouts", makeTestBufferLayouts},
                     {"TestCandidateText", makeTestCandidateText},
                     {"TestChannelsLast", makeTestChannelsLast},
                     {"TestClassSums", makeTestClassSums},
                     {"TestColumnScans", makeTestColumnScans},
                     {"TestConvolutionTails", makeTestConvolutionTails},
                     {"TestCudaSharing", makeTestCudaSharing},
                     {"TestFamilies", makeTestFamilies},
                     {"TestFinishedAnchors", makeTestFinishedAnchors},
                     {"TestGraphRepetition", makeTestGraphRepetition},
                     {"TestImageBorders", makeTestImageBorders},
                     {"TestIndexMap", makeTestIndexMap},
                     {"TestKernelMerging", makeTestKernelMerging},
                     {"TestKernelPlan", makeTestKernelPlan},
                     {"TestLibraryAnchors", makeTestLibraryAnchors},
                     {"TestMeasurementTable", makeTestMeasurementTable},
                     {"TestPartsInPlace", makeTestPartsInPlace},
                     {"TestPlanPasses", makeTestPlanPasses},
                     {"TestPlaybookAgent", makeTestPlaybookAgent},
                     {"TestPlaybookMoves", makeTestPlaybookMoves},
                     {"TestProductConvolutions", makeTestProductConvolutions},
                     {"TestRecurrences", makeTestRecurrences},
                     {"TestReferenceGraph", makeTestReferenceGraph},
                     {"TestRewrittenGraphs", makeTestRewrittenGraphs},
                     {"TestRowsOnceLess", makeTestRowsOnceLess},
                     {"TestSortedRows", makeTestSortedRows},
                     {"TestRowsAtOnce", makeTestRowsAtOnce},
                     {"TestSampledImages", makeTestSampledImages},
                     {"TestStagedGathers", makeTestStagedGathers}});
}
