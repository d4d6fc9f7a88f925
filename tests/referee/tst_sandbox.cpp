// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/sandbox_plan.h"
#include "referee/sandbox/sandbox.h"
#include "referee/sandbox/sandbox_filter.h"
#include "referee/sandbox/sandbox_landlock.h"
#include "referee/sandbox/sandbox_namespaces.h"
#include "referee/sandbox/sandbox_probe.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <cerrno>
#include <cstddef>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpwright {

class SandboxTest : public QObject {
    Q_OBJECT

    /// What the kernel would do: the few instructions that the filter uses.
    static uint32_t judged(const std::vector<sock_filter> &program, uint32_t call,
                           const std::vector<uint64_t> &arguments = {}) {
        seccomp_data data{};
        data.nr = static_cast<int>(call);
        data.arch = AUDIT_ARCH_X86_64;
        std::copy(arguments.begin(), arguments.end(), data.args);
        uint32_t value = 0;
        for (size_t at = 0; at < program.size(); ++at) {
            const sock_filter &line = program[at];
            bool yes = false;
            switch (line.code) {
            case BPF_LD | BPF_W | BPF_ABS:
                std::memcpy(&value, reinterpret_cast<const char *>(&data) + line.k, sizeof value);
                continue;
            case BPF_RET | BPF_K:
                return line.k;
            case BPF_JMP | BPF_JEQ | BPF_K:
                yes = value == line.k;
                break;
            case BPF_JMP | BPF_JGT | BPF_K:
                yes = value > line.k;
                break;
            case BPF_JMP | BPF_JSET | BPF_K:
                yes = (value & line.k) != 0;
                break;
            default:
                return 0xdeadu;
            }
            at += yes ? line.jt : line.jf;
        }
        return 0xdeadu;
    }

