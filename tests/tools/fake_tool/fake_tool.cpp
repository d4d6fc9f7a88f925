// SPDX-License-Identifier: GPL-3.0-or-later
// A program that behaves badly on demand. Its switches are carried out from left to right:
//   --print TEXT, --error TEXT   a line on stdout, on stderr
//   --flood MEGABYTES            that much text on stdout
//   --echo                       stdin to stdout until it ends
//   --environment NAME           the value of a variable on stdout
//   --write FILE TEXT            a file
//   --folder                     the folder it runs in on stdout
//   --ignore-term                SIGTERM has no effect from here on
//   --spawn-child FILE           a child that hangs; its pid into FILE
//   --spawn-daemon FILE          a child in a session of its own that hangs; its pid into FILE
//   --sleep MILLISECONDS
//   --hang                       for ever
//   --crash                      by SIGSEGV
//   --exit CODE
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

[[noreturn]] void hang() {
    for (;;)
        pause();
}

void spawn(const std::string &file, bool inOwnSession) {
    const pid_t child = fork();
    if (child == 0) {
        if (inOwnSession)
            setsid();
        hang();
    }
    // Renamed when whole: the test waits for the name.
    std::ofstream(file + ".part") << child;
    std::rename((file + ".part").c_str(), file.c_str());
}

void echo() {
    // Not << rdbuf(): that breaks the stream when there is nothing to copy.
    for (char c; std::cin.get(c);)
        std::cout.put(c);
    std::cout.flush();
}

void flood(long megabytes) {
    const std::string line(1023, 'x');
    for (long i = 0; i < megabytes * 1024; ++i)
        std::puts(line.c_str());
}

} // namespace

int main(int argc, char **argv) {
    int at = 1;
    const auto next = [&] {
        return at + 1 < argc ? std::string(argv[++at]) : std::string();
    };
    for (; at < argc; ++at) {
        const std::string what = argv[at];
        if (what == "--print")
            std::cout << next() << std::endl;
        else if (what == "--error")
            std::cerr << next() << std::endl;
        else if (what == "--flood")
            flood(std::stol(next()));
        else if (what == "--echo")
            echo();
        else if (what == "--environment") {
            const char *value = std::getenv(next().c_str());
            std::cout << (value ? value : "(unset)") << std::endl;
        } else if (what == "--write") {
            const std::string file = next();
            std::ofstream(file) << next();
        } else if (what == "--folder") {
            char folder[4096];
            std::cout << (getcwd(folder, sizeof folder) ? folder : "?") << std::endl;
        } else if (what == "--ignore-term")
            std::signal(SIGTERM, SIG_IGN);
        else if (what == "--spawn-child")
            spawn(next(), false);
        else if (what == "--spawn-daemon")
            spawn(next(), true);
        else if (what == "--sleep")
            std::this_thread::sleep_for(std::chrono::milliseconds(std::stol(next())));
        else if (what == "--hang")
            hang();
        else if (what == "--crash") {
            std::signal(SIGSEGV, SIG_DFL); // a sanitizer would turn it into an exit code
            std::raise(SIGSEGV);
        } else if (what == "--exit")
            return std::stoi(next());
    }
    return 0;
}
