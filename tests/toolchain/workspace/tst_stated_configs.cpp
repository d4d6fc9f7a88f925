// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/workspace/stated_configs.h"

#include <QTest>

using namespace warpwright;

class TestStatedConfigs : public QObject {
    Q_OBJECT

private slots:
    void readsWhatStandsInTheText_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("namesChoices");
        QTest::addColumn<QString>("found");
        const auto row = [](const char *name, const char *text, bool namesChoices, const char *found) {
            QTest::newRow(name) << QByteArray(text) << namesChoices << QString::fromLatin1(found);
        };
        row("nothing", "class ModelNew(nn.Module):\n    pass\n", false, "");
        row("as the playbook writes it",
            "class ModelNew(nn.Module):\n"
            "    CONFIG_1 = 0  # Which variant of the kernel on a GPU: see launchFusedPointwise.\n"
            "    CONFIG_2 = 12\n"
            "    # How many there are of each: what a sweep tries.\n"
            "    CHOICES = {\"CONFIG_1\": 4, \"CONFIG_2\": 16}\n",
            true, "CONFIG_1=0 launchFusedPointwise; CONFIG_2=12");
        row("with a type, by CRLF",
            "class A:\r\n    CONFIG: int = 3\r\n    CHOICES: dict = {\"CONFIG\": 4}\r\n", true, "CONFIG=3");
        row("computed", "class A:\n    CONFIG = 1 + 2\n    OTHER = -1\n    CHOICES = made()\n", true, "");
        row("said twice alike", "class A:\n    CONFIG = 3\n    CONFIG = 3\n", false, "CONFIG=3");
        row("said twice in different ways",
            "class A:\n    CONFIG = 3\n    def f(self):\n        CONFIG = 1\n", false, "");
        row("outside of a class", "CONFIG = 3\nCHOICES = {}\n", false, "");
        row("too long for a number", "class A:\n    CONFIG = 99999999999999999999\n", false, "");
        row("in a comment", "class A:\n    # CONFIG = 3\n    # CHOICES = {}\n", false, "");
    }

    void readsWhatStandsInTheText() {
        QFETCH(QByteArray, text);
        const StatedConfigs stated = statedConfigs({{QStringLiteral("model_new.py"), text}});
        QStringList found;
        for (const auto &[attribute, value] : stated.values) {
            const auto kernel = stated.kernels.find(attribute);
            found << QStringLiteral("%1=%2").arg(attribute).arg(value) +
                         (kernel == stated.kernels.end() ? QString() : QLatin1Char(' ') + kernel->second);
        }
        QTEST(found.join(QStringLiteral("; ")), "found");
        QTEST(stated.namesChoices, "namesChoices");
    }

    void withoutACandidateNothingIsKnown() {
        QCOMPARE(statedConfigs({{QStringLiteral("model.py"), "    CONFIG = 1\n"}}), StatedConfigs());
    }
};

QObject *makeTestStatedConfigs() {
    return new TestStatedConfigs;
}

#include "tst_stated_configs.moc"
