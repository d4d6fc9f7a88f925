// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_sandbox.h"

#include "toolchain/base/text_file.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace warpwright {
namespace {

constexpr int trialLimitMs = 10'000;

/// Of the home's dot folders, those whose files somebody else trusts: keys, and what is started by itself.
const QStringList &trustedPlaces() {
    static const QStringList places{
        QStringLiteral(".ssh"),
        QStringLiteral(".gnupg"),
        QStringLiteral(".config/git"),
        QStringLiteral(".config/autostart"),
        QStringLiteral(".local/bin"),
        QStringLiteral(".config/systemd"),
        QStringLiteral(".config/fish"),
        QStringLiteral(".config/environment.d"),
        QStringLiteral(".local/share/applications"),
    };
    return places;
}

/// Files beside them that agents keep their settings in.
const QStringList &ownFiles() {
    static const QStringList names{QStringLiteral(".claude.json"), QStringLiteral(".claude.json.backup")};
    return names;
}

class Words {
public:
    void bind(const char *how, const QString &path) {
        // Where a path is a link its place is what counts.
        const QString real = QFileInfo(path).canonicalFilePath();
        if (!real.isEmpty())
            m_words << QLatin1String(how) << real << real;
    }
    void add(const QStringList &words) { m_words += words; }
    [[nodiscard]] const QStringList &words() const { return m_words; }

private:
    QStringList m_words;
};

} // namespace

ProcessRequest AcpSandbox::around(ProcessRequest request) const {
    if (!isThere())
        return request;
    QStringList all = words;
    if (!request.workingFolder.isEmpty())
        all << QStringLiteral("--chdir") << request.workingFolder;
    all << QStringLiteral("--") << request.program;
    request.arguments = all + request.arguments;
    request.program = program;
    return request;
}

AcpSandbox AcpSandbox::withWritable(const QStringList &paths) const {
    AcpSandbox sandbox = *this;
    Words more;
    for (const QString &path : paths)
        more.bind("--bind", path);
    if (isThere())
        sandbox.words += more.words();
    return sandbox;
}

AcpSandbox AcpSandbox::withoutNetwork() const {
    AcpSandbox sandbox = *this;
    if (isThere())
        sandbox.words << QStringLiteral("--unshare-net");
    return sandbox;
}

Result<AcpSandbox> makeAcpSandbox(const QStringList &writable, const QStringList &closed,
                                  const DataFolders &folders, const QProcessEnvironment &environment) {
    AcpSandbox sandbox;
    sandbox.program = QStandardPaths::findExecutable(QStringLiteral("bwrap"));
    if (sandbox.program.isEmpty())
        return Result<AcpSandbox>::error(
            QStringLiteral("bubblewrap is not installed (apt install bubblewrap)"));
    Words words;
    // What comes later lies over what came before.
    words.add({QStringLiteral("--die-with-parent"), QStringLiteral("--unshare-pid"),
               QStringLiteral("--unshare-ipc"), QStringLiteral("--cap-drop"), QStringLiteral("ALL"),
               QStringLiteral("--ro-bind"), QStringLiteral("/"), QStringLiteral("/"), QStringLiteral("--dev"),
               QStringLiteral("/dev"), QStringLiteral("--proc"), QStringLiteral("/proc"),
               QStringLiteral("--tmpfs"), QStringLiteral("/tmp"), QStringLiteral("--setenv"),
               QStringLiteral("TMPDIR"), QStringLiteral("/tmp"), QStringLiteral("--unsetenv"),
               QStringLiteral("DBUS_SESSION_BUS_ADDRESS")});
    const QString home = environment.value(QStringLiteral("HOME"), QDir::homePath());
    for (const QFileInfo &entry :
         QDir(home).entryInfoList({QStringLiteral(".*")}, QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot))
        words.bind("--bind", entry.filePath());
    for (const QString &name : ownFiles())
        words.bind("--bind", home + QLatin1Char('/') + name);
    for (const QString &place : trustedPlaces())
        words.bind("--ro-bind", home + QLatin1Char('/') + place);
    // A bus starts programs for whoever asks, outside of every sandbox.
    if (const QString run = environment.value(QStringLiteral("XDG_RUNTIME_DIR"));
        !run.isEmpty() && QFileInfo(run).isDir())
        words.add({QStringLiteral("--tmpfs"), QFileInfo(run).canonicalFilePath()});
    // What is not there cannot be closed, and could be made by the agent: so it is made here.
    for (const QString &folder : {folders.data, folders.cache, folders.config}) {
        if (const Result<void> made = makeFolder(folder); !made.hasValue())
            return Result<AcpSandbox>::error(made.message());
        words.bind("--ro-bind", folder);
    }
    for (const QString &folder : closed)
        words.bind("--ro-bind", folder);
    for (const QString &folder : writable)
        words.bind("--bind", folder);
    sandbox.words = words.words();
    return Result<AcpSandbox>::ok(std::move(sandbox));
}

void AcpSandboxTrial::start(const AcpSandbox &sandbox) {
    m_process = new ChildProcess(this);
    connect(m_process, &ChildProcess::failed, this, &AcpSandboxTrial::fell);
    connect(m_process, &ChildProcess::finished, this, [this](const ProcessOutcome &outcome) {
        if (outcome.succeeded())
            emit stood();
        else
            emit fell(QString::fromUtf8(outcome.standardError).section(QLatin1Char('\n'), 0, 0).trimmed());
    });
    ProcessRequest request;
    request.program = QStringLiteral("/bin/true");
    request.timeLimitMs = trialLimitMs;
    m_process->start(sandbox.around(request));
}

} // namespace warpwright
