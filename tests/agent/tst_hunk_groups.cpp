// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/hunk_groups.h"
#include "agent/session/hunk_evidence.h"

#include <QTest>

using namespace warpwright;

namespace {

/// A kernel in two files, the line that calls it, and a remark that has nothing to do with either.
Proposal newKernel() {
    Proposal proposal;
    proposal.id = QStringLiteral("p1");
    proposal.base = {{"model_new.py", "import ext\n\n\n\ndef forward(x):\n    return ext.plain_rows(x)\n"},
                     {"kernels/plain.cu", "void plainRows() {}\n"}};
    proposal.proposed = proposal.base;
    proposal.proposed["kernels/fused.cu"] = "extern \"C\" void launchFused(float *x) {}\n";
    proposal.proposed["kernels/fused_binding.cpp"] =
        "void fusedRows() { launchFused(x); }\nREGISTER_FUNCTION(fused_rows, fusedRows, \"\");\n";
    proposal.proposed["model_new.py"] =
        "import ext  # the extension\n\n\n\ndef forward(x):\n    return ext.fused_rows(x)\n";
    return proposal;
}

int hunkOf(const ProposalReview &review, const QString &file, int nth = 0) {
    for (const int id : review.hunkIds())
        if (review.fileOf(id) == file && nth-- == 0)
            return id;
    return 0;
}

} // namespace

class TestHunkGroups : public QObject {
    Q_OBJECT

private slots:
    void aKernelAndItsCallBelongTogether() {
        const Proposal proposal = newKernel();
        const ProposalReview review(proposal, proposal.base);
        const std::map<int, int> groups = hunkGroups(review);
        const int remark = hunkOf(review, QStringLiteral("model_new.py"), 0);
        const int call = hunkOf(review, QStringLiteral("model_new.py"), 1);
        QVERIFY(remark > 0 && call > 0);
        QVERIFY(groups.count(remark) == 0);
        QCOMPARE(hunksWith(groups, call),
                 (std::vector<int>{hunkOf(review, QStringLiteral("kernels/fused.cu")),
                                   hunkOf(review, QStringLiteral("kernels/fused_binding.cpp"))}));
        QVERIFY(hunksWith(groups, remark).empty());
    }

    // Not in a file that does not run here, where another has something to read.
    void aReaderBeginsWithWhatRuns() {
        Proposal proposal;
        proposal.id = QStringLiteral("p1");
        proposal.base = {{"kernels/rows.cpp", "// the twin\n\n\n\nint rows = 1;\n"},
                         {"kernels/rows.cu", "// the kernel\n\n\n\nint rows = 1;\n"}};
        proposal.proposed = {{"kernels/rows.cpp", "// its twin\n\n\n\nint rows = 2;\n"},
                             {"kernels/rows.cu", "// its kernel\n\n\n\nint rows = 2;\n"}};
        ProposalReview review(proposal, proposal.base);
        QCOMPARE(review.hunkIds().size(), std::size_t(4));
        ExercisedFile twin;
        twin.file = QStringLiteral("kernels/rows.cpp");
        twin.as = SourceKind::Twin;
        ExercisedFile kernel;
        kernel.file = QStringLiteral("kernels/rows.cu");
        kernel.as = SourceKind::Cuda;
        const int ofTwin = hunkOf(review, twin.file, 0);
        const int ofKernel = hunkOf(review, kernel.file, 0);
        QCOMPARE(firstToRead(review, {}), ofTwin);
        QCOMPARE(firstToRead(review, {twin}), ofKernel);
        QCOMPARE(firstToRead(review, {kernel}), ofTwin);
        // Of what is left: then the next that runs, before what does not.
        QVERIFY(review.accept(ofKernel, {}).hasValue());
        QCOMPARE(firstToRead(review, {twin}), hunkOf(review, kernel.file, 1));
    }

    void aKernelThatGoesBelongsToTheCallThatGoes() {
        Proposal proposal = newKernel();
        std::swap(proposal.base, proposal.proposed);
        const ProposalReview review(proposal, proposal.base);
        QCOMPARE(hunksWith(hunkGroups(review), hunkOf(review, QStringLiteral("kernels/fused.cu"))).size(),
                 2U);
    }

    void aKernelWhoseCallWasRejectedIsNotCalled() {
        const Proposal proposal = newKernel();
        ProposalReview review(proposal, proposal.base);
        QVERIFY(review.accept(hunkOf(review, QStringLiteral("kernels/fused.cu"))).hasValue());
        QVERIFY(review.accept(hunkOf(review, QStringLiteral("kernels/fused_binding.cpp"))).hasValue());
        QVERIFY(review.reject(hunkOf(review, QStringLiteral("model_new.py"), 1)).hasValue());
        QCOMPARE(uncalledNames(review), QStringList{QStringLiteral("fused_rows")});
        QVERIFY(uncalledWords(uncalledNames(review)).contains(QStringLiteral("is not called (fused_rows)")));
        // Where the person calls it themselves, it is.
        QVERIFY(review
                    .edit(hunkOf(review, QStringLiteral("model_new.py"), 1),
                          {"    return ext.fused_rows(x, 2)\n"})
                    .hasValue());
        QVERIFY(uncalledNames(review).isEmpty());
    }

