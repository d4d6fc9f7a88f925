// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/interface/prediction.h"

#include <QTest>

using namespace warpwright;

class TestPrediction : public QObject {
    Q_OBJECT
private slots:
    void comesBackFromJson_data() {
        QTest::addColumn<Prediction>("prediction");
        QTest::newRow("nothing") << Prediction();
        QTest::newRow("all") << Prediction{0.5, 0.4, 0.75, QStringLiteral("one pass instead of three"),
                                           120.5};
        QTest::newRow("words only") << Prediction{{}, {}, {}, QStringLiteral("less"), {}};
    }
    void comesBackFromJson() {
        QFETCH(const Prediction, prediction);
        QVERIFY(predictionFromJson(predictionToJson(prediction)) == prediction);
    }

    void leavesOutWhatIsNoRatio() {
        const Json json = {{"timeRatio", -1}, {"low", "half"}, {"high", 2}};
        const Prediction read = predictionFromJson(json);
        QVERIFY(!read.timeRatio && !read.low);
        QCOMPARE(read.high.value_or(0), 2.0);
        QVERIFY(predictionFromJson(Json::array()) == Prediction());
        const Json huge = {{"timeRatio", 1e300}, {"low", 1e-300}, {"high", 1e6}, {"beforeMicroseconds", 1e9}};
        QVERIFY((predictionFromJson(huge) == Prediction{{}, {}, 1e6, {}, 1e9}));
    }
};

QObject *makeTestPrediction() {
    return new TestPrediction;
}

#include "tst_prediction.moc"
