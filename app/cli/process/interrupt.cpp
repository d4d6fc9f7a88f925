// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/process/interrupt.h"

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
volatile std::sig_atomic_t firstPauses = 0;
pid_t owner = 0;

void say(const char *words, std::size_t size) {
    // What cannot be written is not waited for: the stop itself is what counts.
    [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, words, size);
}

// Only what is safe in a signal handler: getpid(), write() and _exit().
void onSignal(int number) {
    static constexpr char stopping[] = "\nstopping … (Ctrl-C again kills at once)\n";
    static constexpr char killing[] = "\nkilling everything …\n";
    static constexpr char pausing[] = "\npausing … (Ctrl-C again stops)\n";
    static constexpr char ending[] = "\nstopping …\n";
    // A process of ours that is cancelled before it has become another program still has this handler, and
    // our pipe: it ends, and nobody has stopped us.
    if (getpid() != owner)
        _exit(128 + number);
    const int savedError = errno;
    const bool isEnd = firstPauses != 0 && number != SIGINT;
    interruptCount = interruptCount + (isEnd && interruptCount == 0 ? 2 : 1);
    if (interruptCount > 2)
        _exit(130);
    const char byte = isEnd ? 'e' : 'i';
    if (firstPauses != 0)
        interruptCount == 1 ? say(pausing, sizeof pausing - 1) : say(ending, sizeof ending - 1);
    else
        interruptCount == 1 ? say(stopping, sizeof stopping - 1) : say(killing, sizeof killing - 1);
    [[maybe_unused]] const ssize_t ignored = write(pipeEnds[1], &byte, 1);
    errno = savedError;
}

} // namespace

Interrupt::Interrupt(First first, QObject *parent) : QObject(parent) {
    interruptCount = 0;
    owner = getpid();
    firstPauses = first == First::Pauses ? 1 : 0;
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
        m_count += bytes[i] == 'e' && m_count == 0 ? 2 : 1;
        if (m_count == 1)
            emit stopAsked();
        else
            emit killAsked();
    }
}

} // namespace warpwright
