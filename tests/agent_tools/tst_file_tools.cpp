// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent_tools/tools_world.h"

#include "agent/tools/search_tools.h"
#include "toolchain/history/iteration_store.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

using namespace warpwright;
using Outcome = ToolAnswer::Outcome;

class TestFileTools : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_world = std::make_unique<ToolsWorld>();
        m_world->addUtils();
        m_world->open();
    }

    void readsNumberedLines() {
        const ToolAnswer answer = m_world->read("kernels/a.cu");
        QCOMPARE(answer.outcome, Outcome::Ok);
        QCOMPARE(answer.text, QString("     1\tline one\n     2\tline two // time 10\n     3\tline three\n"));
        const ToolAnswer part =
            m_world->call("read", {{"path", "kernels/a.cu"}, {"offset", 2}, {"limit", 1}});
        QVERIFY2(part.text.contains("(lines 2 to 2 of 3; read on with offset 3)"), qPrintable(part.text));
        QCOMPARE(m_world->call("read", {{"path", "kernels/a.cu"}, {"offset", 9}}).outcome, Outcome::Failed);
    }
    void readsLongFilesInPieces() {
        m_world->scratch.write(inScratch("kernels/long.cu"), QByteArray("0123456789abcdef\n").repeated(5000));
        const ToolAnswer answer = m_world->read("kernels/long.cu");
        QVERIFY(answer.text.toUtf8().size() <= 16 * 1024);
        QVERIFY2(answer.text.contains("read on with offset"), qPrintable(answer.text.right(100)));
        m_world->scratch.write(inScratch("kernels/wide.cu"), QByteArray(100000, 'x'));
        QVERIFY(m_world->read("kernels/wide.cu").text.contains("and 98000 more characters"));
    }
    void refusesToRead_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<Outcome>("outcome");
        QTest::newRow("none") << "kernels/none.cu" << Outcome::Failed;
        QTest::newRow("a folder") << "kernels" << Outcome::Failed;
        QTest::newRow("up") << "../../secret" << Outcome::Denied;
        QTest::newRow("absolute") << "/etc/hostname" << Outcome::Denied;
        QTest::newRow("by /proc") << "/proc/self/cwd/kernels/a.cu" << Outcome::Denied;
        QTest::newRow("a link") << "kernels/link" << Outcome::Denied;
        QTest::newRow("binary") << "kernels/binary" << Outcome::Failed;
    }
    void refusesToRead() {
        QFETCH(QString, path);
        QFETCH(Outcome, outcome);
        QVERIFY(QFile::link("/etc/hostname", m_world->inWork("kernels/link")));
        m_world->scratch.write(inScratch("kernels/binary"), QByteArray("a\0b", 3));
        const ToolAnswer answer = m_world->read(path);
        QCOMPARE(answer.outcome, outcome);
        QVERIFY2(answer.text.startsWith("Cannot"), qPrintable(answer.text));
    }
    void writesOnlyWhatWasRead() {
        const Json whole{{"path", "kernels/a.cu"}, {"content", "new\n"}};
        ToolAnswer answer = m_world->call("write", whole);
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("Read it first"), qPrintable(answer.text));
        (void)m_world->read("kernels/a.cu");
        answer = m_world->call("write", whole);
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QCOMPARE(textOf(m_world->inWork("kernels/a.cu")), QByteArray("new\n"));
        // What it wrote itself it has seen; what another has written since it has not.
        QCOMPARE(m_world->call("write", whole).outcome, Outcome::Ok);
        m_world->scratch.write(inScratch("kernels/a.cu"), "changed\n");
        answer = m_world->call("write", whole);
        QVERIFY2(answer.text.contains("has changed since you read it"), qPrintable(answer.text));
        QCOMPARE(textOf(m_world->inWork("kernels/a.cu")), QByteArray("changed\n"));
        QCOMPARE(m_world->call("write", {{"path", "kernels/sub/new.cu"}, {"content", "n"}}).outcome,
                 Outcome::Ok);
        QCOMPARE(m_world->box->texts().value().at("kernels/sub/new.cu"), QByteArray("n"));
        QCOMPARE(textOf(m_world->scratch.path("work/kernels/a.cu")),
                 m_world->request.texts.at("kernels/a.cu"));
    }
    void forgetsWhatWasReadWithNewTexts() {
        (void)m_world->read("kernels/a.cu");
        QVERIFY(m_world->box->setTexts(m_world->request.texts).hasValue());
        QCOMPARE(m_world->call("write", {{"path", "kernels/a.cu"}, {"content", "x"}}).outcome,
                 Outcome::Failed);
    }
    void restoresWhatWas() {
        const IterationStore store(m_world->place.workspace.state);
        CandidateTexts earlier = m_world->request.texts;
        earlier["kernels/a.cu"] = "as it was once\n";
        earlier["kernels/once.cu"] = "gone since\n";
        QVERIFY(store.commit(earlier, 0, {AuthorKind::You, {}}, "Once").hasValue());
        QCOMPARE(m_world->call("restore").text, QString("Nothing differed from the text you began with."));
        m_world->scratch.write(inScratch("kernels/a.cu"), "spoiled\n");
        m_world->scratch.write(inScratch("kernels/new.cu"), "new\n");
        ToolAnswer answer = m_world->call("restore", {{"path", "kernels/a.cu"}});
        QCOMPARE(answer.text, QString("As in the text you began with again: kernels/a.cu."));
        QCOMPARE(textOf(m_world->inWork("kernels/a.cu")),
                 QByteArray("line one\nline two // time 10\nline three\n"));
        QCOMPARE(textOf(m_world->inWork("kernels/new.cu")), QByteArray("new\n"));
        answer = m_world->call("restore", {{"iteration", 1}});
        QCOMPARE(answer.outcome, Outcome::Ok);
        QCOMPARE(textOf(m_world->inWork("kernels/a.cu")), QByteArray("as it was once\n"));
        QCOMPARE(textOf(m_world->inWork("kernels/once.cu")), QByteArray("gone since\n"));
        QVERIFY(!QFile::exists(m_world->inWork("kernels/new.cu")));
        QCOMPARE(m_world->call("restore", {{"iteration", 7}}).outcome, Outcome::Failed);
        QCOMPARE(m_world->call("restore", {{"path", "kernels/none.cu"}}).outcome, Outcome::Failed);
        for (const char *path : {"model.py", "../a.cu", "/etc/hostname"})
            QCOMPARE(m_world->call("restore", {{"path", path}}).outcome, Outcome::Denied);
    }
    void deniesWritingElsewhere_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("said");
        QTest::newRow("reference") << "model.py"
                                   << "the task's own";
        QTest::newRow("binding") << "binding.cpp"
                                 << "the task's own";
        QTest::newRow("utils") << "utils/compile.py"
                               << "the task's own";
        QTest::newRow("skill") << "SKILL.md"
                               << "the task's own";
        QTest::newRow("ours") << ".warpwright/task.json"
                              << "none of the candidate's files";
        QTest::newRow("another") << "notes.txt"
                                 << "none of the candidate's files";
        QTest::newRow("hidden") << "kernels/.hidden.cu"
                                << "would not count";
        QTest::newRow("compiled") << "kernels/a.so"
                                  << "would not count";
        QTest::newRow("up") << "kernels/../model.py"
                            << "not in the work folder";
        QTest::newRow("absolute") << "/tmp/x"
                                  << "not in the work folder";
        QTest::newRow("by /proc") << "/proc/self/cwd/x"
                                  << "not in the work folder";
    }
    void deniesWritingElsewhere() {
        QFETCH(QString, path);
        QFETCH(QString, said);
        const Json edits = Json::array({{{"old", "a"}, {"new", "b"}}});
        for (const ToolAnswer &answer : {m_world->call("write", {{"path", toJson(path)}, {"content", "x"}}),
                                         m_world->call("edit", {{"path", toJson(path)}, {"edits", edits}})}) {
            QCOMPARE(answer.outcome, Outcome::Denied);
            QVERIFY2(answer.text.contains(said), qPrintable(answer.text));
        }
        QCOMPARE(m_world->box->texts().value(), m_world->request.texts);
    }
    void keepsAByteOrderMark() {
        m_world->scratch.write(inScratch("kernels/bom.cu"), "\xEF\xBB\xBFint x = 1;\n");
        QCOMPARE(m_world->read("kernels/bom.cu").outcome, Outcome::Ok);
        const ToolAnswer answer =
            m_world->call("edit", {{"path", "kernels/bom.cu"},
                                   {"edits", Json::array({{{"old", "x = 1"}, {"new", "y = 2"}}})}});
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QCOMPARE(textOf(m_world->scratch.path(inScratch("kernels/bom.cu"))),
                 QByteArray("\xEF\xBB\xBFint y = 2;\n"));
    }
    void editsAllOrNone() {
        const auto edit = [this](const Json &edits) {
            return m_world->call("edit", {{"path", "kernels/a.cu"}, {"edits", edits}});
        };
        const Json good{{"old", "line one"}, {"new", "LINE ONE"}};
        const Json bad{{"old", "line four"}, {"new", "x"}};
        QVERIFY(edit(Json::array({good})).text.contains("Read it first"));
        (void)m_world->read("kernels/a.cu");
        ToolAnswer answer = edit(Json::array({good, bad}));
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("nothing was changed") && answer.text.contains("edit 2 of 2"),
                 qPrintable(answer.text));
        QCOMPARE(textOf(m_world->inWork("kernels/a.cu")), m_world->request.texts.at("kernels/a.cu"));
        answer = edit(Json::array({good, {{"old", "line"}, {"new", "row"}, {"all", true}}}));
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QVERIFY2(answer.text.contains("in 3 places"), qPrintable(answer.text));
        QCOMPARE(textOf(m_world->inWork("kernels/a.cu")),
                 QByteArray("LINE ONE\nrow two // time 10\nrow three\n"));
    }
    void takesLargeArguments() {
        const std::string large(2 * 1024 * 1024, 'x');
        QCOMPARE(m_world->call("write", {{"path", "kernels/large.cu"}, {"content", large}}).outcome,
                 Outcome::Ok);
        QCOMPARE(textOf(m_world->inWork("kernels/large.cu")).size(), qsizetype(2 * 1024 * 1024));
        const ToolAnswer edited =
            m_world->call("edit", {{"path", "kernels/large.cu"},
                                   {"edits", Json::array({{{"old", large}, {"new", "small"}}})}});
        QVERIFY2(edited.outcome == Outcome::Ok, qPrintable(edited.text.left(300)));
        const ToolAnswer refused = m_world->call("write", {{"path", large}, {"content", "x"}});
        QCOMPARE(refused.outcome, Outcome::Denied);
        QVERIFY(refused.text.size() < 1000);
    }

    void findsFiles_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("found");
        QTest::newRow("name") << "*.cu"
                              << "kernels/a.cu";
        QTest::newRow("folder") << "kernels/*"
                                << "kernels/a.cu";
        QTest::newRow("deep") << "**/*.py"
                              << "model.py model_new.py utils/compile.py utils/verification.py";
        QTest::newRow("braces") << "*.{cu,cpp}"
                                << "binding.cpp kernels/a.cu";
        QTest::newRow("set") << "kernels/[a-c].cu"
                             << "kernels/a.cu";
        QTest::newRow("none") << "*.xyz"
                              << "No file matches \"*.xyz\".";
        QTest::newRow("star stays in its folder") << "*/x/*"
                                                  << "No file matches \"*/x/*\".";
    }
    void findsFiles() {
        QFETCH(QString, pattern);
        QFETCH(QString, found);
        const ToolAnswer answer = m_world->call("glob", {{"pattern", toJson(pattern)}});
        QCOMPARE(answer.outcome, Outcome::Ok);
        QCOMPARE(answer.text.trimmed().replace('\n', ' '), found);
    }
    void searches() {
        ToolAnswer answer =
            m_world->call("grep", {{"pattern", "LINE t"}, {"ignore_case", true}, {"glob", "*.cu"}});
        QCOMPARE(answer.text, QString("kernels/a.cu:2: line two // time 10\nkernels/a.cu:3: line three\n"
                                      "(2 matching lines in 1 file)\n"));
        answer = m_world->call("grep", {{"pattern", "two"}, {"context", 1}});
        QVERIFY2(answer.text.contains("kernels/a.cu:1- line one\nkernels/a.cu:2: line two"),
                 qPrintable(answer.text));
        QVERIFY(m_world->call("grep", {{"pattern", "nowhere"}}).text.contains("Nothing matches"));
        answer = m_world->call("grep", {{"pattern", "(["}});
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("no regular expression"), qPrintable(answer.text));
    }
    void givesUpAPatternThatTriesForEver() {
        m_world->scratch.write(inScratch("kernels/a.cu"), (QByteArray(40, 'a') + "!\n").repeated(20000));
        QElapsedTimer clock;
        clock.start();
        const ToolAnswer answer = m_world->call("grep", {{"pattern", "^(a+)+$"}});
        QVERIFY2(clock.elapsed() < 30000, qPrintable(answer.text));
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("not searched") || answer.text.contains("given up after"),
                 qPrintable(answer.text));
    }
    void searchesThroughNoLink() {
        m_world->scratch.write("outside/secret.txt", "the marked secret");
        QVERIFY(QFile::link(m_world->scratch.path("outside"), m_world->inWork("kernels/out")));
        QVERIFY(m_world->call("grep", {{"pattern", "marked"}}).text.contains("Nothing matches"));
        QVERIFY(m_world->call("glob", {{"pattern", "*secret*"}}).text.contains("No file"));
    }

private:
    [[nodiscard]] QString inScratch(const QString &path) const {
        return m_world->inWork(path).mid(m_world->scratch.path().size() + 1);
    }
    std::unique_ptr<ToolsWorld> m_world;
};

QObject *makeTestFileTools() {
    return new TestFileTools;
}

#include "tst_file_tools.moc"
