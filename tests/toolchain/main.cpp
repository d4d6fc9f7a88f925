// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/base/tst_verdict.h"
#include "tests/toolchain/evaluation/tst_evaluation.h"
#include "tests/toolchain/run_test_classes.h"

#include <QByteArray>

int checkForEver(int argc, char **argv);
int holdDevice(int argc, char **argv);
int standInLine(int argc, char **argv);
int startChildAndWait(int argc, char **argv);
QObject *makeTestBestIteration();
QObject *makeTestCandidateFiles();
QObject *makeTestChildProcess();
QObject *makeTestCompileFault();
QObject *makeTestCompilePlan();
QObject *makeTestCompilerDiagnostics();
QObject *makeTestCudaToolkit();
QObject *makeTestDataFolders();
QObject *makeTestDeviceChoice();
QObject *makeTestDeviceGate();
QObject *makeTestDeviceLine();
QObject *makeTestDeviceTurn();
QObject *makeTestShownDevices();
QObject *makeTestEnvironmentSetup();
QObject *makeTestDraftStore();
QObject *makeTestExportedSymbols();
QObject *makeTestFigures();
QObject *makeTestCallFindings();
QObject *makeTestComputeFindings();
QObject *makeTestFindings();
QObject *makeTestMemoryFindings();
QObject *makeTestFolders();
QObject *makeTestComparedTimes();
QObject *makeTestStateComparison();
QObject *makeTestGpuDevice();
QObject *makeTestHostCompiler();
QObject *makeTestHeaderStore();
QObject *makeTestInspection();
QObject *makeTestIterationCrash();
QObject *makeTestIterationStore();
QObject *makeTestJudge();
QObject *makeTestKernelCode();
QObject *makeTestMeasuredFigures();
QObject *makeTestObjectCache();
QObject *makeTestOccupancy();
QObject *makeTestOpeningHeaders();
QObject *makeTestPassPlan();
QObject *makeTestProcessesBelow();
QObject *makeTestPtxasReport();
QObject *makeTestPythonEnvironment();
QObject *makeTestRememberedAnswers();
QObject *makeTestReadableLog();
QObject *makeTestRefereeBuild();
QObject *makeTestSettings();
QObject *makeTestSourceHash();
QObject *makeTestScannedText();
QObject *makeTestSourceScan();
QObject *makeTestSameCode();
QObject *makeTestSanitizers();
QObject *makeTestCertifyLeft();
QObject *makeTestCertifyPace();
QObject *makeTestCheatSuite();
QObject *makeTestSuiteOutcome();
QObject *makeTestTaskFiles();
QObject *makeTestTextRefusal();
QObject *makeTestTaskSettings();
QObject *makeTestSourceText();
QObject *makeTestStatedConfigs();
QObject *makeTestTextComparison();
QObject *makeTestTextFile();
QObject *makeTestTextMerge();
QObject *makeTestToolchainProbe();
QObject *makeTestTimeline();
QObject *makeTestTimingDecision();
QObject *makeTestTokenText();
QObject *makeTestWorkspace();
QObject *makeTestWorkspaceLock();
QObject *makeTestWrongElement();
QObject *makeTestWorkspaceTemplate();

