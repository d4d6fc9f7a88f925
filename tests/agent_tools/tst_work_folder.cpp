// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/work_folder.h"
#include "tests/agent_tools/tools_world.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

using namespace warpwright;

class TestWorkFolder : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_world = std::make_unique<ToolsWorld>();
        m_world->addUtils();
        m_world->open();
    }
    void holdsTheTexts() {
        const auto texts = m_world->box->texts();
        QVERIFY2(texts.hasValue(), qPrintable(texts.message()));
        QCOMPARE(texts.value(), m_world->request.texts);
        QVERIFY(texts.value().count("model.py") == 1);
        QVERIFY(QFile::exists(m_world->inWork("utils/compile.sh")));
        QVERIFY(QFile::exists(m_world->inWork("SKILL.md")));
    }
    void isAnotherForEachCaller() {
        const DataFolders folders = m_world->scratch.folders();
        const Workspace &workspace = m_world->place.workspace;
        QVERIFY(WorkFolder::placeFor(workspace, folders, "a") !=
                WorkFolder::placeFor(workspace, folders, "b"));
        QVERIFY(WorkFolder::placeFor(workspace, folders, "a").startsWith(folders.cache + "/callers/"));
    }
    void isLaidOutAnew() {
        m_world->scratch.write(m_world->inWork("kernels/extra.cu").mid(m_world->scratch.path().size() + 1),
                               "x");
        QVERIFY(QDir(m_world->place.folder).mkpath("build/deep"));
        QCOMPARE(m_world->box->texts().value().count("kernels/extra.cu"), std::size_t(1));
        QVERIFY(m_world->box->setTexts(m_world->request.texts).hasValue());
        QCOMPARE(m_world->box->texts().value(), m_world->request.texts);
        QVERIFY(!QFile::exists(m_world->inWork("build")));
    }
    void putsBackTheTasksOwn() {
        WorkFolder work(m_world->place.workspace, m_world->place.folder);
        QVERIFY(work.layOut(m_world->request.texts).hasValue());
        QCOMPARE(work.putBack(), QStringList());
        QVERIFY(QFile::remove(work.folder() + "/model.py"));
        QVERIFY(QDir(work.folder()).mkpath("model.py"));
        QVERIFY(QDir(work.folder() + "/utils").removeRecursively());
        QVERIFY(QFile::link("/tmp", work.folder() + "/utils"));
        QVERIFY(QFile::link("/etc/hostname", work.folder() + "/kernels/leak.cu"));
        const QStringList lines = work.putBack();
        const QString all = lines.join('\n');
        QVERIFY2(all.contains("model.py was changed"), qPrintable(all));
        QVERIFY2(all.contains("utils/compile.py"), qPrintable(all));
        QVERIFY2(all.contains("kernels/leak.cu was no regular file"), qPrintable(all));
        QCOMPARE(textOf(work.folder() + "/utils/compile.sh"),
                 textOf(m_world->scratch.path("work/utils/compile.sh")));
        QVERIFY(!QFileInfo(work.folder() + "/utils").isSymLink());
        QVERIFY(!QFile::exists("/tmp/compile.sh"));
        QCOMPARE(work.putBack(), QStringList());
        QCOMPARE(work.texts().value(), m_world->request.texts);
    }
    void readsNothingThroughALink() {
        WorkFolder work(m_world->place.workspace, m_world->place.folder);
        QVERIFY(work.layOut(m_world->request.texts).hasValue());
        QVERIFY(QFile::link("/etc/hostname", work.folder() + "/kernels/leak.cu"));
        QVERIFY(QFile::remove(work.folder() + "/model_new.py"));
        QVERIFY(QFile::link("/etc/hostname", work.folder() + "/model_new.py"));
        const auto texts = work.texts(); // an error, or without them: never what they point to
        QVERIFY(!texts.hasValue());
        QVERIFY2(texts.message().contains("model_new.py"), qPrintable(texts.message()));
    }
    void linksWhatIsTooLarge() {
        m_world->scratch.write(
            "work/model.py", "import torch\nDATA = 'weights.bin'\n\n\nclass Model(torch.nn.Module):\n"
                             "    def forward(self, x):\n        return x\n\n\n"
                             "def get_inputs():\n    return []\n\n\ndef get_init_inputs():\n    return []\n");
        m_world->scratch.write("work/weights.bin", QByteArray(9 * 1024 * 1024, 'w'));
        m_world->open();
        WorkFolder work(m_world->place.workspace, m_world->place.folder);
        QVERIFY(work.layOut(m_world->request.texts).hasValue());
        QVERIFY(QFileInfo(work.folder() + "/weights.bin").isSymLink());
        QCOMPARE(work.linkedFiles(),
                 QStringList{QFileInfo(m_world->scratch.path("work/weights.bin")).canonicalFilePath()});
        QVERIFY(QFile::remove(work.folder() + "/weights.bin"));
        QCOMPARE(work.putBack().size(), 1);
        QVERIFY(QFileInfo(work.folder() + "/weights.bin").isSymLink());
    }

private:
    std::unique_ptr<ToolsWorld> m_world;
};

QObject *makeTestWorkFolder() {
    return new TestWorkFolder;
}

#include "tst_work_folder.moc"
