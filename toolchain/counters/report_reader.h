// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/counters/nsight_compute.h"
#include "toolchain/counters/report_file.h"
#include "toolchain/process/child_process.h"

#include <QObject>

#include <memory>
#include <optional>

class QTemporaryDir;

namespace warpwright {

/// What a report is read with.
struct ReportReading {
    QString report;             ///< absolute path of the .ncu-rep
    QStringList interpreters;   ///< Pythons that may have ncu-report, the first to be tried first
    bool isPythonNamed = false; ///< a person named the first of them: it has to be a Python
    QString script;             ///< resources/read_ncu_report.py
    std::optional<NsightCompute> ncu;
    QString scratchFolder;  ///< a folder of its own is made in it and removed
    int mostKernels = 2000; ///< launches that are kept at all
    int mostWhole = 64;     ///< of reports of more launches most are brief, see KernelCounters::isBrief
    QString kernel;         ///< of these only, those of kernels whose name holds this are in full; empty: any
    int launch = 0;         ///< the same of one launch, from 1; 0: any
};

/// Reads a report of Nsight Compute as Counters: by the module `ncu-report` of a Python, by the one that lies
/// beside an installed Nsight Compute, else by `ncu --import`. Each reads in a process of its own: what a
/// damaged file does to it ends there.
///
/// Always ends in exactly one of finished() and failed(). The document is parsed in the pool: fit for a
/// window's thread.
class ReportReader : public QObject {
    Q_OBJECT
public:
    static constexpr int limitMs = 600'000;

    explicit ReportReader(ReportReading reading, QObject *parent = nullptr);
    ~ReportReader() override;

    void start();
    void cancel();
    /// Which file is read: as it was when reading it began.
    [[nodiscard]] const ReportFile &file() const { return m_file; }

signals:
    /// `done` of `count` launches; count 0: nobody knows yet.
    void progress(int done, int count);
    void finished(const warpwright::SharedCounters &counters);
    /// A whole sentence, with the path.
    void failed(const QString &message);

private:
    void tryModule();
    void moduleEnded(const ProcessOutcome &outcome);
    [[nodiscard]] QString whyNoPython(const ProcessOutcome &outcome) const;
    void takeProgress(const QByteArray &bytes);
    void tryImport();
    void importPage();
    void parse();
    void fail(const QString &why, const QString &advice);
    void run(const ProcessRequest &request, void (ReportReader::*then)(const ProcessOutcome &));
    void pageEnded(const ProcessOutcome &outcome);

    ReportReading m_reading;
    ReportFile m_file;
    std::unique_ptr<QTemporaryDir> m_scratch;
    ChildProcess *m_process = nullptr;
    int m_nextPython = 0;
    QByteArray m_line;
    QStringList m_whyNot;            ///< of each module that could not read it
    std::vector<QByteArray> m_pages; ///< of ncu --import: raw, details, source
    bool m_isCancelled = false;
    bool m_isDone = false;
};

} // namespace warpwright
