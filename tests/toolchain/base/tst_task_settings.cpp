// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/base/task_settings.h"

#include <QFile>
#include <QTest>

using namespace warpwright;

class TestTaskSettings : public QObject {
    Q_OBJECT

private slots:
    void fallsBackOnThePersonsDefaults() {
        const Scratch scratch;
        Settings settings;
        settings.allow = QStringList{"BF16"};
        settings.nvccFlags = QStringList{"-lineinfo"};
        settings.cxxFlags = QStringList{"-g"};
        scratch.write("w/.warpwright/task.json", R"({"flags": {"nvcc": []}, "mine": 1})");
        const TaskSettings own = readTaskSettings(scratch.path("w")).value();
        QCOMPARE(own.chosen, QStringList{"flags.nvcc"});
        const TaskSettings task = own.withDefaults(settings);
        QCOMPARE(task.allow, QStringList{"BF16"});
        QCOMPARE(task.nvccFlags, QStringList()); // an empty choice is a choice
        QCOMPARE(task.cxxFlags, QStringList{"-g"});
        QCOMPARE(own.withDefaults({}), own);
    }

    void storesWhatIsChosen() {
        const Scratch scratch;
        scratch.write("w/.warpwright/task.json",
                      R"({"mine": {"a": 1}, "architecture": "sm_80", "flags": {"other": 1, "cxx": ["-g"]}})");
        TaskSettings task = readTaskSettings(scratch.path("w")).value();
        QVERIFY(!task.trains);
        task.chosen = QStringList{"allow", "flags.nvcc", "mode"};
        task.trains = true;
        task.allow = QStringList{"FP32", "BF16"};
        task.nvccFlags = QStringList{"-lineinfo"};
        QVERIFY(storeTaskSettings(scratch.path("w"), task).hasValue());
        const TaskSettings again = readTaskSettings(scratch.path("w")).value();
        QCOMPARE(again.allow, task.allow);
        QCOMPARE(again.nvccFlags, task.nvccFlags);
        QVERIFY(again.trains);
        QCOMPARE(again.cxxFlags, QStringList());
        QCOMPARE(again.architecture, QString());
        const QByteArray text = textOf(scratch.path("w/.warpwright/task.json"));
        QVERIFY(text.contains("\"mine\"") && text.contains("\"other\""));
        QVERIFY2(text.indexOf("mine") < text.indexOf("allow"), text.constData()); // the person's order
    }

    void overwritesNothingThatItCannotRead() {
        const Scratch scratch;
        const QString file = scratch.write("w/.warpwright/task.json", "{\"allow\": ");
        QVERIFY(storeTaskSettings(scratch.path("w"), {}).message().startsWith("Cannot read \""));
        QCOMPARE(textOf(file), QByteArray("{\"allow\": "));
    }
};

QObject *makeTestTaskSettings() {
    return new TestTaskSettings;
}

#include "tst_task_settings.moc"
