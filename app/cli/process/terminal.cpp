// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/process/terminal.h"

#include <QByteArray>

#include <cerrno>
#include <sys/ioctl.h>
#include <unistd.h>

namespace warpwright {

namespace {

int lost = 0;

} // namespace

Terminal terminalOf(int descriptor) {
    Terminal terminal;
    terminal.isTerminal = isatty(descriptor) == 1;
    // https://no-color.org: set and not empty, whatever its value.
    terminal.hasColours =
        terminal.isTerminal && qEnvironmentVariableIsEmpty("NO_COLOR") && qgetenv("TERM") != "dumb";
    winsize size{};
    if (terminal.isTerminal && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
        terminal.columns = size.ws_col;
    return terminal;
}

int lostOutput() {
    return lost;
}

void print(int descriptor, const QString &text) {
    const QByteArray bytes = text.toUtf8();
    qsizetype written = 0;
    while (written < bytes.size()) {
        const ssize_t now =
            ::write(descriptor, bytes.constData() + written, static_cast<size_t>(bytes.size() - written));
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0) {
            if (descriptor == STDOUT_FILENO && lost == 0)
                lost = now < 0 ? errno : EIO;
            return;
        }
        written += now;
    }
}

} // namespace warpwright
