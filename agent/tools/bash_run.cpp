// SPDX-License-Identifier: GPL-3.0-or-later
// The tool `bash`: in the shell that lasts, or with the device in a process of its own, and what is looked at
// after it.
#include "agent/tools/bash_command.h"
#include "agent/tools/tool_arguments.h"
#include "agent/tools/tool_run.h"
#include "toolchain/base/figures.h"
#include "toolchain/compile/device_choice.h"
#include "toolchain/device_queue/device_turn.h"
#include "toolchain/process/in_pool.h"

#include <QUuid>

namespace warpwright {
namespace {

constexpr int usualSeconds = 120;
constexpr int mostSecondsForState = 10;
constexpr qsizetype ownWordsShare = 8; // the eighth part of an answer is for our own words

/// What is to be found out after a command, in the pool.
struct Aftermath {
    QStringList putBack;
    QStringList uncounted;
    QString outputFile; ///< where the whole output is; empty: it is in the answer
};

class BashRun : public ToolRun {
public:
    BashRun(ToolContext &context, const Json &arguments)
        : ToolRun(context),
          m_command(withoutSudo(stringIn(arguments, "command"))),
          m_timeLimitMs(1000 * intArgument(arguments, "timeout_s", usualSeconds)),
          m_needsDevice(boolArgument(arguments, "device") ||
                        (context.work.hasUtils() && startsUtils(m_command))) {}
    ~BashRun() override { BashRun::stop(); }

    void start() override {
        if (m_command.contains(QChar::Null))
            return emit ended(failedAnswer(QStringLiteral("Cannot run a command that holds a NUL.")));
        withToolchain([this](const Toolchain &toolchain) { toolsFound(toolchain); });
    }

    void stop() override {
        // Only what this call has begun in it: a shell between two calls goes on.
        if (std::exchange(m_isInShell, false) && m_context.shell)
            m_context.shell->stop();
        if (m_context.shell)
            m_context.shell->disconnect(this);
        if (m_own)
            m_own->stop();
        m_turn.reset();
    }

private:
    void toolsFound(const Toolchain &toolchain) {
        if (!m_needsDevice)
            return runInShell(m_command.toUtf8(), m_timeLimitMs,
                              [this](const ShellOutcome &outcome) { conclude(outcome); });
        const Result<DeviceChoice> device = chooseDevice(m_context.place.request.device, toolchain);
        if (!device.hasValue())
            return emit ended(failedAnswer(device.message()));
        if (!device.value().gpu)
            return emit ended(failedAnswer(
                QStringLiteral("Nothing was run: there is no GPU here, this run measures on the CPU. Use the "
                               "tools compile, verify and profile, which work on it, or bash without the "
                               "device.")));
        m_device = device.value();
        // Where the shell stands and what it exports is that of this command, too.
        runInShell("declare -px", 1000 * mostSecondsForState,
                   [this](const ShellOutcome &outcome) { waitForTurn(outcome); });
    }

    void runInShell(const QByteArray &command, int timeLimitMs,
                    const std::function<void(const ShellOutcome &)> &then) {
        const Result<ToolSandbox> sandbox = sandboxAround(false);
        if (!sandbox.hasValue())
            return emit ended(deniedAnswer(sandbox.message()));
        if (!m_context.shell)
            m_context.shell = std::make_unique<ShellSession>(m_context.work.folder());
        ShellSession *shell = m_context.shell.get();
        connect(shell, &ShellSession::ended, this, [this, shell, then](const ShellOutcome &outcome) {
            m_isInShell = false;
            shell->disconnect(this);
            then(outcome);
        });
        connect(shell, &ShellSession::failed, this, [this, shell](const QString &message) {
            m_isInShell = false;
            shell->disconnect(this);
            emit ended(failedAnswer(message));
        });
        m_isInShell = true;
        shell->run(sandbox.value(), command, timeLimitMs);
    }

    [[nodiscard]] Result<ToolSandbox> sandboxAround(bool withDevices) const {
        const EvaluationRequest &request = m_context.place.request;
        return makeToolSandbox(m_context.work, *m_context.toolchain, request.folders, request.environment,
                               withDevices);
    }

    void waitForTurn(const ShellOutcome &state) {
        m_state = state.how == ShellOutcome::How::Ended ? state.output.beginning() : QByteArray();
        DeviceUse use;
        use.what = QStringLiteral("runs a command of");
        use.workspace = m_context.place.workspace.name;
        use.isForWindow = m_context.place.request.isForWindow;
        use.owner = QUuid::createUuid().toString(QUuid::Id128);
        m_turn =
            std::make_unique<DeviceTurn>(m_context.place.request.folders.cache, m_device.gpu->cardUuid, use);
        connect(m_turn.get(), &DeviceTurn::waiting, this, [this](const DeviceWait &wait) {
            emit progress(QStringLiteral("bash: waits for the device, %1")
                              .arg(waitText(wait, QDateTime::currentDateTimeUtc())),
                          0, 0);
        });
        connect(m_turn.get(), &DeviceTurn::taken, this, &BashRun::runOnDevice);
        m_turn->take();
    }

