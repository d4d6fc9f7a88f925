// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/text_file.h"

#include <QFile>
#include <QFileInfo>
#include <QTest>

using namespace warpwright;

namespace {

Counters readCounters() {
    const Result<QByteArray> text = readTextFile(testData("/ncu/h200-three-kernels.json"));
    return countersFromJson(parseJson(text.value()).value()).value();
}

} // namespace

class TestCounterStore : public QObject {
    Q_OBJECT
private slots:
    void keepsDocumentAndReport() {
        const Scratch scratch;
        const CounterStore store(scratch.path());
        Counters counters = readCounters();
        counters.textHash = QStringLiteral("0123456789abcdef0123456789abcdef");
        const Result<QString> path =
            store.store(counters, {{QStringLiteral("candidate"), testData("/ncu/h200-three-kernels.ncu-rep")},
                                   {QStringLiteral("eager"), QStringLiteral("/no/such/report")}});
        QVERIFY2(path.hasValue(), qPrintable(path.message()));
        QVERIFY(QFileInfo::exists(path.value()));
        QCOMPARE(QFileInfo(store.reportPathOf(counters.id)).size(), counters.reportBytes);
        QCOMPARE(counters.report, counters.id + QStringLiteral(".ncu-rep"));
        const auto found = store.latestOf(counters.textHash);
        QVERIFY(found.has_value());
        QCOMPARE(*found, counters);
        QVERIFY(!store.latestOf(QStringLiteral("0123456789abffff")));
        QVERIFY(!store.latestOf({}));
    }

    void damagedDocumentsAreNoCounters() {
        const Scratch scratch;
        const CounterStore store(scratch.path());
        Counters counters = readCounters();
        counters.textHash = QStringLiteral("0123456789abcdef");
        const QString path = store.store(counters, {}).value();
        QFile(path).resize(2000);
        QVERIFY(!store.latestOf(counters.textHash));
        const Result<Counters> loaded = store.load(counters.id);
        QVERIFY(!loaded.hasValue());
        QVERIFY2(loaded.message().contains(path), qPrintable(loaded.message()));
    }

    void strangeDocumentsAreTakenAsFarAsTheyGo() {
        QVERIFY(!countersFromJson(Json::array()).hasValue());
        QVERIFY(!countersFromJson(Json{{"schema", "warpwright.counters/2"}}).hasValue());
        const Json strange = parseJson(QByteArray(R"({"schema": "warpwright.counters/1", "kernels": [7, {
            "name": 3, "grid": [-1, 1e300, "x", 4], "metrics": {"a": 1, "b": [null, "%"], "c": ["w"]},
            "instructions": [{"address": -5, "line": 1e30, "values": {"samples": "x"}}], "rules": [{}]}],
            "of": 3, "sources": {"f": 1}})"))
                                 .value();
        const Result<Counters> read = countersFromJson(strange);
        QVERIFY(read.hasValue());
        QCOMPARE(read.value().kernels.size(), std::size_t(1));
        QVERIFY(!read.value().kernels[0].number("b"));
        QCOMPARE(read.value().kernels[0].metrics.at(QStringLiteral("c")).text, QStringLiteral("w"));
    }

    void writesWhatItReads() {
        const Counters counters = readCounters();
        const Result<Json> again = parseJson(dumpJson(toJson(counters)));
        QCOMPARE(countersFromJson(again.value()).value(), counters);
    }
};

QObject *makeTestCounterStore() {
    return new TestCounterStore;
}

#include "tst_counter_store.moc"