    // What both only call is an intrinsic: it neither binds them nor was it brought.
    void whatBothOnlyCallIsNobodys() {
        Proposal proposal;
        proposal.id = QStringLiteral("p1");
        proposal.base = {{"kernels/rows.cu", "float sum(float x) {\n    return x;\n}\n"}};
        proposal.proposed = proposal.base;
        proposal.proposed["kernels/rows.cu"] =
            "float sum(float x) {\n    return x + __shfl_xor_sync(~0u, x, 1);\n}\n";
        proposal.proposed["kernels/other.cu"] =
            "__global__ void __launch_bounds__(256)\notherKernel(float *x)\n{\n"
            "    x[0] += __shfl_xor_sync(~0u, x[0], 2);\n}\n";
        ProposalReview review(proposal, proposal.base);
        QVERIFY(hunkGroups(review).empty());
        QVERIFY(review.accept(hunkOf(review, QStringLiteral("kernels/other.cu"))).hasValue());
        QVERIFY(review.reject(hunkOf(review, QStringLiteral("kernels/rows.cu"))).hasValue());
        QVERIFY(uncalledNames(review).isEmpty());
    }

    // What a header or a line declares is no use without it; a remark is not asked.
    void linesThatUseAHeaderOrAVariableBelongToIt() {
        Proposal proposal;
        proposal.id = QStringLiteral("p1");
        const QString file = QStringLiteral("kernels/rows.cpp");
        proposal.base = {{file, "// Each row is gone through 2 times.\n#include <cmath>\n#include "
                                "<cstdint>\n#include <cstring>\n\nnamespace {\n\n"
                                "void rows(const float *x, float *y) {\n    float sum = 0.0f;\n\n\n\n"
                                "    sum += x[0];\n\n\n\n    y[0] = x[0] - sum;\n\n\n\n"
                                "    y[1] = std::sqrt(x[1]);\n}\n"}};
        QByteArray text = proposal.base[file];
        text.replace("gone through 2 times", "read once, and kept in a std::vector");
        text.replace("<cstring>\n\nnamespace", "<cstring>\n#include <vector>\n\nnamespace");
        text.replace("    float sum = 0.0f;\n", "    float sum = 0.0f;\n    std::vector<float> keptRow(8);\n"
                                                "#pragma omp parallel for schedule(static)\n"
                                                "    auto *const kept = keptRow.data();\n");
        text.replace("    sum += x[0];\n", "    kept[0] = x[0]; // schedule\n    sum += x[0];\n");
        text.replace("y[0] = x[0] - sum", "y[0] = kept[0] - sum");
        text.replace("std::sqrt(x[1])", "std::sqrt(x[1]) * 2"); // the header was there
        proposal.proposed = {{file, text}};
        const ProposalReview review(proposal, proposal.base);
        QCOMPARE(review.hunkIds().size(), std::size_t(6));
        const std::map<int, int> groups = hunkGroups(review);
        const int include = hunkOf(review, file, 1);
        QCOMPARE(
            hunksWith(groups, include),
            (std::vector<int>{hunkOf(review, file, 2), hunkOf(review, file, 3), hunkOf(review, file, 4)}));
        QVERIFY(hunksWith(groups, hunkOf(review, file, 0)).empty());
        QVERIFY(hunksWith(groups, hunkOf(review, file, 5)).empty());
        // The other way round they go together.
        std::swap(proposal.base, proposal.proposed);
        const ProposalReview back(proposal, proposal.base);
        QCOMPARE(hunksWith(hunkGroups(back), hunkOf(back, file, 1)).size(), 3U);
    }

    // Each function has its own, and neither needs the other's.
    void twoVariablesOfOneNameBindNobody() {
        Proposal proposal;
        proposal.id = QStringLiteral("p1");
        const QString file = QStringLiteral("kernels/rows.cu");
        proposal.base = {{file, "float one(float x) {\n    return x;\n}\n\n\n\n"
                                "float two(float x) {\n    return x + 1;\n}\n"}};
        proposal.proposed = {
            {file, "float one(float x) {\n    const float value = x;\n    return value;\n}\n\n\n\n"
                   "float two(float x) {\n    const float value = x + 1;\n    return value;\n}\n"}};
        const ProposalReview review(proposal, proposal.base);
        QCOMPARE(review.hunkIds().size(), std::size_t(2));
        QVERIFY(hunkGroups(review).empty());
    }

    void whatWasRejectedWholeLeavesNothing() {
        const Proposal proposal = newKernel();
        ProposalReview review(proposal, proposal.base);
        review.rejectRest();
        QVERIFY(uncalledNames(review).isEmpty());
        QVERIFY(uncalledWords({}).isEmpty());
    }
};

QObject *makeTestHunkGroups() {
    return new TestHunkGroups;
}

#include "tst_hunk_groups.moc"
