// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent_tools/tools_world.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTest>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace warpwright;
using Outcome = ToolAnswer::Outcome;

/// What a command cannot reach, tried for real.
class TestBashSandbox : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { NEED_SANDBOX(); }
    void init() {
        m_world = std::make_unique<ToolsWorld>();
        m_world->scratch.write("outside/secret", "the-marked-secret");
        m_world->scratch.write("cache/secret", "the-marked-secret");
        m_world->scratch.write("data/secret", "the-marked-secret");
        m_world->scratch.write("work/.warpwright/secret", "the-marked-secret");
        m_world->open();
    }

    void hidesWhatIsOutside_data() {
        QTest::addColumn<QString>("path");
        for (const char *path :
             {"outside/secret", "cache/secret", "data/secret", "work/.warpwright/secret", "work/model.py"})
            QTest::newRow(path) << QString(path);
    }
    void hidesWhatIsOutside() {
        QFETCH(QString, path);
        const QString file = m_world->scratch.path(path);
        QVERIFY(QFile::exists(file));
        for (const QString &command : {"cat " + file, "ln -sf " + file + " kernels/l; cat kernels/l",
                                       "cat < " + file, "cat /proc/self/root" + file,
                                       "cat /proc/1/root" + file, "cat $(pwd | sed 's#[^/]*#..#g')" + file}) {
            const ToolAnswer answer = m_world->bash(command);
            QVERIFY2(answer.outcome == Outcome::Failed, qPrintable(command + answer.text));
            QVERIFY2(!answer.text.contains("the-marked-secret") && !answer.text.contains("import torch"),
                     qPrintable(command + answer.text));
        }
        const ToolAnswer found = m_world->bash("grep -rs the-marked-secret / --include=secret; true");
        QVERIFY2(!found.text.contains("secret:the-marked"), qPrintable(found.text));
    }
    void hidesTheHome() {
        const QString home = QDir::homePath();
        const QString file = home + "/.warpwright-test-secret-" + QString::number(getpid());
        QFile secret(file);
        QVERIFY(secret.open(QIODevice::WriteOnly));
        secret.write("the-marked-secret");
        secret.close();
        const ToolAnswer read = m_world->bash("cat " + file);
        const ToolAnswer written = m_world->bash("echo x > " + home + "/.warpwright-test-written");
        QVERIFY(secret.remove());
        QVERIFY2(!read.text.contains("the-marked-secret"), qPrintable(read.text));
        QVERIFY(!QFile::exists(home + "/.warpwright-test-written"));
        QCOMPARE(written.outcome, Outcome::Failed);
    }
    void writesOnlyInTheWorkFolder() {
        const QString workspace = m_world->scratch.path("work");
        // Below its private /tmp a folder of the same name may be there; the one outside is another.
        for (const QString &place :
             {workspace + "/kernels/a.cu", workspace + "/new", m_world->scratch.path("outside/new"),
              m_world->scratch.path("cache/new"), QString("/usr/new"), QString("/etc/new")}) {
            (void)m_world->bash("echo x > " + place);
            QVERIFY2(!QFile::exists(place) || place.endsWith("a.cu"), qPrintable(place));
        }
        QCOMPARE(textOf(workspace + "/kernels/a.cu"), m_world->request.texts.at("kernels/a.cu"));
        QVERIFY(!QFile::exists(workspace + "/new"));
        QVERIFY(!QFile::exists(m_world->scratch.path("outside/new")));
        ToolAnswer answer =
            m_world->bash("echo x > kernels/b.cu && echo y > \"$TMPDIR/y\" && mktemp && cat kernels/b.cu");
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        answer = m_world->bash("echo z > /tmp/warpwright-test-private-" + QString::number(getpid()));
        QVERIFY(!QFile::exists("/tmp/warpwright-test-private-" + QString::number(getpid())));
    }
    void hasNoNetwork() {
        const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        QCOMPARE(bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
        QCOMPARE(listen(listener, 4), 0);
        socklen_t size = sizeof address;
        getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size);
        const QString port = QString::number(ntohs(address.sin_port));
        const ToolAnswer answer =
            m_world->bash("(echo hello > /dev/tcp/127.0.0.1/" + port + ") && echo CONNECTED");
        close(listener);
        QVERIFY2(!answer.text.contains("CONNECTED"), qPrintable(answer.text));
        QCOMPARE(answer.outcome, Outcome::Failed);
    }
    void seesNoOtherProcess() {
        const ToolAnswer answer = m_world->bash("kill -0 " + QString::number(getpid()) + " && echo REACHED");
        QVERIFY2(!answer.text.contains("REACHED"), qPrintable(answer.text));
        const ToolAnswer read = m_world->bash("cat /proc/" + QString::number(getpid()) + "/environ | wc -c");
        QVERIFY2(read.text.contains("\n0\n"), qPrintable(read.text));
    }
    void seesNothingOfOurEnvironment() {
        qputenv("WARPWRIGHT_TEST_KEY", "the-marked-secret");
        m_world->place.request.environment = QProcessEnvironment::systemEnvironment();
        m_world->open();
        const ToolAnswer answer =
            m_world->bash("env; cat /proc/self/environ /proc/$PPID/environ | tr '\\0' '\\n'");
        qunsetenv("WARPWRIGHT_TEST_KEY");
        QVERIFY2(!answer.text.contains("the-marked-secret"), qPrintable(answer.text));
        QVERIFY2(answer.text.contains("HOME=" + m_world->inWork(".warpwright-tmp")), qPrintable(answer.text));
    }
    void hasNoDevice() {
        const ToolAnswer answer = m_world->bash("ls /dev");
        QVERIFY2(!answer.text.contains("nvidia") && !answer.text.contains("kmsg"), qPrintable(answer.text));
    }
    void findsTheSystemsPrograms() {
        const ToolAnswer answer = m_world->bash("python3 -c 'print(6 * 7)' && g++ --version | head -1");
        QVERIFY2(answer.outcome == Outcome::Ok && answer.text.startsWith("42\n"), qPrintable(answer.text));
    }
    /// What torch.compile for a GPU rests on, in utils/profiling.py too.
    void hasWhatTritonAsks() {
        const ToolAnswer answer =
            m_world->bash("/sbin/ldconfig -p | grep -c libc.so && echo $TORCHINDUCTOR_COMPILE_THREADS");
        QVERIFY2(answer.outcome == Outcome::Ok && answer.text.contains("\n1\n"), qPrintable(answer.text));
    }

private:
    std::unique_ptr<ToolsWorld> m_world;
};

QObject *makeTestBashSandbox() {
    return new TestBashSandbox;
}

#include "tst_bash_sandbox.moc"
