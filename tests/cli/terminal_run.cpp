// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/terminal_run.h"

#include "tests/toolchain/places.h"

#include <QElapsedTimer>
#include <QTest>

#include <cstdlib>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

TerminalRun::TerminalRun(const QStringList &arguments, const QProcessEnvironment &environment) {
    m_terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (m_terminal < 0 || ::grantpt(m_terminal) != 0 || ::unlockpt(m_terminal) != 0)
        qFatal("no pseudo-terminal");
    winsize size{40, 100, 0, 0};
    ::ioctl(m_terminal, TIOCSWINSZ, &size);
    QProcessEnvironment with = environment;
    with.insert(QStringLiteral("TERM"), QStringLiteral("xterm"));
    with.insert(QStringLiteral("NO_COLOR"), QStringLiteral("1"));
    m_process.setProcessEnvironment(with);
    m_process.setChildProcessModifier([name = QByteArray(::ptsname(m_terminal))] {
        ::setsid();
        const int end = ::open(name.constData(), O_RDWR); // the controlling terminal of the new session
        for (const int descriptor : {0, 1, 2})
            ::dup2(end, descriptor);
    });
    m_process.start(wrightProgram(), arguments);
    m_process.waitForStarted();
}

TerminalRun::~TerminalRun() {
    m_process.kill();
    m_process.waitForFinished();
    ::close(m_terminal);
}

void TerminalRun::read() {
    char bytes[4096];
    for (ssize_t count = 1; count > 0;) {
        count = ::read(m_terminal, bytes, sizeof bytes);
        if (count > 0)
            m_said += QByteArray(bytes, static_cast<qsizetype>(count));
    }
}

bool TerminalRun::waitFor(const QByteArray &words, int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    for (;;) {
        read();
        if (const qsizetype at = m_said.indexOf(words, m_found); at >= 0) {
            m_found = at + words.size();
            return true;
        }
        if (clock.elapsed() > milliseconds || m_process.state() == QProcess::NotRunning)
            return false;
        QTest::qWait(20);
    }
}

void TerminalRun::type(const QByteArray &keys) const {
    const QByteArray typed = QByteArray(keys).replace('\n', '\r');
    if (::write(m_terminal, typed.constData(), static_cast<std::size_t>(typed.size())) != typed.size())
        qFatal("nobody reads what is typed");
}

int TerminalRun::waitForEnd(int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (m_process.state() != QProcess::NotRunning && clock.elapsed() < milliseconds) {
        read();
        QTest::qWait(20);
    }
    read();
    return m_process.state() == QProcess::NotRunning ? m_process.exitCode() : -1;
}
