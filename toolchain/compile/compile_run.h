// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/compile/build_sandbox.h"
#include "toolchain/compile/compile_fault.h"
#include "toolchain/compile/compile_outcome.h"
#include "toolchain/compile/compile_plan.h"
#include "toolchain/compile/header_store.h"
#include "toolchain/compile/listing_ahead.h"
#include "toolchain/compile/nvcc_passes.h"
#include "toolchain/compile/object_cache.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcessEnvironment>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace warpwright {

/// Runs a plan: the objects side by side, then the link, then the run folder. An object that another run (of
/// this program or another) is just making is waited for and not made twice.
///
/// A text that does not compile is finished(Failed): it is the candidate's result. failed() is for what the
/// candidate cannot help: a tool that does not start or breaks, a full disk, a killed compiler. A cancel ends
/// in finished(Cancelled). A run folder is made under another name and renamed, so it is whole when it is
/// there, and never changes.
class CompileRun : public QObject {
    Q_OBJECT
public:
    struct Options {
        QString cacheFolder; ///< DataFolders::cache
        int maxJobs = 0;     ///< 0: as cores and memory allow
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        BuildSandbox sandbox; ///< none: compilers run as they are
        QString nvdisasm;     ///< lists the kernels of what is compiled, meanwhile; empty: nobody
        QString preparer = findPreparer(); ///< makes precompiled headers apart from us; empty: nobody does
        QString passes = findPasses();     ///< runs nvcc's passes side by side; empty: nvcc does as it does
        int timeLimitMs = 30 * 60 * 1000;  ///< of one compiler process
    };

    CompileRun(CompilePlan plan, Options options, QObject *parent = nullptr);
    ~CompileRun() override;

    void start();
    void cancel();

signals:
    /// `step`: "compile", "link" or "install"; `index` of `count` sub-steps are done; `text`: what is being
    /// done, for people.
    void progress(const QString &step, int index, int count, const QString &text);
    void finished(const warpwright::CompileOutcome &outcome);
    void failed(const QString &message);

private:
    void prepare();
    void startNext();
    void begin(std::size_t index);
    [[nodiscard]] bool takeFromCache(std::size_t index);
    [[nodiscard]] bool claim(std::size_t index);
    void lookAgain();
    void keepByproducts(std::size_t index);
    void readLaunchBounds();
    [[nodiscard]] bool isListing() const;
    void listingEnded();
    [[nodiscard]] QString keptFolder(std::size_t index) const;
    void compile(std::size_t index);
    [[nodiscard]] QString precompiledFor(const CompileStep &step);
    void objectDone(std::size_t index, const QString &object, const ProcessOutcome &process);
    void objectsDone();
    void link();
    void makeStandIn();
    void linkObjects();
    void linkDone(const ProcessOutcome &process);
    void install();
    struct Command {
        QStringList before; ///< a program of ours and its words, that runs the tool; mostly nothing
        QString tool;
        QStringList arguments;
        QStringList readable;
    };
    void run(const Command &command, std::function<void(const ProcessOutcome &)> done);
    [[nodiscard]] QStringList linkedObjects() const;
    [[nodiscard]] QString changedFile() const;
    [[nodiscard]] CompileAct act(const QString &what, const QString &tool) const;
    void end(CompileStatus status);
    void fail(const QString &message);
    void close();

    CompilePlan m_plan;
    Options m_options;
    ObjectCache m_cache;
    HeaderStore m_headers;
    CompileOutcome m_outcome;
    QElapsedTimer m_clock;
    std::vector<ChildProcess *> m_processes; ///< those that run
    std::vector<bool> m_withHeaders;         ///< of each step: it is being compiled with precompiled headers
    std::map<std::size_t, std::vector<std::unique_ptr<LifetimeLock>>>
        m_claims;                       ///< of what is being made here
    std::vector<std::size_t> m_waiting; ///< steps whose object another run is making
    QTimer m_look;
    std::map<std::size_t, std::unique_ptr<ListingAhead>> m_listings;
    std::vector<QByteArray> m_logs; ///< of each step, so that their order is not that of chance
    QByteArray m_linkLog;
    QString m_scratch; ///< beside the cached objects: moving one there is then a rename
    QString m_newBuild;
    std::size_t m_next = 0;
    std::size_t m_done = 0;
    bool m_hasErrors = false;
    bool m_headersFailed = false; ///< a compiler broke over them: no more in this run
    bool m_isCancelled = false;
    bool m_awaitsListings = false; ///< all else has passed
    bool m_isDone = false;
};

/// Cores, but no more than one for each 2 GiB of free memory (one torch binding takes about 1.5 GiB), at
/// least 1.
[[nodiscard]] int sensibleJobCount();

} // namespace warpwright
