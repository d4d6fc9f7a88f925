// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/base/text_file.h"
#include "toolchain/counters/attached_report.h"
#include "toolchain/counters/counter_store.h"

#include <QDir>
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

    void keepsNoReportButTheOneThatWasRead_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("says");
        QTest::newRow("untouched") << QString() << QString();
        QTest::newRow("gone") << QStringLiteral("remove") << QStringLiteral("it is no longer there");
        QTest::newRow("another size") << QStringLiteral("append") << QStringLiteral("it was written anew");
        QTest::newRow("another time") << QStringLiteral("touch") << QStringLiteral("it was written anew");
    }
    void keepsNoReportButTheOneThatWasRead() {
        QFETCH(QString, what);
        QFETCH(QString, says);
        const Scratch scratch;
        const QString path = scratch.write(QStringLiteral("k.ncu-rep"), "as it was read");
        const ReportFile read = ReportFile::at(path);
        QCOMPARE(read.bytes, 14);
        QFile file(path);
        if (what == QLatin1String("remove")) {
            QVERIFY(file.remove());
        } else if (!what.isEmpty()) {
            QVERIFY(file.open(QIODevice::ReadWrite | QIODevice::Append));
            if (what == QLatin1String("append"))
                QCOMPARE(file.write("!"), 1);
            QVERIFY(file.flush());
            const QDateTime time = what == QLatin1String("append") ? read.written : read.written.addSecs(2);
            QVERIFY(file.setFileTime(time, QFileDevice::FileModificationTime));
            file.close();
        }
        const CounterStore store(scratch.path());
        Counters counters = readCounters();
        counters.id.clear();
        counters.textHash = QStringLiteral("0123456789abcdef");
        const Result<QString> kept = store.storeWithReport(counters, read);
        QCOMPARE(kept.hasValue(), says.isEmpty());
        if (says.isEmpty()) {
            QCOMPARE(textOf(store.reportPathOf(counters.id)), QByteArray("as it was read"));
            QCOMPARE(store.load(counters.id).value(), counters);
            QCOMPARE(counters.reportBytes, 14);
            return;
        }
        QVERIFY2(kept.message().contains(says) && kept.message().contains(path), qPrintable(kept.message()));
        QVERIFY(store.ids().isEmpty());
        QVERIFY(QDir(scratch.path(QStringLiteral("counters"))).entryList(QDir::Files).isEmpty());
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

    void senselessNumbersAreRefused_data() {
        QTest::addColumn<QByteArray>("launch");
        QTest::newRow("negative samples")
            << QByteArray(R"({"instructions": [{"address": 16, "values": {"samples": -3}}]})");
        QTest::newRow("more than there can be")
            << QByteArray(R"({"instructions": [{"address": 16, "values": {"samples": 1e308}}]})");
        QTest::newRow("negative duration")
            << QByteArray(R"({"metrics": {"gpu__time_duration.sum": [-5, "ns"]}})");
        QTest::newRow("negative opcodes") << QByteArray(R"({"opcodes": {"LDG": -1}})");
        QTest::newRow("huge metric") << QByteArray(
            R"({"metrics": {"dram__bytes_read.sum": [1e308, "byte"]}})");
    }
    void senselessNumbersAreRefused() {
        QFETCH(QByteArray, launch);
        const Result<Json> document = parseJson(
            QByteArray(R"({"schema": "warpwright.counters/1", "kernels": [)") + launch + QByteArray("]}"));
        QVERIFY2(document.hasValue(), qPrintable(document.message()));
        const Result<Counters> read = countersFromJson(document.value());
        QVERIFY(!read.hasValue());
        QVERIFY2(read.message().contains("cannot be"), qPrintable(read.message()));
    }

    void namesTheNewestText() {
        const Scratch scratch;
        const CounterStore store(scratch.path());
        QCOMPARE(store.newestText(), QString());
        Counters counters = readCounters();
        counters.id.clear();
        counters.textHash = QStringLiteral("0123456789abcdef");
        counters.iteration = 0;
        QVERIFY(store.store(counters, {}).hasValue());
        QVERIFY2(store.newestText().startsWith("another text"), qPrintable(store.newestText()));
        counters.id.clear();
        counters.at = QDateTime(QDate(2099, 11, 28), QTime(12, 0), Qt::UTC);
        counters.iteration = 3;
        QVERIFY(store.store(counters, {}).hasValue());
        QVERIFY2(store.newestText().startsWith("iteration 3, of 2099-11-2"), qPrintable(store.newestText()));
    }

    void aReportIsAttachedByTheNamesOfItsKernels() {
        AttachTarget target;
        target.workspace = QStringLiteral("rows");
        target.textHash = QStringLiteral("0123456789abcdef");
        target.iteration = 3;
        target.evaluation = QStringLiteral("checked");
        const QDateTime written(QDate(2026, 11, 28), QTime(23, 49), Qt::UTC);
        const auto attached = [&] {
            return attachedCounters(readCounters(), QStringLiteral("/elsewhere/k.ncu-rep"), written, target);
        };
        const auto whyNot = [&] {
            const Result<Counters> made = attached();
            return made.hasValue() ? QString() : made.message();
        };
        QVERIFY2(whyNot().contains("its check compiled none"), qPrintable(whyNot()));
        KernelResources kernel;
        kernel.name = QStringLiteral("void other<32>(float const*)");
        target.kernels.push_back(kernel);
        QVERIFY2(
            whyNot().contains("Cannot attach the report \"/elsewhere/k.ncu-rep\" to iteration 3: none of "
                              "its kernels (copy4, strided, banks<32>) is one of the candidate's "
                              "(other<32>)."),
            qPrintable(whyNot()));
        kernel.name = QStringLiteral("void (anonymous namespace)::banks<32>(float const*, float*)");
        target.kernels.push_back(kernel);
        const Result<Counters> made = attached();
        QVERIFY2(made.hasValue(), qPrintable(made.message()));
        Counters counters = made.value();
        QCOMPARE(counters.arms(), QStringList({"candidate", "imported"}));
        const auto own = counters.kernelsOf(QStringLiteral("candidate"));
        QCOMPARE(own.size(), std::size_t(1));
        QCOMPARE(own[0]->function, QStringLiteral("banks"));
        QCOMPARE(own[0]->launch, 2); // as the report has it
        QCOMPARE(counters.iteration, 3);
        QCOMPARE(counters.evaluation, QStringLiteral("checked"));
        QCOMPARE(counters.importedFrom, QStringLiteral("k.ncu-rep"));
        QCOMPARE(counters.importedFileTime, written);
        QVERIFY(!counters.isWholeCall);
        QCOMPARE(counters.problems.value(0),
                 QStringLiteral("Imported from \"k.ncu-rep\", a file of 2026-11-28 23:49 UTC: which text it "
                                "measured is not known to us."));
        const Scratch scratch;
        QVERIFY(CounterStore(scratch.path()).store(counters, {}).hasValue());
        const auto found = CounterStore(scratch.path()).latestOf(target.textHash);
        QVERIFY(found.has_value());
        QCOMPARE(*found, counters);
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
