// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/process/hidden_input.h"

#include "app/cli/process/terminal.h"

#include <QByteArray>

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

namespace warpwright {
namespace {

constexpr qsizetype mostBytes = 64 * 1024;

/// No echo, and no signal that would leave it off.
class SilentTerminal {
public:
    SilentTerminal() {
        sigset_t signals_;
        sigemptyset(&signals_);
        for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGQUIT})
            sigaddset(&signals_, number);
        sigprocmask(SIG_BLOCK, &signals_, &m_before);
        m_signals = signalfd(-1, &signals_, SFD_CLOEXEC);
        if (tcgetattr(STDIN_FILENO, &m_shown) != 0)
            return;
        m_isTerminal = true;
        termios silent = m_shown;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        silent.c_lflag |= ECHONL;
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    }
    ~SilentTerminal() {
        if (m_isTerminal)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &m_shown);
        if (m_signals >= 0)
            close(m_signals);
        sigprocmask(SIG_SETMASK, &m_before, nullptr);
    }
    SilentTerminal(const SilentTerminal &) = delete;
    SilentTerminal &operator=(const SilentTerminal &) = delete;

    [[nodiscard]] int signalsDescriptor() const { return m_signals; }
    /// So that it does not end us when signals are let through again.
    void takeSignal() const {
        signalfd_siginfo taken;
        [[maybe_unused]] const ssize_t ignored = read(m_signals, &taken, sizeof taken);
    }

private:
    termios m_shown{};
    sigset_t m_before{};
    int m_signals = -1;
    bool m_isTerminal = false;
};

} // namespace

std::optional<QString> readHiddenLine(const QString &prompt) {
    const bool isTerminal = isatty(STDIN_FILENO) == 1;
    if (isTerminal)
        print(STDERR_FILENO, prompt);
    const SilentTerminal silent;
    QByteArray line;
    while (!line.contains('\n') && line.size() < mostBytes) {
        pollfd waits[] = {{STDIN_FILENO, POLLIN, 0}, {silent.signalsDescriptor(), POLLIN, 0}};
        if (poll(waits, 2, -1) < 0 && errno != EINTR)
            break;
        if ((waits[1].revents & POLLIN) != 0) {
            silent.takeSignal();
            return std::nullopt;
        }
        if (waits[0].revents == 0)
            continue;
        char bytes[4096];
        const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
        if (count <= 0)
            break;
        line.append(bytes, count);
    }
    return QString::fromUtf8(line.left(line.indexOf('\n'))).trimmed();
}

} // namespace warpwright