    void runOnDevice() {
        const Result<ToolSandbox> sandbox = sandboxAround(true);
        if (!sandbox.hasValue())
            return emit ended(deniedAnswer(sandbox.message()));
        m_own = std::make_unique<ShellSession>(m_context.work.folder());
        connect(m_own.get(), &ShellSession::ended, this, [this](const ShellOutcome &outcome) {
            m_own->stop(); // with what it has left behind: the device is free after it
            m_turn.reset();
            ShellOutcome told = outcome;
            // It had a shell of its own, and the one that lasts stands where it stood.
            if (told.how == ShellOutcome::How::ShellEnded && told.signal == 0)
                told.how = ShellOutcome::How::Ended;
            conclude(told);
        });
        connect(m_own.get(), &ShellSession::failed, this,
                [this](const QString &message) { emit ended(failedAnswer(message)); });
        QByteArray place = m_context.shell->folder().toUtf8();
        place.replace('\'', "'\\''");
        QByteArray command = m_state + "\ncd -- '" + place + "'\n";
        command += "export CUDA_VISIBLE_DEVICES=" + m_device.gpu->uuid.toUtf8() + '\n';
        command += m_command.toUtf8();
        m_own->run(sandbox.value(), command, m_timeLimitMs);
    }

    [[nodiscard]] qsizetype mostOutputBytes() const {
        return m_context.mostAnswerBytes - m_context.mostAnswerBytes / ownWordsShare;
    }

    void conclude(const ShellOutcome &outcome) {
        const bool isLong = outcome.output.bytes() > mostOutputBytes();
        const int number = isLong ? ++m_context.lastOutput : m_context.lastOutput;
        inPool(
            this,
            [work = m_context.work, output = outcome.output, isLong, number] {
                Aftermath found;
                found.putBack = work.putBack();
                found.uncounted = work.uncounted();
                const QString file =
                    QStringLiteral("%1/%2.txt").arg(QLatin1String(WorkFolder::outputs)).arg(number);
                if (isLong && work.access().write(file, output.beginning()).reach == Reach::Ok)
                    found.outputFile = file;
                return found;
            },
            [this, outcome](const Aftermath &found) { emit ended(answerOf(outcome, found)); });
    }

    [[nodiscard]] ToolAnswer answerOf(const ShellOutcome &outcome, const Aftermath &found) const {
        const KeptOutput &output = outcome.output;
        QString where;
        if (!found.outputFile.isEmpty())
            where = output.isWhole() ? QStringLiteral("The whole is in %1").arg(found.outputFile)
                                     : QStringLiteral("The first %1 are in %2")
                                           .arg(bytesText(static_cast<double>(KeptOutput::mostKeptBytes)),
                                                found.outputFile);
        QString text = outputText(output, mostOutputBytes(), where);
        if (!text.isEmpty() && !text.endsWith(QLatin1Char('\n')))
            text += QLatin1Char('\n');
        ToolAnswer answer;
        const QString time = durationText(outcome.seconds);
        const QString anew = QStringLiteral(" A new shell begins with the next command, in the same folder: "
                                            "variables and functions are gone.");
        switch (outcome.how) {
        case ShellOutcome::How::Ended:
            text += QStringLiteral("(exit code %1, %2)").arg(outcome.exitCode).arg(time);
            break;
        case ShellOutcome::How::ShellEnded:
            text +=
                outcome.signal != 0
                    ? QStringLiteral("(the shell was ended by signal %1, %2.").arg(outcome.signal).arg(time)
                    : QStringLiteral("(the shell ended with exit code %1, %2.")
                          .arg(outcome.exitCode)
                          .arg(time);
            text += anew + QLatin1Char(')');
            break;
        case ShellOutcome::How::TimedOut:
            text += QStringLiteral("(killed after the time limit of %1 s.%2)")
                        .arg(m_timeLimitMs / 1000)
                        .arg(anew);
            break;
        case ShellOutcome::How::TooMuchOutput:
            text += QStringLiteral("(killed: it printed over %1.%2)")
                        .arg(bytesText(static_cast<double>(output.bytes())), anew);
            break;
        }
        for (const QString &line : found.putBack.mid(0, 10))
            text += QStringLiteral("\n(%1)").arg(line);
        if (!found.uncounted.isEmpty())
            text += QStringLiteral("\n(not part of the candidate, which is model_new.py and kernels/: %1)")
                        .arg(found.uncounted.mid(0, 10).join(QStringLiteral(", ")));
        const bool isGood = outcome.how == ShellOutcome::How::Ended && outcome.exitCode == 0;
        answer.outcome = isGood ? ToolAnswer::Outcome::Ok : ToolAnswer::Outcome::Failed;
        answer.text = cutInTheMiddle(text, m_context.mostAnswerBytes, {});
        answer.structured = {{"exitCode", outcome.exitCode},
                             {"seconds", outcome.seconds},
                             {"timedOut", outcome.how == ShellOutcome::How::TimedOut},
                             {"putBack", stringsToJson<Json>(found.putBack)}};
        return answer;
    }

    QString m_command;
    int m_timeLimitMs;
    bool m_needsDevice;
    bool m_isInShell = false;
    DeviceChoice m_device;
    QByteArray m_state; // «declare -px» of the shell that lasts
    std::unique_ptr<DeviceTurn> m_turn;
    std::unique_ptr<ShellSession> m_own;
};

} // namespace

MadeRun makeBashRun(ToolContext &context, const Json &arguments) {
    return std::make_unique<BashRun>(context, arguments);
}

} // namespace warpwright
