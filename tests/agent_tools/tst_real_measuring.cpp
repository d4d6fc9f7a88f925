// SPDX-License-Identifier: GPL-3.0-or-later
// The measuring tools and `inspect` with real compilers and the real queue; the judge is the fake one, which
// reads the text.
#include "agent/session/evaluation_measurer.h"
#include "agent/tools/toolbox.h"
#include "agent/tools/work_folder.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/real_toolchain.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"

#include <QTest>

#include <memory>

using namespace warpwright;
using Outcome = ToolAnswer::Outcome;

class TestRealMeasuring : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const QString missing = missingTools(false);
        NEED_TOOL(missing.isEmpty(), missing);
    }
    void init() {
        qputenv("FAKE_JUDGE", "intext");
        m_elsewhere = std::make_unique<Scratch>();
        m_small = std::make_unique<SmallWorkspace>();
        const auto opened = Workspace::open(m_small->scratch.path(), m_elsewhere->folders());
        QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
        ToolPlace place;
        place.workspace = opened.value();
        place.folder = WorkFolder::placeFor(place.workspace, m_elsewhere->folders(), "test");
        place.request.device = "cpu";
        place.request.folders = m_elsewhere->folders();
        place.request.python = realToolchain().python->interpreter;
        place.request.judgeProgram = sourceFolder("/tests/tools/fake_judge/fake_judge.py");
        m_measurer = std::make_unique<EvaluationMeasurer>(place.workspace, place.request);
        m_box = std::make_unique<Toolbox>(place, *m_measurer);
        m_folder = place.folder;
        m_request.texts = readCandidateTexts(place.workspace).value();
        m_box->setRequest(m_request);
        QVERIFY(m_box->setTexts(m_request.texts).hasValue());
    }
    void cleanup() {
        m_box.reset();
        m_measurer.reset();
        EvaluationThread::waitForRetired();
    }

    void compiles() {
        ToolAnswer answer = call("compile");
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QVERIFY2(answer.text.startsWith("Compiled in "), qPrintable(answer.text));
        put("kernels/answer.cpp", "extern \"C\" int answer(int x) {\n    return y;\n}\n");
        answer = call("compile");
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("kernels/answer.cpp:2") && answer.text.contains("error") &&
                     answer.text.contains("was not declared"),
                 qPrintable(answer.text));
        QVERIFY2(!answer.text.contains(m_small->scratch.path()) && !answer.text.contains("/shadows/"),
                 qPrintable(answer.text));
        QCOMPARE(stringIn(answer.structured["diagnostics"][0], "file"), QString("kernels/answer.cpp"));
    }
    void verifiesAndProfiles() {
        put("kernels/answer.cpp",
            "extern \"C\" int answer(int x) { return x + 1; }\n// fake judge: times=80,220,150\n");
        ToolAnswer answer = call("verify");
        QVERIFY2(answer.outcome == Outcome::Ok && answer.text.contains("pass"), qPrintable(answer.text));
        QVERIFY2(!answer.text.contains("95 % interval"), qPrintable(answer.text));
        answer = call("profile");
        QVERIFY2(answer.outcome == Outcome::Ok && answer.text.contains("95 % interval") &&
                     answer.text.contains("reward 3"),
                 qPrintable(answer.text));
        put("kernels/answer.cpp",
            "extern \"C\" int answer(int x) { return x; }\n// fake judge: verdict=rejected\n");
        answer = call("verify");
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("rejected"), qPrintable(answer.text));
    }
    void isCancelledInTheMiddle() {
        qputenv("FAKE_JUDGE", "intext slow=verify:60");
        bool isVerifying = false;
        connect(m_box.get(), &Toolbox::progress, this, [&isVerifying](const QString &, const QString &text) {
            isVerifying |= text.startsWith("verify: step 1");
        });
        std::vector<std::pair<QString, Outcome>> ended;
        connect(m_box.get(), &Toolbox::ended, this, [&ended](const QString &id, const ToolAnswer &answer) {
            ended.emplace_back(id, answer.outcome);
        });
        for (const char *id : {"1", "2", "3"})
            m_box->call(id, "verify", {});
        QTRY_VERIFY_WITH_TIMEOUT(isVerifying, 120000);
        m_box->cancel();
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), std::size_t(3), 10000);
        for (const auto &[id, outcome] : ended)
            QCOMPARE(outcome, Outcome::Cancelled);
        QTRY_VERIFY_WITH_TIMEOUT(m_measurer->isIdle(), 20000);
    }
    void inspects() {
        const QString missing = missingTools(true);
        NEED_TOOL(missing.isEmpty(), missing);
        ToolAnswer answer = call("inspect");
        QVERIFY2(answer.outcome == Outcome::Ok && answer.text.contains("addOne") &&
                     answer.text.contains("registers"),
                 qPrintable(answer.text));
        answer = call("inspect", {{"what", "ptx"}, {"kernel", "addOne"}, {"line", 5}});
        QVERIFY2(answer.text.contains("bar.sync") && !answer.text.contains("st.global"),
                 qPrintable(answer.text));
        answer = call("inspect", {{"kernel", "none"}});
        QVERIFY2(answer.text.contains("There is no kernel \"none\". There are addOne"),
                 qPrintable(answer.text));
        const IterationStore store(m_small->scratch.path(".warpwright"));
        QVERIFY(store.commit(m_request.texts, 0, {}, "first").hasValue());
        put("kernels/shared.cuh", "#pragma once\nconstexpr int THREADS = 128;\n");
        answer = call("inspect", {{"against", 1}});
        QVERIFY2(answer.text.contains("since iteration 1") && answer.text.contains("addOne"),
                 qPrintable(answer.text));
        answer = call("inspect", {{"against", 77}});
        QCOMPARE(answer.outcome, Outcome::Failed);
        put("kernels/answer.cu", "__global__ void k() { nothing; }\n");
        answer = call("inspect");
        QVERIFY2(answer.text.contains("kernels/answer.cu:1") && answer.text.contains("do not compile"),
                 qPrintable(answer.text));
    }

private:
    [[nodiscard]] ToolAnswer call(const QString &name, const Json &arguments = Json::object()) {
        const QString id = QStringLiteral("c%1").arg(++m_calls);
        std::optional<ToolAnswer> answer;
        const auto connection =
            connect(m_box.get(), &Toolbox::ended, this, [&](const QString &which, const ToolAnswer &what) {
                if (which == id)
                    answer = what;
            });
        m_box->call(id, name, arguments);
        if (!QTest::qWaitFor([&answer] { return answer.has_value(); }, 180000))
            qWarning("no end of %s", qPrintable(name));
        disconnect(connection);
        return answer.value_or(ToolAnswer());
    }
    void put(const QString &path, const QByteArray &text) const {
        QCOMPARE(FolderAccess(m_folder).write(path, text).reach, Reach::Ok);
    }

    std::unique_ptr<Scratch> m_elsewhere;
    std::unique_ptr<SmallWorkspace> m_small;
    std::unique_ptr<EvaluationMeasurer> m_measurer;
    std::unique_ptr<Toolbox> m_box;
    AgentRequest m_request;
    QString m_folder;
    int m_calls = 0;
};

QObject *makeTestRealMeasuring() {
    return new TestRealMeasuring;
}

#include "tst_real_measuring.moc"
