// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/amputate/rehearsals.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sstream>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpwright {

namespace {

constexpr unsigned limitSeconds = 600;

std::vector<char *> pointers(std::vector<std::string> &texts) {
    std::vector<char *> result;
    for (std::string &text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

// What the judge's own interpreters get.
std::vector<std::string> environmentWith(const std::string &farm, const std::vector<std::string> &more) {
    std::vector<std::string> environment{"LANG=C.UTF-8",       "PYTHONDONTWRITEBYTECODE=1",
                                         "PYTHONSAFEPATH=1",   "PYTHONHASHSEED=0",
                                         "PYTHONPATH=" + farm, "PYTORCH_NVML_BASED_CUDA_CHECK=1"};
    for (const char *name : {"HOME", "USER", "PATH", "LD_LIBRARY_PATH"}) {
        if (const char *value = std::getenv(name))
            environment.push_back(std::string(name) + "=" + value);
    }
    environment.insert(environment.end(), more.begin(), more.end());
    return environment;
}

struct Started {
    pid_t process = -1;
    int output = -1; // an unlinked file: nobody has to read while it runs
};

std::string textOf(int file) {
    std::string text(static_cast<size_t>(lseek(file, 0, SEEK_END)), '\0');
    const ssize_t count = pread(file, text.data(), text.size(), 0);
    close(file);
    text.resize(count > 0 ? static_cast<size_t>(count) : 0);
    return text;
}

Started start(std::vector<std::string> arguments, std::vector<std::string> environment) {
    Started started;
    started.output = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (started.output < 0) // not every file system knows files without a name
        started.output = memfd_create("rehearsal", MFD_CLOEXEC);
    const std::vector<char *> argumentPointers = pointers(arguments);
    const std::vector<char *> environmentPointers = pointers(environment);
    started.process = started.output < 0 ? -1 : fork();
    if (started.process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(started.output, 1);
        dup2(started.output, 2);
        alarm(limitSeconds);
        execve(argumentPointers[0], argumentPointers.data(), environmentPointers.data());
        _exit(127);
    }
    if (started.process < 0)
        throw std::runtime_error(std::string("Cannot start the interpreter: ") + std::strerror(errno));
    return started;
}

} // namespace

std::vector<nlohmann::json> Rehearsals::run(const std::string &word,
                                            const std::vector<std::vector<std::string>> &environments) const {
    std::vector<Started> all;
    std::vector<std::string> command{m_python, m_script};
    std::istringstream words(word);
    for (std::string each; words >> each;)
        command.push_back(each);
    for (const std::vector<std::string> &more : environments)
        all.push_back(start(command, environmentWith(m_farm, more)));
    std::vector<nlohmann::json> answers;
    std::string problem;
    for (const Started &each : all) {
        int status = 0;
        while (waitpid(each.process, &status, 0) < 0 && errno == EINTR) {
        }
        std::string text = textOf(each.output);
        while (!text.empty() && text.back() == '\n')
            text.pop_back();
        const size_t line = text.rfind('\n');
        const nlohmann::json answer =
            nlohmann::json::parse(text.substr(line == std::string::npos ? 0 : line + 1), nullptr, false);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && answer.is_object()) {
            answers.push_back(answer);
            continue;
        }
        const std::string end = WIFSIGNALED(status)
                                    ? std::string("was ended by ") + strsignal(WTERMSIG(status))
                                    : "ended with " + std::to_string(WEXITSTATUS(status));
        // What Python says last is what went wrong.
        problem = "The rehearsal (" + word + ") " + end + ". " +
                  text.substr(line == std::string::npos ? 0 : line + 1).substr(0, 1500);
    }
    if (!problem.empty())
        throw std::runtime_error(problem);
    return answers;
}

} // namespace warpwright
