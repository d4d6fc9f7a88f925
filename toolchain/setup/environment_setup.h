// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/compile/header_store.h"
#include "toolchain/process/child_process.h"
#include "toolchain/setup/environment_failure.h"

#include <QElapsedTimer>
#include <QFile>
#include <QObject>
#include <QTimer>

namespace warpwright {

struct EnvironmentProgress {
    QString stage; ///< "install the wheels"
    int step = 0;  ///< from 1
    int steps = 4;
    QString line; ///< the last one that was printed; may be empty
    double seconds = 0;

    bool operator==(const EnvironmentProgress &) const = default;
};

/// Sets up the Python environment with torch and the CUDA compiler, by the same steps and with the same stamp
/// as packaging/start: a virtual environment, the wheels of requirements.txt, and a try whether torch loads.
///
/// What is there already is kept, so that a second start goes on where the first one stopped; with everything
/// in place it ends at once. A folder that is there and is no Python environment is left alone. It always
/// ends in exactly one finished() or failed(); what was printed lies in log(). Only one at a time works on an
/// environment, packaging/start included.
class EnvironmentSetup : public QObject {
    Q_OBJECT
public:
    struct Request {
        DataFolders folders;
        QString requirements; ///< empty: the resources' own
        QString basePython = QStringLiteral("/usr/bin/python3");
        QString tryCode = QStringLiteral(
            "import torch, numpy; print('torch', torch.__version__)"); ///< whether it is usable
        QString preparer =
            findPreparer(); ///< goes on with torch's headers when torch is there; empty: nobody
        qint64 neededBytes = 6'000'000'000;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    };

    explicit EnvironmentSetup(Request request, QObject *parent = nullptr);
    ~EnvironmentSetup() override;

    void start();
    void cancel();
    [[nodiscard]] bool wasCancelled() const { return m_isCancelled; }
    [[nodiscard]] QString log() const { return m_folder + QStringLiteral(".log"); }

signals:
    void started();
    void progress(const warpwright::EnvironmentProgress &progress);
    /// `interpreter`: the one to use from now on; it needs no setting.
    void finished(const QString &interpreter);
    void failed(const QString &message);

private:
    enum class Step { Version, AskPip, Make, Install, Try, Reinstall, TryAgain };

    [[nodiscard]] QString whyNot();
    void run(Step step);
    [[nodiscard]] ProcessRequest requestFor(Step step) const;
    void take(const QByteArray &bytes);
    void stepDone(Step step, const ProcessOutcome &outcome);
    void versionKnown(const QString &version);
    void show();
    void succeed();
    void fail(const QString &message);
    void end();
    [[nodiscard]] QString python() const { return m_folder + QStringLiteral("/bin/python"); }
    [[nodiscard]] QString stampFile() const;
    [[nodiscard]] bool markAsOurs() const;

    Request m_request;
    QString m_folder;
    QByteArray m_wheels; ///< the requirements without comments
    QByteArray m_stamp;
    EnvironmentProgress m_progress;
    QByteArray m_output; ///< the end of what this step has printed
    QFile m_log;
    QElapsedTimer m_clock;
    QTimer m_tick;
    ChildProcess *m_process = nullptr;
    int m_lock = -1;
    bool m_isCancelled = false;
    bool m_isDone = false;
};

} // namespace warpwright
