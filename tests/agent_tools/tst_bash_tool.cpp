// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/bash_command.h"
#include "tests/agent_tools/tools_world.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <algorithm>

using namespace warpwright;
using Outcome = ToolAnswer::Outcome;

/// The shell: what lasts, what ends it, what becomes of its output and of what it changes.
class TestBashTool : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { NEED_SANDBOX(); }
    void init() {
        m_world = std::make_unique<ToolsWorld>();
        m_world->addUtils();
        m_world->open();
    }

    void lastsFromCallToCall() {
        ToolAnswer answer = m_world->bash("pwd; echo here");
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QVERIFY2(answer.text.contains(m_world->place.folder), qPrintable(answer.text));
        QVERIFY2(answer.text.contains("(exit code 0, "), qPrintable(answer.text));
        (void)m_world->bash("cd kernels; export MARK='a b'; own=c; say() { echo \"said $1\"; }");
        answer = m_world->bash("pwd; echo \"$MARK $own\"; say it; env | grep MARK");
        QVERIFY2(answer.text.contains("/kernels\na b c\nsaid it\nMARK=a b\n"), qPrintable(answer.text));
        answer = m_world->bash("(exit 7)");
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("(exit code 7, "), qPrintable(answer.text));
        QCOMPARE(answer.structured["exitCode"].get<int>(), 7);
    }
    void keepsItsStreams() {
        ToolAnswer answer = m_world->bash("echo one; echo two >&2; exec > /dev/null; echo lost");
        QVERIFY2(answer.text.startsWith("one\ntwo\n("), qPrintable(answer.text));
        answer = m_world->bash("cat; echo end; read x || echo nothing");
        QVERIFY2(answer.text.startsWith("end\nnothing\n"), qPrintable(answer.text));
        answer = m_world->bash("printf 'no end of line'");
        QVERIFY2(answer.text.startsWith("no end of line\n("), qPrintable(answer.text));
    }
    void survivesStrangeCommands() {
        QVERIFY(m_world->bash("if").text.contains("syntax error"));
        QVERIFY(m_world->bash("echo 'unclosed").text.contains("unexpected EOF"));
        QVERIFY(m_world->bash("cat <<X\nheredoc\nX").text.startsWith("heredoc\n"));
        QVERIFY(m_world->bash("for i in 1 2\ndo\n  echo $i\ndone # words").text.startsWith("1\n2\n"));
        QVERIFY(m_world->bash("sleep 100 & echo began").text.startsWith("began\n"));
        QVERIFY(m_world->bash("false; echo ended").text.startsWith("ended\n"));
        QVERIFY(m_world->bash("").text.contains("exit code 0"));
        QVERIFY(m_world->call("bash", {{"command", std::string("a\0b", 3)}}).text.contains("NUL"));
    }
    void beginsANewShellAfterAnEnd() {
        (void)m_world->bash("cd kernels; own=1");
        ToolAnswer answer = m_world->bash("echo last; exit 3");
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("last\n(the shell ended with exit code 3"), qPrintable(answer.text));
        answer = m_world->bash("pwd; echo \"own:$own\"");
        QVERIFY2(answer.text.contains("/kernels\nown:\n"), qPrintable(answer.text));
        answer = m_world->bash("kill -9 $$");
        QVERIFY2(answer.text.contains("the shell was ended by signal 9"), qPrintable(answer.text));
        QVERIFY(m_world->bash("echo again").text.startsWith("again\n"));
        (void)m_world->bash("mkdir gone; cd gone; rmdir ../gone");
        (void)m_world->bash("exit");
        QVERIFY2(m_world->bash("pwd").text.startsWith(m_world->place.folder + '\n'),
                 "begins at the root again");
    }
    void killsWhatTakesTooLong() {
        QElapsedTimer clock;
        clock.start();
        const ToolAnswer answer =
            m_world->bash("echo begun; trap '' TERM; setsid " + m_sleep + " & " + m_sleep, 1);
        QVERIFY2(answer.text.contains("begun\n(killed after the time limit of 1 s."),
                 qPrintable(answer.text));
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY(clock.elapsed() < 20000);
        QVERIFY(m_world->bash("echo next").text.startsWith("next\n"));
        QTRY_VERIFY(!isRunning(m_sleep));
    }
    void cutsLongOutput() {
        const ToolAnswer answer = m_world->bash("seq 1 100000");
        QVERIFY(answer.text.toUtf8().size() <= 16 * 1024);
        QVERIFY2(answer.text.startsWith("1\n2\n3\n"), qPrintable(answer.text.left(100)));
        QVERIFY2(answer.text.contains("\n100000\n(exit code 0"), qPrintable(answer.text.right(200)));
        QVERIFY2(answer.text.contains("left out here. The whole is in .warpwright-output/1.txt"),
                 qPrintable(answer.text.mid(7000, 2000)));
        QVERIFY(textOf(m_world->inWork(".warpwright-output/1.txt")).endsWith("99999\n100000\n"));
        const ToolAnswer rest =
            m_world->call("read", {{"path", ".warpwright-output/1.txt"}, {"offset", 50000}, {"limit", 1}});
        QVERIFY2(rest.text.contains("50000\t50000"), qPrintable(rest.text));
    }
    void writesNoOutputThroughALink() {
        m_world->scratch.write("outside/file", "before");
        const QString to = m_world->scratch.path("outside/file");
        (void)m_world->bash("ln -s " + to + " .warpwright-output/1.txt");
        (void)m_world->bash("seq 1 100000");
        QCOMPARE(textOf(to), QByteArray("before"));
        (void)m_world->bash("rm -r .warpwright-output; ln -s " + m_world->scratch.path("outside") +
                            " .warpwright-output");
        const ToolAnswer answer = m_world->bash("seq 1 100000");
        QVERIFY(!QFile::exists(m_world->scratch.path("outside/2.txt")));
        QVERIFY2(answer.text.contains("left out here …"), qPrintable(answer.text.mid(7000, 2000)));
    }
    void endsAFlood() {
        const ToolAnswer answer = m_world->bash("yes 'a flood of words that does not end'", 60);
        QCOMPARE(answer.outcome, Outcome::Failed);
        QVERIFY2(answer.text.contains("(killed: it printed over"), qPrintable(answer.text.right(300)));
        QVERIFY2(answer.text.contains("The first 8.00 MiB are in"), qPrintable(answer.text.mid(6500, 2500)));
        QVERIFY(m_world->bash("echo next").text.startsWith("next\n"));
    }
    void showsBytesThatAreNoText() {
        const ToolAnswer answer =
            m_world->bash("printf 'a\\033[31mb\\377c\\0d\\n'; head -c 100000 /dev/urandom");
        QVERIFY(answer.text.startsWith(QString::fromUtf8("a?[31mb\xEF\xBF\xBD"
                                                         "c?d\n")));
        QVERIFY(answer.text.toUtf8().size() <= 16 * 1024);
        QVERIFY(!answer.text.contains(QChar(0x1b)));
    }
    void takesALargeCommand() {
        const ToolAnswer answer =
            m_world->bash("cat <<'X' | wc -c\n" + QString(2 * 1024 * 1024, 'x') + "\nX\n", 120);
        QVERIFY2(answer.text.startsWith("2097153\n"), qPrintable(answer.text.left(300)));
    }
    void putsBackWhatIsTheTasks() {
        const ToolAnswer answer =
            m_world->bash("echo '# mine' >> model.py; rm utils/compile.sh; echo x > helper.py; "
                          "ln -s /etc/hostname kernels/leak.cu; echo y > kernels/b.cu");
        QVERIFY2(answer.text.contains("model.py was changed: it is the task's own, and was put back"),
                 qPrintable(answer.text));
        QVERIFY2(answer.text.contains("utils/compile.sh was gone"), qPrintable(answer.text));
        QVERIFY2(answer.text.contains("kernels/leak.cu was no regular file"), qPrintable(answer.text));
        QVERIFY2(
            answer.text.contains("not part of the candidate, which is model_new.py and kernels/: helper.py"),
            qPrintable(answer.text));
        CandidateTexts wanted = m_world->request.texts;
        wanted["kernels/b.cu"] = "y\n";
        QCOMPARE(m_world->box->texts().value(), wanted);
        QVERIFY(QFile::exists(m_world->inWork("utils/compile.sh")));
    }
    void isStoppedByACancel() {
        std::vector<std::pair<QString, Outcome>> ended;
        connect(m_world->box.get(), &Toolbox::ended, this,
                [&ended](const QString &id, const ToolAnswer &answer) {
                    ended.emplace_back(id, answer.outcome);
                });
        m_world->box->call("long", "bash", {{"command", "echo $$ > pid; sleep 300"}});
        QVERIFY(pidFrom(m_world->inWork("pid")) > 0);
        QElapsedTimer clock;
        clock.start();
        m_world->box->cancel();
        QTRY_COMPARE(ended.size(), std::size_t(1));
        QCOMPARE(ended[0].second, Outcome::Cancelled);
        QVERIFY(clock.elapsed() < 2000);
        QVERIFY(
            m_world->bash("echo next; cat /proc/[0-9]*/cmdline | tr '\\0' ' '").text.startsWith("next\n"));
    }
    void diesWithItsToolbox() {
        m_world->box->call("long", "bash", {{"command", toJson("echo $$ > pid; " + m_sleep)}});
        QVERIFY(pidFrom(m_world->inWork("pid")) > 0);
        QTRY_VERIFY(isRunning(m_sleep));
        m_world->box.reset();
        QTRY_VERIFY(!isRunning(m_sleep));
    }

    void knowsCudaAgentsScripts_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<bool>("starts");
        QTest::addColumn<QString>("without");
        const auto row = [](const char *command, bool starts, const char *without) {
            QTest::newRow(command) << QString(command) << starts << QString(without);
        };
        row("bash utils/compile.sh", true, "bash utils/compile.sh");
        row("TORCH_CUDA_ARCH_LIST=9.0 bash utils/compile.sh", true,
            "TORCH_CUDA_ARCH_LIST=9.0 bash utils/compile.sh");
        row("sudo python3 -m utils.verification", true, "python3 -m utils.verification");
        row("cd x && sudo -E python3 -m utils.profiling --iters 3", true,
            "cd x && python3 -m utils.profiling --iters 3");
        row("python3 utils/profiling.py", true, "python3 utils/profiling.py");
        row("./utils/compile.sh", true, "./utils/compile.sh");
        row("sudo ./utils/compile.sh", true, "./utils/compile.sh");
        row("sudo -u root --preserve-env=PATH python3 -m utils.profiling", true,
            "python3 -m utils.profiling");
        row("sudo -- python3 -m utils.profiling", true, "python3 -m utils.profiling");
        row("time sudo python3 -m utils.profiling", true, "time python3 -m utils.profiling");
        row("timeout 60 sudo -n python3 -m utils.verification", true,
            "timeout 60 python3 -m utils.verification");
        row("for i in 1 2; do sudo python3 -m utils.profiling; done", true,
            "for i in 1 2; do python3 -m utils.profiling; done");
        row("if ! A=1 sudo python3 -m utils.verification; then sudo ls; fi", true,
            "if ! A=1 python3 -m utils.verification; then ls; fi");
        row("echo do sudo x", false, "echo do sudo x");
        row("cat utils/compile.sh", false, "cat utils/compile.sh");
        row("ls utils/", false, "ls utils/");
        row("grep -rn sudo utils", false, "grep -rn sudo utils");
        row("python3 -c 'import torch'", false, "python3 -c 'import torch'");
    }
    void knowsCudaAgentsScripts() {
        QFETCH(QString, command);
        QFETCH(bool, starts);
        QFETCH(QString, without);
        QCOMPARE(startsUtils(command), starts);
        QCOMPARE(withoutSudo(command), without);
    }

private:
    [[nodiscard]] static bool isRunning(const QString &command) {
        const QStringList numbers = QDir("/proc").entryList(QDir::Dirs);
        return std::any_of(numbers.begin(), numbers.end(), [&](const QString &pid) {
            return textOf("/proc/" + pid + "/cmdline").replace('\0', ' ').trimmed() == command.toUtf8();
        });
    }
    /// Found among all processes of this machine, whose others sleep as well.
    const QString m_sleep = QStringLiteral("sleep 300.%1").arg(QCoreApplication::applicationPid());
    std::unique_ptr<ToolsWorld> m_world;
};

QObject *makeTestBashTool() {
    return new TestBashTool;
}

#include "tst_bash_tool.moc"
