// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/passes/pass_run.h"

#include "toolchain/passes/fatbin_text.h"
#include "toolchain/passes/stub_text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>

namespace warpwright {

namespace {

bool writeFile(const std::string &path, const std::string &text) {
    FILE *file = std::fopen(path.c_str(), "wbe");
    if (!file)
        return false;
    const bool isWritten = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && isWritten;
}

bool replace(PassWords &words, const std::string &old, const std::string &now) {
    const auto found = std::find(words.begin(), words.end(), old);
    if (found == words.end())
        return false;
    *found = now;
    return true;
}

} // namespace

std::optional<std::string> readPassFile(const std::string &path) {
    FILE *file = std::fopen(path.c_str(), "rbe");
    if (!file)
        return std::nullopt;
    std::string text;
    char bytes[65536];
    for (std::size_t count; (count = std::fread(bytes, 1, sizeof bytes, file)) > 0;)
        text.append(bytes, count);
    const bool isWhole = std::ferror(file) == 0;
    std::fclose(file);
    return isWhole ? std::optional(text) : std::nullopt;
}

PassRun::PassRun(PassPlan plan, Guesses guesses)
    : m_plan(std::move(plan)),
      m_guess(std::move(guesses)),
      m_cicc(m_plan.stub + ".whole"),
      m_embedded(m_plan.embedded + ".whole") {}

std::optional<int> PassRun::run() {
    const auto code = runAll();
    // nvcc will write to the same files: a killed g++ would leave its cc1plus behind, at work on them.
    if (!code)
        for (Pass &pass : m_passes)
            pass.process.await();
    return code;
}

std::optional<int> PassRun::runAll() {
    if (!prepare() || !startAll())
        return std::nullopt;
    for (;;) {
        std::vector<pollfd> polled;
        for (std::size_t i = 0; i <= std::min(m_last, join); ++i)
            m_passes[i].process.addTo(polled);
        if (polled.empty())
            break;
        awaitAny(polled);
        for (std::size_t i = 0; i < m_passes.size(); ++i)
            if (m_passes[i].process.isRunning() && m_passes[i].process.read() && !ended(i))
                return std::nullopt;
        if (!startAll())
            return std::nullopt;
    }
    return say();
}

bool PassRun::prepare() {
    for (const auto &[name, value] : m_plan.variables)
        setenv(name.c_str(), value.c_str(), 1);
    for (std::size_t i = 0; i < passCount; ++i)
        m_passes[i].words = m_plan.commands[i];
    m_guessesModuleId = !m_guess.moduleId.empty() &&
                        writeFile(m_plan.moduleId + ".guess", m_guess.moduleId) &&
                        replace(m_passes[DeviceCode].words, m_plan.moduleId, m_plan.moduleId + ".guess");
    if (!m_plan.canAssembleLast || m_plan.fatbin.find_first_of("\"\\\n") != std::string::npos)
        return true;
    // The stub includes it by its name: the stand-in takes that, and fatbinary another.
    m_assemblesLast = writeFile(m_plan.embedded, fatbinStandIn(m_plan.fatbin)) &&
                      replace(m_passes[Pack].words, "--embedded-fatbin=" + m_plan.embedded,
                              "--embedded-fatbin=" + m_embedded);
    nameAssembly();
    // A stub has the module id in its names: it is no guess without one.
    m_guess.stub = stubNamed(m_guess.stub, m_plan.stub);
    m_guessesStub = m_guessesModuleId && !m_guess.stub.empty() && writeFile(m_plan.stub, m_guess.stub) &&
                    replace(m_passes[DeviceCode].words, m_plan.stub, m_cicc);
    return m_assemblesLast;
}

bool PassRun::mayStart(std::size_t pass) const {
    switch (pass) {
    case HostFront:
        return isDone(HostText);
    case DeviceCode:
        return isDone(DeviceText) && (m_guessesModuleId || isDone(HostFront));
    case Assemble:
        return isDone(DeviceCode);
    case Pack:
        // Who finds a fatbin may read the cubin: both are of the right module id.
        return isDone(Assemble) && isDone(HostFront);
    case HostCode:
        return isDone(HostFront) && (m_guessesStub || isDone(DeviceCode)) &&
               (m_assemblesLast || isDone(Pack));
    case join:
        return m_assemblesLast && isDone(HostCode) && isDone(Pack);
    default:
        return true;
    }
}

bool PassRun::startAll() {
    for (std::size_t i = 0; i <= m_last; ++i) {
        Pass &pass = m_passes[i];
        if (pass.state != State::Waiting || !mayStart(i))
            continue;
        if (!pass.process.start(pass.words))
            return false;
        pass.state = State::Running;
        pass.began = milliseconds();
    }
    return true;
}

/// False: nvcc is to be asked.
bool PassRun::ended(std::size_t pass) {
    m_passes[pass].state = State::Done;
    m_passes[pass].ended = milliseconds();
    const int status = m_passes[pass].process.status();
    if (!WIFEXITED(status) || (pass == join && WEXITSTATUS(status) != 0))
        return false;
    if (pass == HostCode && m_isStubMoved && hasWords(HostCode)) {
        m_isStubMoved = false; // it reads cicc's own now
        again(HostCode);
        return true;
    }
    if (WEXITSTATUS(status) != 0) {
        m_last = pass;
        for (std::size_t i = pass + 1; i < m_passes.size(); ++i)
            again(i);
        return true;
    }
    if (pass == HostFront)
        return confirmModuleId();
    if (pass == DeviceCode)
        return confirmStub();
    return pass != Pack || !m_assemblesLast || checkEmbedded();
}

bool PassRun::confirmModuleId() {
    const auto real = readPassFile(m_plan.moduleId);
    if (!real)
        return false;
    if (!m_guessesModuleId || *real == m_guess.moduleId)
        return true;
    m_guessesModuleId = m_guessesStub = false;
    m_wrong = "the module id was another one";
    if (m_last >= DeviceCode)
        m_last = join;
    m_passes[DeviceCode].words = m_plan.commands[DeviceCode];
    again(DeviceCode);
    again(Assemble);
    return true;
}

/// cicc wrote what stood for it; else the host compiler runs again, with what cicc wrote. No object was made
/// of another stub: that waits for fatbinary, and so for cicc.
bool PassRun::confirmStub() {
    if (!m_guessesStub)
        return true;
    const auto written = readPassFile(m_cicc);
    if (!written)
        return false;
    m_guessesStub = false;
    const std::string real = stubNamed(*written, m_plan.stub);
    const bool hasBegun = m_passes[HostCode].state != State::Waiting;
    const auto hostText = hasBegun ? readPassFile(m_plan.hostText) : std::string();
    const bool isSame = real == m_guess.stub ||
                        (hostText && !namesStubVariables(*hostText) && isSameStub(real, m_guess.stub));
    m_isStubMoved = hasBegun && isSame && real != m_guess.stub;
    if (!isSame)
        m_wrong = "the stub was another one";
    // Words of the host compiler may name lines of the stub.
    if (hasBegun && (!isSame || (m_isStubMoved && isDone(HostCode) && hasWords(HostCode)))) {
        m_isStubMoved = false;
        if (m_last >= HostCode)
            m_last = join;
        again(HostCode);
    }
    // Whole at once: the host compiler may be reading the guess.
    return writeFile(m_cicc, real) && std::rename(m_cicc.c_str(), m_plan.stub.c_str()) == 0;
}

/// fatbinary wrote the text that the stand-in stood for; else the host compiler runs again, with it.
bool PassRun::checkEmbedded() {
    const auto embedded = readPassFile(m_embedded);
    const auto fatbin = readPassFile(m_plan.fatbin);
    if (!embedded || !fatbin)
        return false;
    if (standsFor(*embedded, *fatbin))
        return true;
    m_assemblesLast = false;
    again(HostCode);
    m_passes[HostCode].words = m_plan.commands[HostCode];
    return std::rename(m_embedded.c_str(), m_plan.embedded.c_str()) == 0;
}

bool PassRun::hasWords(std::size_t pass) const {
    const PassProcess &process = m_passes[pass].process;
    return !process.output().empty() || !process.error().empty() || process.status() != 0;
}

void PassRun::again(std::size_t pass) {
    m_passes[pass].process.stop();
    m_passes[pass].state = State::Waiting;
    if (pass == HostCode && m_assemblesLast)
        nameAssembly();
}

/// Another file each time: of a g++ that was stopped cc1plus may still be writing.
void PassRun::nameAssembly() {
    const std::string assembly = m_plan.hostText + '.' + std::to_string(++m_assemblies) + ".s";
    m_passes[HostCode].words = assemblyWords(m_plan, assembly);
    m_passes[join].words = objectWords(m_plan, assembly);
}

double PassRun::milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_start).count();
}

std::string PassRun::told() const {
    static constexpr const char *names[] = {"gcc -E (host)", "cudafe++",  "gcc -E (device)", "cicc",
                                            "ptxas",         "fatbinary", "host code",       "as"};
    std::string text = "passes side by side";
    if (!m_wrong.empty())
        text += "; " + m_wrong;
    const char *separator = "; ms: ";
    for (std::size_t i = 0; i < m_passes.size(); ++i) {
        if (m_passes[i].state != State::Done)
            continue;
        char line[80];
        std::snprintf(line, sizeof line, "%s%s %.0f to %.0f", separator, names[i], m_passes[i].began,
                      m_passes[i].ended);
        text += line;
        separator = ", ";
    }
    return text;
}

int PassRun::say() const {
    const std::size_t last = std::min(m_last, join);
    for (std::size_t i = 0; i <= last; ++i) {
        const PassProcess &process = m_passes[i].process;
        std::fwrite(process.output().data(), 1, process.output().size(), stdout);
        std::fwrite(process.error().data(), 1, process.error().size(), stderr);
    }
    return m_last < join ? WEXITSTATUS(m_passes[last].process.status()) : 0;
}

} // namespace warpwright