    static constexpr uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
    static constexpr uint32_t unheardOf = SECCOMP_RET_ERRNO | ENOSYS;
    static constexpr uint32_t allowed = SECCOMP_RET_ALLOW;

private slots:
    void readsWhatItWrites() {
        SandboxSpec spec;
        spec.kind = SandboxKind::Landlock;
        spec.readable = {"/usr", "/opt/a b"};
        spec.devices = {"/dev/nvidia0"};
        spec.folder = "/var/tmp";
        spec.user = 60001;
        spec.processes = 300;
        std::vector<std::string> words;
        const std::string text = sandboxWords(spec);
        for (size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
            words.push_back(text.substr(begin, end - begin));
        SandboxSpec read;
        size_t next = 0;
        QCOMPARE(readSandboxSpec(words, read, next), std::string());
        QCOMPARE(read.kind, spec.kind);
        QVERIFY(read.readable == spec.readable && read.devices == spec.devices && read.folder == spec.folder);
        QVERIFY(read.user == spec.user && read.processes == spec.processes);
    }

    void refusesOtherWords_data() {
        QTest::addColumn<QString>("words");
        QTest::newRow("no such option") << "--open x";
        QTest::newRow("no value") << "--kind";
        QTest::newRow("no such kind") << "--kind brick";
        QTest::newRow("no absolute path") << "--read usr";
        QTest::newRow("no number") << "--user -1";
        QTest::newRow("no number either") << "--processes many";
    }
    void refusesOtherWords() {
        QFETCH(QString, words);
        std::vector<std::string> list;
        for (const QString &word : words.split(' '))
            list.push_back(word.toStdString());
        SandboxSpec spec;
        size_t next = 0;
        QVERIFY(!readSandboxSpec(list, spec, next).empty());
    }

    void neverShowsTheReferenceOrTheHome() {
        const auto paths =
            safePaths({"/usr", "/usr/lib", "/home/you", "/", "/home/you/env/lib", "relative", "/srv"},
                      {"/srv/task/model.py", "/home/you"});
        QVERIFY((paths == std::vector<std::string>{"/home/you/env/lib", "/usr"}));
    }

    void filtersSystemCalls_data() {
#if !defined(__x86_64__)
        QSKIP("the rows have the numbers of x86-64");
#endif
        using List = QList<quint64>;
        QTest::addColumn<int>("profile");
        QTest::addColumn<uint>("call");
        QTest::addColumn<QList<quint64>>("arguments");
        QTest::addColumn<uint>("answer");
        const auto row = [](const char *name, SandboxProfile profile, long call, const List &arguments,
                            uint32_t answer) {
            QTest::newRow(name) << static_cast<int>(profile) << static_cast<uint>(call) << arguments
                                << answer;
        };
        const auto run = SandboxProfile::Run;
        row("read", run, SYS_read, {}, allowed);
        row("ioctl", run, SYS_ioctl, {}, allowed);
        row("a thread", run, SYS_clone, {CLONE_THREAD | CLONE_VM}, allowed);
        row("a process", run, SYS_clone, {SIGCHLD}, refused);
        row("a compiler's process", SandboxProfile::Build, SYS_clone, {SIGCHLD}, allowed);
        row("a namespace", SandboxProfile::Build, SYS_clone, {CLONE_NEWUSER | SIGCHLD}, refused);
        row("clone3", SandboxProfile::Build, SYS_clone3, {}, unheardOf);
        row("a program", run, SYS_execve, {}, refused);
        row("a compiler's program", SandboxProfile::Build, SYS_execve, {}, allowed);
        row("a unix socket", run, SYS_socket, {AF_UNIX}, allowed);
        row("an internet socket", run, SYS_socket, {AF_INET}, refused);
        row("a netlink socket", SandboxProfile::Build, SYS_socket, {AF_NETLINK}, refused);
        row("an answer to the judge", run, SYS_sendto, {3, 0, 0, 0, 0}, allowed);
        row("a letter to an address", run, SYS_sendto, {3, 0, 0, 0, quint64{1} << 40}, refused);
        row("connect", run, SYS_connect, {}, refused);
        row("ptrace", SandboxProfile::Tools, SYS_ptrace, {}, refused);
        row("a signal to itself", run, SYS_kill, {77, 9}, allowed);
        row("a signal to another", run, SYS_kill, {78, 9}, refused);
        row("another's limits", run, SYS_prlimit64, {78}, refused);
        row("outliving its parent", run, SYS_prctl, {1, 0}, refused);
        row("a newer call", run, 451, {}, unheardOf);
        row("x32", run, 0x40000000 | SYS_read, {}, unheardOf);
    }
    void filtersSystemCalls() {
        QFETCH(int, profile);
        QFETCH(uint, call);
        QFETCH(QList<quint64>, arguments);
        QFETCH(uint, answer);
        const auto program = filterProgram(static_cast<SandboxProfile>(profile), 77);
        QCOMPARE(judged(program, call, {arguments.begin(), arguments.end()}), answer);
    }

    void isShutOnBothSides_data() {
        QTest::addColumn<bool>("hasSandbox");
        QTest::newRow("under Landlock and the filter") << true;
        QTest::newRow("without: the attempts are real") << false;
    }
    void isShutOnBothSides() {
        QFETCH(bool, hasSandbox);
        if (landlockVersion() == 0)
            QSKIP("this kernel has no Landlock");
        const pid_t parent = getpid();
        const pid_t child = fork();
        if (child == 0) {
            SandboxSpec spec;
            spec.kind = SandboxKind::Landlock;
            spec.folder = "/";
            if (hasSandbox && !enclose(spec, {}).empty())
                _exit(100);
            int open = 0;
            for (const SandboxAttempt &tried : tryToGetOut({"/proc/version", "", 0, parent, ""}))
                open += tried.wasStopped ? 0 : 1;
            _exit(open);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status));
        if (hasSandbox)
            QCOMPARE(WEXITSTATUS(status), 0);
        else
            QVERIFY(WEXITSTATUS(status) >= 3 && WEXITSTATUS(status) < 100);
    }

    void nothingOutlivesItsNamespace() {
        int ends[2];
        QCOMPARE(pipe(ends), 0);
        const pid_t helper = fork();
        if (helper == 0) {
            if (!leaveNamespaces().empty())
                _exit(1);
            const pid_t first = fork();
            if (first == 0) {
                if (fork() == 0) { // the child that ends
                    if (fork() == 0) {
                        setsid();
                        sleep(600); // holds the pipe open
                    }
                    _exit(5);
                }
                _exit(0); // and everything in here with it
            }
            waitpid(first, nullptr, 0);
            _exit(0);
        }
        close(ends[1]);
        int status = 0;
        waitpid(helper, &status, 0);
        if (WEXITSTATUS(status) == 1)
            QSKIP("this kernel refuses namespaces");
        char letter = 0;
        QCOMPARE(read(ends[0], &letter, 1), ssize_t{0}); // nobody holds the other end
        close(ends[0]);
    }
};

QObject *sandboxTest() {
    return new SandboxTest;
}

} // namespace warpwright

#include "tst_sandbox.moc"
