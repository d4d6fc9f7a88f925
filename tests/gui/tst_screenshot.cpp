// SPDX-License-Identifier: GPL-3.0-or-later
// The window's program draws what it is asked for, or says why not: never another picture in silence.
#include "tests/cli/cli_world.h"

#include <QFileInfo>
#include <QProcess>
#include <QTest>

using namespace warpwright;

class TestScreenshot : public QObject {
    Q_OBJECT

    CliWorld m_world;

    struct Drawn {
        int exitCode = -1;
        QByteArray words;
    };
    Drawn draw(const QStringList &arguments) const {
        QProcess process;
        QProcessEnvironment environment = m_world.environment;
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_world.folder);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/warpwright"), arguments);
        if (!process.waitForFinished(120000))
            process.kill();
        return {process.exitCode(), process.readAll()};
    }

private slots:
    void whatCannotBeShownIsSaid_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("word");
        const auto row = [](const char *name, const char *arguments, const char *word) {
            QTest::newRow(name) << QString::fromLatin1(arguments).split(u' ') << QByteArray(word);
        };
        row("no lesson", "--screenshot a.png --pane lesson WORKSPACE", "was not made of a lesson");
        row("no such pane", "--screenshot a.png --pane nonsense WORKSPACE", "no pane \"nonsense\"");
        row("no workspace", "--screenshot a.png --pane compare", "no workspace is open");
        row("a check of nothing", "--screenshot a.png --check", "Name a workspace");
        row("an act that is off", "--screenshot a.png --act replayForward WORKSPACE",
            "--act replayForward\" cannot be done here: ");
        row("no such act", "--screenshot a.png --act nonsense WORKSPACE", "no action \"nonsense\"");
        row("no such file", "--screenshot a.png --at other.cu:1:1 WORKSPACE", "\"other.cu\" is no file");
        row("no such line", "--screenshot a.png --at model.py:9999 WORKSPACE", "has no line 9999");
        row("no place", "--screenshot a.png --at model.py WORKSPACE", "FILE:LINE:COLUMN");
        row("no picture", "--pane lesson WORKSPACE", "--pane goes with --screenshot");
    }
    void whatCannotBeShownIsSaid() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, word);
        const QString workspace = m_world.workspace(QStringLiteral("base"));
        arguments.replaceInStrings(QStringLiteral("WORKSPACE"), workspace);
        const Drawn drawn = draw(arguments);
        QCOMPARE(drawn.exitCode, 2);
        QVERIFY2(drawn.words.contains(word), drawn.words);
        QVERIFY(!QFileInfo::exists(m_world.folder + QStringLiteral("/a.png")));
    }

    void theCursorStandsWhereItIsAsked() {
        const QString workspace = m_world.workspace(QStringLiteral("base"));
        const Drawn drawn = draw({QStringLiteral("--screenshot"), QStringLiteral("there.png"),
                                  QStringLiteral("--at"), QStringLiteral("model.py:2:1"), workspace});
        QVERIFY2(drawn.exitCode == 0, drawn.words);
        QVERIFY(QFileInfo::exists(m_world.folder + QStringLiteral("/there.png")));
    }
};

QObject *makeTestScreenshot() {
    return new TestScreenshot;
}

#include "tst_screenshot.moc"