int main(int argc, char **argv) {
    // The test of what becomes of a child whose parent is killed needs a parent to kill.
    if (argc == 3 && QByteArray(argv[1]) == "--start-child")
        return startChildAndWait(argc, argv);
    if (argc == 3 && QByteArray(argv[1]) == "--check-for-ever")
        return checkForEver(argc, argv);
    if (argc == 4 && QByteArray(argv[1]) == "--hold-device")
        return holdDevice(argc, argv);
    if (argc == 6 && QByteArray(argv[1]) == "--stand-in-line")
        return standInLine(argc, argv);
    return runTestClasses(argc, argv,
                          {{"TestTextFile", makeTestTextFile},
                           {"TestSourceText", makeTestSourceText},
                           {"TestStatedConfigs", makeTestStatedConfigs},
                           {"TestTextMerge", makeTestTextMerge},
                           {"TestDraftStore", makeTestDraftStore},
                           {"TestChildProcess", makeTestChildProcess},
                           {"TestPassPlan", makeTestPassPlan},
                           {"TestProcessesBelow", makeTestProcessesBelow},
                           {"TestDataFolders", makeTestDataFolders},
                           {"TestSettings", makeTestSettings},
                           {"TestWorkspace", makeTestWorkspace},
                           {"TestWorkspaceTemplate", makeTestWorkspaceTemplate},
                           {"TestPythonEnvironment", makeTestPythonEnvironment},
                           {"TestRememberedAnswers", makeTestRememberedAnswers},
                           {"TestCudaToolkit", makeTestCudaToolkit},
                           {"TestHostCompiler", makeTestHostCompiler},
                           {"TestHeaderStore", makeTestHeaderStore},
                           {"TestGpuDevice", makeTestGpuDevice},
                           {"TestToolchainProbe", makeTestToolchainProbe},
                           {"TestTimingDecision", makeTestTimingDecision},
                           {"TestTokenText", makeTestTokenText},
                           {"TestCompilerDiagnostics", makeTestCompilerDiagnostics},
                           {"TestPtxasReport", makeTestPtxasReport},
                           {"TestOccupancy", makeTestOccupancy},
                           {"TestKernelCode", makeTestKernelCode},
                           {"TestInspection", makeTestInspection},
                           {"TestSourceHash", makeTestSourceHash},
                           {"TestScannedText", makeTestScannedText},
                           {"TestSourceScan", makeTestSourceScan},
                           {"TestCompilePlan", makeTestCompilePlan},
                           {"TestObjectCache", makeTestObjectCache},
                           {"TestOpeningHeaders", makeTestOpeningHeaders},
                           {"TestCompileFault", makeTestCompileFault},
                           {"TestDeviceChoice", makeTestDeviceChoice},
                           {"TestDeviceGate", makeTestDeviceGate},
                           {"TestDeviceLine", makeTestDeviceLine},
                           {"TestDeviceTurn", makeTestDeviceTurn},
                           {"TestShownDevices", makeTestShownDevices},
                           {"TestJudge", makeTestJudge},
                           {"TestReadableLog", makeTestReadableLog},
                           {"TestRefereeBuild", makeTestRefereeBuild},
                           {"TestSameCode", makeTestSameCode},
                           {"TestSanitizers", makeTestSanitizers},
                           {"TestCertifyLeft", makeTestCertifyLeft},
                           {"TestCertifyPace", makeTestCertifyPace},
                           {"TestCheatSuite", makeTestCheatSuite},
                           {"TestSuiteOutcome", makeTestSuiteOutcome},
                           {"TestExportedSymbols", makeTestExportedSymbols},
                           {"TestFigures", makeTestFigures},
                           {"TestMeasuredFigures", makeTestMeasuredFigures},
                           {"TestFindings", makeTestFindings},
                           {"TestMemoryFindings", makeTestMemoryFindings},
                           {"TestComputeFindings", makeTestComputeFindings},
                           {"TestCallFindings", makeTestCallFindings},
                           {"TestTextComparison", makeTestTextComparison},
                           {"TestComparedTimes", makeTestComparedTimes},
                           {"TestStateComparison", makeTestStateComparison},
                           {"TestIterationStore", makeTestIterationStore},
                           {"TestWorkspaceLock", makeTestWorkspaceLock},
                           {"TestWrongElement", makeTestWrongElement},
                           {"TestTaskFiles", makeTestTaskFiles},
                           {"TestTextRefusal", makeTestTextRefusal},
                           {"TestTaskSettings", makeTestTaskSettings},
                           {"TestBestIteration", makeTestBestIteration},
                           {"TestCandidateFiles", makeTestCandidateFiles},
                           {"TestFolders", makeTestFolders},
                           {"TestTimeline", makeTestTimeline},
                           {"TestEnvironmentSetup", makeTestEnvironmentSetup},
                           {"TestIterationCrash", makeTestIterationCrash},
                           {"TestEvaluation",
                            [] {
                                return new TestEvaluation;
                            }},
                           {"TestVerdict", [] {
                                return new TestVerdict;
                            }}});
}
