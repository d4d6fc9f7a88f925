// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent_tools/tools_world.h"

#include <QSignalSpy>
#include <QTest>

#include <optional>

using namespace warpwright;
using Outcome = ToolAnswer::Outcome;

/// The queue of calls, and what ends them.
class TestToolbox : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_world = std::make_unique<ToolsWorld>();
        m_world->open();
        m_ended.clear();
        connect(m_world->box.get(), &Toolbox::ended, this,
                [this](const QString &id, const ToolAnswer &answer) { m_ended.emplace_back(id, answer); });
    }

    void endsEachCallOnceInTheirOrder() {
        m_world->box->call("1", "profile", {});
        m_world->box->call("2", "read", {{"path", "kernels/a.cu"}});
        m_world->box->call("3", "glob", {{"pattern", "*"}});
        QVERIFY(m_ended.empty()); // never before call() has returned
        QTRY_COMPARE(m_ended.size(), std::size_t(3));
        QTest::qWait(50);
        QCOMPARE(ids(), QStringList({"1", "2", "3"}));
    }
    void cancelsWhatRunsAndWhatWaits() {
        m_world->measurer.isHeld = true;
        m_world->box->call("1", "profile", {});
        m_world->box->call("2", "verify", {});
        m_world->box->call("3", "read", {{"path", "kernels/a.cu"}});
        QTRY_COMPARE(m_world->measurer.asked.size(), std::size_t(1));
        m_world->box->cancel();
        QVERIFY(m_ended.empty());
        QTRY_COMPARE(m_ended.size(), std::size_t(3));
        QTest::qWait(50);
        QCOMPARE(ids(), QStringList({"1", "2", "3"}));
        for (const auto &[id, answer] : m_ended)
            QCOMPARE(answer.outcome, Outcome::Cancelled);
        QCOMPARE(m_world->measurer.asked.size(), std::size_t(1));
        m_world->measurer.isHeld = false;
        m_world->measurer.release();
        QCOMPARE(m_world->call("verify").outcome, Outcome::Ok); // it goes on
        m_world->box->cancel();                                 // nothing runs: nothing is heard
        QTest::qWait(20);
        QCOMPARE(m_ended.size(), std::size_t(4));
    }
    void isDestroyedWhileItRuns() {
        m_world->measurer.isHeld = true;
        for (const char *tool : {"profile", "compile", "history", "device_facts"})
            m_world->box->call(tool, tool, {});
        QTRY_COMPARE(m_world->measurer.asked.size(), std::size_t(1));
        m_world->box.reset();
        QTest::qWait(100);
        QVERIFY(m_ended.empty());
        QTRY_VERIFY(m_world->measurer.isIdle()); // what it had asked for was taken back
    }
    void isDestroyedByWhoHearsOfAnEnd() {
        connect(m_world->box.get(), &Toolbox::ended, this, [this] { m_world->box.reset(); });
        m_world->box->call("1", "read", {{"path", "kernels/a.cu"}});
        m_world->box->call("2", "read", {{"path", "kernels/a.cu"}});
        QTRY_VERIFY(!m_world->box);
        QTest::qWait(50);
        QCOMPARE(m_ended.size(), std::size_t(1));
    }
    void answersWhatItDoesNotKnow() {
        const ToolAnswer answer = m_world->call("rm", {});
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("There is no tool \"rm\". There are bash, read,"),
                 qPrintable(answer.text));
        QVERIFY(m_world->call("read", {}).text.contains("\"path\" is missing"));
        QVERIFY(m_world->call("read", Json()).text.contains("\"path\" is missing"));
        QVERIFY(m_world->call("read", "kernels/a.cu").text.contains("has to be an object"));
        QVERIFY(m_world->call(QString(100000, 'x'), {}).text.size() < 1000);
    }
    void hearsOfAPlan() {
        std::vector<PlanItem> plan;
        connect(m_world->box.get(), &Toolbox::planChanged, this,
                [&plan](const auto &items) { plan = items; });
        const ToolAnswer answer =
            m_world->call("todo", {{"items", Json::array({{{"text", "a"}, {"state", "done"}},
                                                          {{"text", "b"}, {"state", "working"}}})}});
        QCOMPARE(answer.outcome, Outcome::Ok);
        QCOMPARE(plan, (std::vector<PlanItem>{{"a", "done"}, {"b", "working"}}));
    }

    void submits() {
        std::optional<ToolSubmission> submission;
        QString id;
        connect(m_world->box.get(), &Toolbox::submitted, this,
                [&](const QString &call, const ToolSubmission &what) {
                    id = call;
                    submission = what;
                });
        const Json words{{"title", "Fuse"}, {"reason", "One pass."}, {"predicted_time_ratio", 0.8}};
        const ToolAnswer refused = m_world->call("submit", words);
        QCOMPARE(refused.outcome, Outcome::Failed);
        QVERIFY2(refused.text.contains("nothing differs"), qPrintable(refused.text));
        QVERIFY(!submission);
        write("kernels/a.cu", "other\n");
        m_world->box->call("s", "submit", words);
        m_world->box->call("next", "read", {{"path", "kernels/a.cu"}});
        QTRY_VERIFY(submission.has_value());
        QCOMPARE(id, QString("s"));
        QCOMPARE(submission->title, QString("Fuse"));
        QCOMPARE(submission->prediction.timeRatio, std::optional(0.8));
        QCOMPARE(submission->texts.at("kernels/a.cu"), QByteArray("other\n"));
        m_ended.clear();
        QTest::qWait(50);
        QVERIFY(m_ended.empty()); // it waits, and so does what comes after it
        m_world->box->answerSubmission("another", {});
        m_world->box->answerSubmission("s", {Outcome::Ok, "Accepted.", Json()});
        QTRY_COMPARE(m_ended.size(), std::size_t(2));
        QCOMPARE(m_ended[0].second.text, QString("Accepted."));
        m_world->box->answerSubmission("s", {Outcome::Ok, "Accepted.", Json()});
        QTest::qWait(20);
        QCOMPARE(m_ended.size(), std::size_t(2));
    }
    void refusesASubmissionWithWords_data() {
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QString>("said");
        QTest::newRow("title") << QByteArray(R"({"title": " ", "reason": "r"})") << "\"title\" is empty";
        QTest::newRow("reason") << QByteArray(R"({"title": "t", "reason": ""})") << "\"reason\" is empty";
        QTest::newRow("ratio") << QByteArray(R"({"title": "t", "reason": "r", "predicted_time_ratio": 0})")
                               << "has to be above 0";
        QTest::newRow("missing") << QByteArray(R"({"title": "t"})") << "\"reason\" is missing";
        QTest::newRow("no candidate")
            << QByteArray(R"({"title": "t", "reason": "r"})") << "there is no model_new.py";
    }
    void refusesASubmissionWithWords() {
        QFETCH(QByteArray, arguments);
        QFETCH(QString, said);
        QVERIFY(QFile::remove(m_world->inWork("model_new.py")));
        const ToolAnswer answer = m_world->call("submit", parseJson(arguments).value());
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains(said), qPrintable(answer.text));
    }
    void makesARatioOfMicroseconds() {
        std::optional<ToolSubmission> submission;
        connect(m_world->box.get(), &Toolbox::submitted, this,
                [&](const QString &, const ToolSubmission &what) { submission = what; });
        write("kernels/a.cu", "other\n");
        m_world->box->call("s", "submit", {{"title", "t"}, {"reason", "r"}, {"predicted_us", 55}});
        QTRY_VERIFY(submission.has_value());
        QVERIFY(!submission->prediction.timeRatio); // what it was before is not known
        m_world->box->cancel();
        QTRY_COMPARE(m_ended.size(), std::size_t(1));
        QCOMPARE(m_ended[0].second.outcome, Outcome::Cancelled);
    }

private:
    [[nodiscard]] QStringList ids() const {
        QStringList all;
        for (const auto &[id, answer] : m_ended)
            all << id;
        return all;
    }
    void write(const QString &path, const QByteArray &text) const {
        m_world->scratch.write(m_world->inWork(path).mid(m_world->scratch.path().size() + 1), text);
    }
    std::unique_ptr<ToolsWorld> m_world;
    std::vector<std::pair<QString, ToolAnswer>> m_ended;
};

QObject *makeTestToolbox() {
    return new TestToolbox;
}

#include "tst_toolbox.moc"
