// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/candidate_text.h"
#include "agent/playbook/playbook_moves.h"
#include "tests/playbook/recorded_graph.h"

#include <QTest>

using namespace warpwright;

Q_DECLARE_METATYPE(warpwright::KernelTuning)

class TestCandidateText : public QObject {
    Q_OBJECT

    static CandidateTexts files(const QString &name, const KernelTuning &tuning = {}) {
        const ReferenceGraph graph = recordedGraph(name);
        const KernelPlan plan = planOf(graph);
        return candidateFiles(plan, std::vector<KernelTuning>(plan.kernels.size(), tuning));
    }

private slots:
    void aRegistryOfPybindGetsItsTensorsBesideTheBinding() {
        const KernelPlan plan = planOf(recordedGraph("softmax-rows"));
        const auto filesFor = [&plan](const QByteArray &registry) {
            return candidateFiles(plan, {KernelTuning()}, registryKindOf(registry));
        };
        QVERIFY(!filesFor("").contains("kernels/tensors.h"));
        QVERIFY(!filesFor("#define REGISTER_FUNCTION(a, b, c)").contains("kernels/tensors.h"));
        const CandidateTexts texts = filesFor("#define REGISTER_BINDING(a, b)");
        QVERIFY(isCandidatePath("kernels/tensors.h"));
        QVERIFY(texts.at("kernels/tensors.h").contains("#include <torch/types.h>"));
        QVERIFY(texts.at("kernels/fused_rows_binding.cpp").contains("#include \"tensors.h\""));
        QVERIFY(!texts.at("kernels/fused_rows_binding.cpp").contains("binding_registry.h"));
    }

    void aKernelHasItsTwinItsBindingAndAModel() {
        const CandidateTexts texts = files("softmax-rows");
        QStringList paths;
        for (const auto &[path, bytes] : texts)
            paths << path;
        QCOMPARE(paths, (QStringList{"kernels/fused_rows.cpp", "kernels/fused_rows.cu",
                                     "kernels/fused_rows_binding.cpp", "model_new.py"}));
        for (const auto &[path, bytes] : texts)
            QVERIFY2(isCandidatePath(path), qPrintable(path));
        QVERIFY(
            texts.at("model_new.py").contains("cuda_extension.fused_rows(scores, self.bias, self.CONFIG)"));
    }

    void everyMoveChangesTheText_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("file");
        QTest::addColumn<KernelTuning>("tuning");
        QTest::addColumn<QByteArray>("sign");
        KernelTuning math;
        math.hasVectorMath = true;
        QTest::newRow("vector math") << "softmax-rows"
                                     << "kernels/fused_rows.cpp" << math << QByteArray("exponential(");
        KernelTuning keeps;
        keeps.keepsRow = true;
        QTest::newRow("a row in the cache")
            << "softmax-rows"
            << "kernels/fused_rows.cpp" << keeps << QByteArray("kept1[c] = h1;");
        KernelTuning streams;
        streams.streamsResults = true;
        QTest::newRow("past the cache") << "softmax-rows"
                                        << "kernels/fused_rows.cpp" << streams << QByteArray("_mm_stream_ps");
        KernelTuning wide;
        wide.hasWideLoads = true;
        QTest::newRow("16 bytes a load") << "pointwise-chain"
                                         << "kernels/fused_pointwise.cu" << wide << QByteArray("Pack<float>");
        KernelTuning onePass;
        onePass.isOnePass = true;
        QTest::newRow("a row in registers") << "softmax-rows"
                                            << "kernels/fused_rows.cu" << onePass << QByteArray("[kPacks]");
    }
    void everyMoveChangesTheText() {
        QFETCH(QString, sample);
        QFETCH(QString, file);
        QFETCH(KernelTuning, tuning);
        QFETCH(QByteArray, sign);
        QVERIFY(!files(sample).at(file).contains(sign));
        QVERIFY2(files(sample, tuning).at(file).contains(sign), files(sample, tuning).at(file).constData());
    }

    void mishIsItsShortForm() {
        // tanh(log(1 + exp(h))): no logarithm and no tangent is left of it.
        const QByteArray text = files("pointwise-chain").at("kernels/fused_pointwise.cpp");
        QVERIFY(!text.contains("log1p"));
        QVERIFY(!text.contains("tanh"));
    }

    void temporariesGoFromKernelToKernel() {
        const QByteArray model = files("generalised-mean").at("model_new.py");
        QCOMPARE(model.count("cuda_extension."), 1);
        const QByteArray binding = files("generalised-mean").at("kernels/forward_binding.cpp");
        QVERIFY2(binding.contains("Tensor partial"), binding.constData());
        QCOMPARE(binding.count(" ON_STREAM)"), 2);
    }

    void replacesTheCandidateAndNothingElse() {
        const CandidateTexts before = {{"model.py", "m"}, {"kernels/old.cu", "o"}, {"binding.cpp", "b"}};
        const CandidateTexts after = withCandidate(before, {{"kernels/new.cu", "n"}});
        QCOMPARE(after, (CandidateTexts{{"model.py", "m"}, {"binding.cpp", "b"}, {"kernels/new.cu", "n"}}));
    }
};

QObject *makeTestCandidateText() {
    return new TestCandidateText;
}
#include "tst_candidate_text.moc"
