// SPDX-License-Identifier: GPL-3.0-or-later
// The schema accepts what we write and refuses what would be a lie: a pass without a verification, a reward
// without a verdict, an arm without a time.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include <QTest>

using namespace warpwright;

class TestSchema : public QObject {
    Q_OBJECT

private:
    OrderedJson m_pass;
    OrderedJson m_wrong;

    static OrderedJson documentOf(const char *words) {
        CliWorld world;
        world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        world.environment.insert("FAKE_JUDGE", words);
        return world.run({"check", world.workspace("base"), "--device", "cpu", "--json"}, 300000).document;
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_pass = documentOf("");
        m_wrong = documentOf("verdict=wrong");
        QCOMPARE(CliWorld::schemaComplaints(m_pass), QString());
        QCOMPARE(CliWorld::schemaComplaints(m_wrong), QString());
    }

    void refusesAMistake_data() {
        QTest::addColumn<bool>("isPass");
        QTest::addColumn<QByteArray>("place");
        QTest::addColumn<QByteArray>("value");
        const auto row = [](const char *name, bool isPass, const char *place, const char *value) {
            QTest::newRow(name) << isPass << QByteArray(place) << QByteArray(value);
        };
        row("a pass without a reward", true, "/reward", "null");
        row("a pass that is bad", true, "/reward", "-1");
        row("a reward for a constant", true, "/task/degenerate", R"({"reason": "r"})");
        row("a reward of 4", true, "/reward", "4");
        row("a pass that was not verified", true, "/verify/status", "\"not-run\"");
        row("a pass that was not timed", true, "/profile/status", "\"not-run\"");
        row("a pass without rounds", true, "/verify/rounds", "[]");
        row("a pass with a message", true, "/message",
            R"({"what": "x", "thing": null, "why": null, "advice": null, "detail": null})");
        row("a pass without the eager arm", true, "/profile/arms/eager", "null");
        row("a pass without a speed-up", true, "/profile/speedup/sameClass", "null");
        row("a candidate that took no time", true, "/profile/arms/candidate/medianMicroseconds", "0");
        row("an arm with its time as text", true, "/profile/arms/candidate/medianMicroseconds", "\"100 µs\"");
        row("too few samples", true, "/profile/arms/candidate/samples", "7");
        row("a pass with an error", true, "/compile/diagnostics",
            R"([{"file": null, "line": null, "column": null, "severity": "error", "message": "m", "option": null, "tool": "g++", "notes": []}])");
        row("wrong with a reward", false, "/reward", "1");
        row("wrong without a reason", false, "/message", "null");
        row("wrong though all passed", false, "/verify/status", "\"passed\"");
        row("a verdict that is none", false, "/verdict", "\"failed\"");
        row("a status that is none", false, "/verify/status", "\"ok\"");
        row("stages with a gap", false, "/stages", R"(["compile", "profile"])");
        row("a time that is none", false, "/startedAt", "\"yesterday\"");
        row("another schema", false, "/schema", "\"warpwright.evaluation/2\"");
        row("a hash that is none", false, "/inputsHash", "\"abc\"");
        row("line 0", false, "/compile/diagnostics",
            R"([{"file": "a", "line": 0, "column": 1, "severity": "warning", "message": "m", "option": null, "tool": "g++", "notes": []}])");
        row("a precision that is none", false, "/precision/measured", "\"fp32\"");
        row("timed before verified", false, "/profile/status", "\"passed\"");
    }

    void refusesAMistake() {
        QFETCH(bool, isPass);
        QFETCH(QByteArray, place);
        QFETCH(QByteArray, value);
        OrderedJson document = isPass ? m_pass : m_wrong;
        document[OrderedJson::json_pointer(place.toStdString())] = OrderedJson::parse(value.toStdString());
        QVERIFY2(!CliWorld::schemaComplaints(document).isEmpty(), "it was accepted");
    }

    void everyFieldIsRequired() {
        for (const auto &[key, value] : m_pass.items()) {
            if (key == "sanitizers" ||
                key == "exercised") // the format is additive: older documents are still good
                continue;
            OrderedJson document = m_pass;
            document.erase(key);
            QVERIFY2(!CliWorld::schemaComplaints(document).isEmpty(), key.c_str());
        }
    }

    void aPassOfADegenerateTaskHasNoReward() {
        OrderedJson document = m_pass;
        document["reward"] = nullptr;
        document["task"]["degenerate"] = {{"reason", "r"}};
        QCOMPARE(CliWorld::schemaComplaints(document), QString());
    }

    void aFieldOfALaterVersionIsWelcome() {
        OrderedJson document = m_pass;
        document["tomorrow"] = 1;
        document["profile"]["counters"] = {1, 2};
        QCOMPARE(CliWorld::schemaComplaints(document), QString());
    }
};

QObject *makeTestSchema() {
    return new TestSchema;
}

#include "tst_schema.moc"
