// SPDX-License-Identifier: GPL-3.0-or-later
// The sandbox around a candidate, tried from inside by a candidate, and from outside by killing at bad
// moments.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/row_share.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/setup/sandbox_facts.h"

#include <QDirIterator>
#include <QFile>
#include <QRandomGenerator>
#include <QTest>

#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace warpwright;

namespace {

/// A door on 127.0.0.1 that notices when somebody knocks.
class Listener {
public:
    Listener() : m_socket(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (bind(m_socket, reinterpret_cast<sockaddr *>(&address), size) == 0 && listen(m_socket, 4) == 0 &&
            getsockname(m_socket, reinterpret_cast<sockaddr *>(&address), &size) == 0)
            port = ntohs(address.sin_port);
    }
    ~Listener() { close(m_socket); }
    Listener(const Listener &) = delete;
    Listener &operator=(const Listener &) = delete;
    [[nodiscard]] bool wasReached() const {
        const int stream = accept(m_socket, nullptr, nullptr);
        if (stream >= 0)
            close(stream);
        return stream >= 0;
    }

    int port = 0;

private:
    int m_socket;
};

} // namespace

class TestSandbox : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    /// Why this kernel has no such sandbox; empty: it has.
    static QString whyNot(const QString &kind) {
        const SandboxFacts facts = findSandboxFacts();
        if (kind == QLatin1String("namespaces") && !facts.mayMakeUserNamespace)
            return "this kernel refuses user namespaces: " + facts.whyNoUserNamespace;
        if (kind == QLatin1String("landlock") && (facts.landlockAbi == 0 || !facts.hasSeccompFilter))
            return "this kernel has no Landlock or no filters";
        return {};
    }

    [[nodiscard]] CliOutcome check(const QString &folder, const QString &stages = "compile,verify") const {
        return m_world.run({"check", folder, "--device", "cpu", "--stages", stages, "--json"}, 300000);
    }

    [[nodiscard]] QString candidate(const QByteArray &text) const {
        const QString folder = m_world.workspace("base", "sandbox");
        (void)m_world.write(folder + "/model_new.py", text);
        return folder;
    }

    static QString reason(const CliOutcome &outcome) { return stringIn(outcome.document["message"], "why"); }

    static QStringList survivors(const QString &name) {
        QStringList found;
        for (const QString &entry : QDir("/proc").entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            QFile file("/proc/" + entry + "/comm");
            if (entry[0].isDigit() && file.open(QIODevice::ReadOnly) &&
                file.readAll().trimmed() == name.toUtf8())
                found << entry;
        }
        return found;
    }

    void verifyNothingIsLeft() {
        QStringList left;
        for (const ProcessFact &fact : processesBelow())
            left << describe(fact);
        QVERIFY2(left.isEmpty(), qPrintable(left.join('\n')));
        QVERIFY(survivors("wall-survivor").isEmpty());
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        adoptOrphans(); // so that what outlives wright is seen below this process
    }

    void init() { m_world.environment.remove("WARPWRIGHT_WALL_MEMORY_MIB"); }

    void everyWayOutIsClosed_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("isSandbox");
        QTest::newRow("namespaces") << "namespaces" << true;
        QTest::newRow("landlock") << "landlock" << true;
        QTest::newRow("none: the attacks are real") << "none" << false;
    }

    void everyWayOutIsClosed() {
        QFETCH(QString, kind);
        QFETCH(bool, isSandbox);
        if (const QString why = whyNot(kind); !why.isEmpty())
            QSKIP(qPrintable(why));
        QTemporaryDir outside;
        QFile::setPermissions(outside.path(), QFile::Permissions(0x7777));
        const Listener listener;
        QVERIFY(listener.port != 0);
        m_world.environment.insert("WARPWRIGHT_WALL", kind);
        m_world.environment.insert("SECRET_OF_THE_TEST", "hush");
        const QString folder = m_world.workspace("wall-attacks");
        QFile file(folder + "/model_new.py");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        file.close();
        text.replace("@MODEL@", (folder + "/model.py").toUtf8());
        text.replace("@SECRET@", m_world.write("secret", "hush").toUtf8());
        text.replace("@OUTSIDE@", outside.path().toUtf8());
        text.replace("@PORT@", QByteArray::number(listener.port));
        (void)m_world.write(file.fileName(), text);

        const CliOutcome outcome = check(folder);
        QCOMPARE(outcome.verdict(), QString("run-failed"));
        const OrderedJson sandbox = outcome.document["integrity"]["wall"];
        QCOMPARE(stringIn(sandbox, "kind"), kind);
        QVERIFY2(reason(outcome).contains("18 ways tried"), outcome.words());
        if (isSandbox) {
            QVERIFY2(reason(outcome).contains("open: []"), outcome.words());
            QVERIFY(!QFile::exists(outside.filePath("written")));
            QVERIFY(!listener.wasReached());
            QVERIFY(sandbox["tried"].size() >= 9);
        } else {
            for (const char *way :
                 {"read the reference", "write a file", "connect", "signal", "fork", "execute"})
                QVERIFY2(reason(outcome).contains(way), outcome.words());
            QVERIFY2(!reason(outcome).contains("the test's environment"), outcome.words());
            QVERIFY(listener.wasReached());
            QVERIFY(!sandbox["lacks"].empty());
        }
        const QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
        verifyNothingIsLeft();
    }

    void endsOnlyThatWorker_data() {
        QTest::addColumn<QByteArray>("act");
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<QString>("word");
        const auto bytes = [](const char *name, const QByteArray &what, const char *verdict,
                              const char *word) {
            QTest::newRow(name) << QByteArray(
                                       "for name in os.listdir('/proc/self/fd'):\n"
                                       "            try: socket.socket(fileno=os.dup(int(name))).sendall(") +
                                       what + ")\n            except OSError: pass"
                                << QString(verdict) << QString(word);
        };
        // After a length that may be: one by chance is, once in 64 times, of a message that never comes.
        bytes("garbage", "struct.pack('<I', 4092) + os.urandom(4092)", "run-failed", "ended");
        bytes("a huge message", "struct.pack('<I', 0x7fffffff) + b'x' * 100000", "run-failed", "ended");
        bytes("a truncated message", "struct.pack('<I', 1000) + b'{}'); os._exit(3", "run-failed", "exit(3)");
        bytes("an answer of another type", "struct.pack('<I', 14) + b'{\"outputs\": 5}'", "wrong", "returns");
        bytes("an answer without its fields", "struct.pack('<I', 2) + b'{}'", "run-failed", "no answer");
        QTest::newRow("a bomb of memory")
            << QByteArray("kept = [bytearray(1 << 26) for _ in range(1000000)]") << "run-failed"
            << "memory";
        QTest::newRow("a bomb of threads")
            << QByteArray("import threading\n        for _ in range(100000): "
                          "threading.Thread(target=threading.Event().wait, daemon=True).start()")
            << "run-failed"
            << "thread";
        QTest::newRow("a flood of words")
            << QByteArray("[print('x' * 65536) for _ in range(2000)]") << "wrong"
            << "";
    }

    void endsOnlyThatWorker() {
        TAKE_TURNS(3);
        QFETCH(QByteArray, act);
        QFETCH(QString, verdict);
        QFETCH(QString, word);
        m_world.environment.remove("WARPWRIGHT_WALL");
        m_world.environment.insert("WARPWRIGHT_WALL_MEMORY_MIB", "1500");
        const CliOutcome outcome = check(candidate("import os, socket, struct, torch\n"
                                                   "class ModelNew(torch.nn.Module):\n"
                                                   "    def __init__(self, *a, **k):\n"
                                                   "        super().__init__()\n"
                                                   "    def load_state_dict(self, *a, **k): pass\n"
                                                   "    def forward(self, *inputs):\n"
                                                   "        " +
                                                   act + "\n        return torch.zeros_like(inputs[0])\n"));
        QVERIFY2(outcome.verdict() == verdict, outcome.words());
        const QString said = reason(outcome) + stringIn(outcome.document["message"], "what");
        QVERIFY2(said.contains(word), outcome.words());
        verifyNothingIsLeft();
    }

    void isGoneAfterAKillAtAnyMoment_data() {
        QTest::addColumn<QString>("victim");
        QTest::addColumn<int>("afterMs");
        const int count = std::max(4, qEnvironmentVariableIntValue("WARPWRIGHT_KILLS"));
        const QStringList victims{"wright-referee", "python"};
        for (int i = 0; i < count; ++i) {
            const int afterMs = QRandomGenerator::global()->bounded(500, 9000);
            QTest::addRow("%s after %d ms", qPrintable(victims[i % 2]), afterMs) << victims[i % 2] << afterMs;
        }
    }

    void isGoneAfterAKillAtAnyMoment() {
        QFETCH(QString, victim);
        QFETCH(int, afterMs);
        m_world.environment.remove("WARPWRIGHT_WALL");
        const QString folder = m_world.workspace("base");
        const CliOutcome outcome =
            m_world.runAnd({"check", folder, "--device", "cpu", "--json"}, "", [&](qint64 wright) {
                QTest::qSleep(afterMs);
                std::vector<ProcessFact> below = processesBelow(wright);
                std::erase_if(below, [&](const ProcessFact &fact) { return !fact.name.startsWith(victim); });
                if (!below.empty()) {
                    const auto at = QRandomGenerator::global()->bounded(static_cast<int>(below.size()));
                    ::kill(static_cast<pid_t>(below[static_cast<std::size_t>(at)].pid), SIGKILL);
                }
            });
        // Whatever was hit: an answer that obeys the schema, no process, no torn file.
        const QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints + outcome.words()));
        verifyNothingIsLeft();
        for (const QString &place : {folder + "/.warpwright", testState("/cache/warpwright")}) {
            QDirIterator files(place, {"*.json"}, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                QVERIFY2(parseJson(file.readAll()).hasValue(), qPrintable(file.fileName()));
            }
        }
    }
};

QObject *makeTestSandbox() {
    return new TestSandbox;
}

#include "tst_sandbox.moc"
