// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/workspace/workspace.h"
#include "toolchain/workspace/workspace_template.h"

#include <QDir>
#include <QTest>

using namespace warpwright;

class TestWorkspaceTemplate : public QObject {
    Q_OBJECT

private slots:
    void fillsAWorkspaceThatOpens() {
        const Scratch scratch;
        const QString model = scratch.writeModel("from");
        const auto made = createWorkspace(scratch.path("new/one"), model, scratch.folders().resources);
        QVERIFY2(made.hasValue(), qPrintable(made.message()));
        QVERIFY(made.value().contains("model.py") && made.value().contains("binding.cpp") &&
                made.value().contains("model_new.py"));
        QCOMPARE(textOf(scratch.path("new/one/model.py")), textOf(model));
        const auto opened = Workspace::open(scratch.path("new/one"), scratch.folders());
        QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
        QVERIFY(!opened.value().modelNewFile.isEmpty());
    }

    void completesTheFolderThatHoldsTheModel() {
        const Scratch scratch;
        const QString model = scratch.writeModel("here");
        const auto made = createWorkspace(scratch.path("here"), model, scratch.folders().resources);
        QVERIFY2(made.hasValue(), qPrintable(made.message()));
        QVERIFY(!made.value().contains("model.py"));
    }

    void overwritesNothing_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("the candidate") << "model_new.py";
        QTest::newRow("the last one in order") << "model.py";
    }

    void overwritesNothing() {
        QFETCH(QString, name);
        const Scratch scratch;
        scratch.write("there/" + name, "mine");
        const auto made =
            createWorkspace(scratch.path("there"), scratch.writeModel("from"), scratch.folders().resources);
        QVERIFY(!made.hasValue());
        QVERIFY2(made.message().contains(QStringLiteral("\"%1\" is there already").arg(name)),
                 qPrintable(made.message()));
        QCOMPARE(
            QDir(scratch.path("there")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
            QStringList{name});
        QCOMPARE(textOf(scratch.path("there/" + name)), QByteArray("mine"));
    }

    void saysWhatIsMissing() {
        const Scratch scratch;
        const QString model = scratch.writeModel("from");
        QVERIFY(createWorkspace(scratch.path("a"), scratch.path("no.py"), scratch.folders().resources)
                    .message()
                    .contains("No such file or directory"));
        QVERIFY(createWorkspace(scratch.path("a"), model, scratch.path("nowhere"))
                    .message()
                    .contains("the template"));
        QVERIFY(createWorkspace(model, model, scratch.folders().resources)
                    .message()
                    .contains("a file of that name is in the way"));
        QVERIFY(!QDir(scratch.path("a")).exists());
    }
};

QObject *makeTestWorkspaceTemplate() {
    return new TestWorkspaceTemplate;
}

#include "tst_workspace_template.moc"
