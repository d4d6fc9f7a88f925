// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent_tools/tools_world.h"
#include "tests/toolchain/places.h"

#include "toolchain/environment/python_environment.h"
#include "toolchain/history/iteration_store.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace warpwright;
using Outcome = ToolAnswer::Outcome;

class TestFactsTools : public QObject {
    Q_OBJECT
private slots:
    void init() { m_world = std::make_unique<ToolsWorld>(); }

    void tellsOfTheProcessor() {
        m_world->open();
        const ToolAnswer answer = m_world->call("device_facts");
        QCOMPARE(answer.outcome, Outcome::Ok);
        QVERIFY2(answer.text.startsWith("device: cpu\nname: "), qPrintable(answer.text));
        QVERIFY2(answer.text.contains("threads: ") && answer.text.contains("known after a check"),
                 qPrintable(answer.text));
    }
    void refusesADeviceThatIsNotThere() {
        m_world->open("cuda:77");
        const ToolAnswer answer = m_world->call("device_facts");
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(!answer.text.isEmpty(), qPrintable(answer.text));
    }
    void tellsTheHistory() {
        m_world->open();
        QCOMPARE(m_world->call("history").text, QString("No iterations yet."));
        const IterationStore store(m_world->place.workspace.state);
        const auto first = store.commit(m_world->request.texts, 0, {AuthorKind::You, {}}, "The first text");
        QVERIFY2(first.hasValue(), qPrintable(first.message()));
        CandidateTexts changed = m_world->request.texts;
        changed["kernels/a.cu"] = "other\n";
        QVERIFY(store.commit(changed, 1, {AuthorKind::Model, "a-model"}, "Fuse the rows").hasValue());
        m_world->request.history = store.list().value();
        m_world->request.iteration = 2;
        m_world->box->setRequest(m_world->request);
        const ToolAnswer answer = m_world->call("history");
        QVERIFY2(answer.text.contains("The first text") && answer.text.contains("model (a-model)") &&
                     answer.text.contains("2*") && answer.text.contains("not checked"),
                 qPrintable(answer.text));
        QCOMPARE(answer.structured.size(), std::size_t(2));
        QCOMPARE(answer.structured[1]["parent"].get<int>(), 1);
    }
    void readsTheWorkspacesOwnSkillFirst() {
        m_world->addUtils();
        m_world->open();
        const ToolAnswer answer = m_world->call("skill");
        QCOMPARE(answer.outcome, Outcome::Ok);
        QVERIFY2(answer.text.startsWith("# The workspace's own skill\n"), qPrintable(answer.text));
    }
    void readsPagesByTheirNames() {
        const QString resources = m_world->scratch.path("resources");
        m_world->scratch.write("resources/skills/cuda-kernels/SKILL.md", "# Kernels\n");
        m_world->scratch.write("resources/skills/cuda-kernels/memory.md", "# Memory\n");
        m_world->scratch.write("resources/secret.md", "the-marked-secret");
        m_world->open();
        m_world->place.request.folders.resources = resources;
        m_world->box = std::make_unique<Toolbox>(m_world->place, m_world->measurer);
        QVERIFY(m_world->call("skill").text.startsWith("# Kernels\n\n(pages: SKILL.md, memory.md)"));
        for (const char *page : {"memory.md", "memory", "cuda-kernels/memory"})
            QVERIFY(m_world->call("skill", {{"page", page}}).text.startsWith("# Memory\n"));
        for (const char *page : {"../../secret.md", "none.md", "/etc/hostname"}) {
            const ToolAnswer answer = m_world->call("skill", {{"page", page}});
            QCOMPARE(answer.outcome, Outcome::Failed);
            QVERIFY2(answer.text.contains("There are SKILL.md, memory.md."), qPrintable(answer.text));
        }
        QVERIFY(QDir(resources + "/skills").removeRecursively());
        QVERIFY(m_world->call("skill").text.contains("There is no page"));
    }
    void inspectsNothingWithoutKernels() {
        m_world->open();
        QFile::remove(m_world->inWork("kernels/a.cu"));
        const ToolAnswer answer = m_world->call("inspect");
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("no .cu files"), qPrintable(answer.text));
    }
    void asksTheExpert() {
        const auto python = choosePython({}, {}, DataFolders::find());
        NEED_TOOL(python.hasValue() && QFile::exists(DataFolders::find().pythonEnvironment + "/bin/python"),
                  "our environment with torch");
        m_world->place.request.python = python.value().interpreter;
        m_world->open();
        ToolAnswer answer = m_world->call("expert");
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QVERIFY2(answer.text.contains("It expects: ") && answer.text.contains("model_new.py"),
                 qPrintable(answer.text));
        QCOMPARE(m_world->box->texts().value(), m_world->request.texts);
        answer = m_world->call("expert", {{"apply", true}});
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QVERIFY(m_world->box->texts().value() != m_world->request.texts);
        QVERIFY(m_world->box->texts().value().count("kernels/a.cu") == 0);
        QCOMPARE(m_world->box->texts().value().at("model.py"), m_world->request.texts.at("model.py"));
    }

private:
    std::unique_ptr<ToolsWorld> m_world;
};

QObject *makeTestFactsTools() {
    return new TestFactsTools;
}

#include "tst_facts_tools.moc"
