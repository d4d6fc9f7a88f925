// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace warpwright {
namespace {

constexpr std::array signals_{SIGINT, SIGTERM, SIGHUP};
int pipeEnds[2] = {-1, -1};
volatile std::sig_atomic_t interruptCount = 0;

// Only what is safe in a signal handler: write() and _exit().
void onSignal(int) {
    static constexpr char stopping[] = "\nstopping … (Ctrl-C again kills at once)\n";
    static constexpr char killing[] = "\nkilling everything …\n";
    const int savedError = errno;
    interruptCount = interruptCount + 1;
    if (interruptCount > 2)
        _exit(130);
    const char byte = 'i';
    // What cannot be written is not waited for: the stop itself is what counts.
    [[maybe_unused]] ssize_t ignored = interruptCount == 1
                                           ? write(STDERR_FILENO, stopping, sizeof stopping - 1)
                                           : write(STDERR_FILENO, killing, sizeof killing - 1);
    ignored = write(pipeEnds[1], &byte, 1);
    errno = savedError;
}

} // namespace

Interrupt::Interrupt(QObject *parent) : QObject(parent) {
    interruptCount = 0;
    if (pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0)
        return; // no descriptors left: Ctrl-C then ends the program as it always would
    m_notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &Interrupt::read);
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    for (const int number : signals_)
        sigaction(number, &action, nullptr);
}

Interrupt::~Interrupt() {
    if (m_notifier == nullptr)
        return;
    for (const int number : signals_)
        std::signal(number, SIG_DFL);
    close(pipeEnds[0]);
    close(pipeEnds[1]);
}

void Interrupt::read() {
    char bytes[16];
    const ssize_t count = ::read(pipeEnds[0], bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; ++i) {
        ++m_count;
        if (m_count == 1)
            emit stopAsked();
        else
            emit killAsked();
    }
}

} // namespace warpwright
