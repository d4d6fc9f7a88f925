// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/libraries/kernel_shares.h"

#include "tests/referee/tests.h"

#include <QTest>

namespace warpwright {

namespace {

Json kernel(const char *name, const char *origin, double microseconds) {
    return {{"name", name}, {"origin", origin}, {"count", 5u}, {"microseconds", microseconds}};
}

struct Judged {
    Json provenance;
    std::string rule;
};

Judged judged(const Json &answer) {
    Json stageAnswer = {{"status", "passed"},
                        {"verdict", nullptr},
                        {"integrity", {{"status", "passed"}, {"findings", Json::array()}}},
                        {"doubts", Json::array()}};
    StageAnswer stage(stageAnswer);
    Judged result{judgeKernelShares(answer, stage), ""};
    if (!stage.isOpen())
        result.rule = stageAnswer["integrity"]["findings"][0]["rule"].get<std::string>();
    return result;
}

} // namespace

class KernelSharesTest : public QObject {
    Q_OBJECT

private slots:
    void addsUpShares() {
        const Judged result = judged({{"calls", 5u},
                                      {"left", 10.0},
                                      {"kernels",
                                       {kernel("addBias", "own", 60.0), kernel("nvjet_tst", "library", 20.0),
                                        kernel("Memcpy DtoD", "other", 10.0)}}});
        QCOMPARE(result.rule, std::string());
        QCOMPARE(result.provenance["status"].get<std::string>(), std::string("passed"));
        QCOMPARE(result.provenance["ownShare"].get<double>(), 0.6);
        QCOMPARE(result.provenance["libraryShare"].get<double>(), 0.2);
        QCOMPARE(result.provenance["otherShare"].get<double>(), 0.2);
        QCOMPARE(result.provenance["calls"].get<int>(), 5);
        QCOMPARE(result.provenance["kernels"].size(), size_t{3});
    }

    void rejectsKernelsOfTorch() {
        const auto fill = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
                          "std::array<char*, 1ul> >(int)";
        const auto softmax = "void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float>(float*)";
        QCOMPARE(judged({{"kernels", {kernel(fill, "torch", 1.0)}}}).rule, std::string());
        const Judged result =
            judged({{"kernels", {kernel("mine", "own", 9.0), kernel(softmax, "torch", 1.0)}}});
        QCOMPARE(result.rule, std::string("torch-kernels"));
        QCOMPARE(result.provenance["status"].get<std::string>(), std::string("failed"));
    }

    void survivesWhatIsNoAnswer_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char *text :
             {"null", "7", "{}", R"({"kernels": null, "reason": "no profiler"})", R"({"kernels": 3})",
              R"({"kernels": []})", R"({"kernels": [3]})", R"({"kernels": [{"name": "a"}]})",
              R"({"kernels": [{"name": "a", "origin": "own", "microseconds": -1}]})",
              R"({"kernels": [{"name": "a", "origin": 4, "microseconds": 1}]})"})
            QTest::newRow(text) << QByteArray(text);
    }
    void survivesWhatIsNoAnswer() {
        QFETCH(QByteArray, text);
        const Judged result = judged(Json::parse(text.toStdString()));
        QCOMPARE(result.provenance["status"].get<std::string>(), std::string("not-run"));
        QVERIFY(!result.provenance["reason"].get<std::string>().empty());
        QCOMPARE(result.rule, std::string());
    }
};

QObject *kernelSharesTest() {
    return new KernelSharesTest;
}

} // namespace warpwright

#include "tst_kernel_shares.moc"
