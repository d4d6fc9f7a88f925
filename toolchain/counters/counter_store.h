// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/counters/report_file.h"

namespace warpwright {

/// The counters of one workspace on disk: <state>/counters/<id>.json, and <id>.ncu-rep as Nsight Compute
/// wrote it, which opens there (<id>.eager.ncu-rep of another arm). Written whole or not at all, never
/// changed, never removed by us. Reading takes up to 0.1 s a document: not for a window's thread.
class CounterStore {
public:
    explicit CounterStore(const QString &stateFolder);

    /// Gives the counters an id where they have none, copies the reports (by arm; those that are not there
    /// are passed over) beside the document, and says where the document lies. `counters.report` becomes the
    /// name of the first arm's copy.
    [[nodiscard]] Result<QString> store(Counters &counters, const std::map<QString, QString> &reports) const;
    /// The same of counters that were read from this one report. An error, and nothing is kept, where another
    /// file lies there by now, or none: a document never has a report beside it that its numbers are not of.
    [[nodiscard]] Result<QString> storeWithReport(Counters &counters, const ReportFile &report) const;

    /// Oldest first.
    [[nodiscard]] QStringList ids() const;
    [[nodiscard]] Result<Counters> load(const QString &id) const;
    /// The newest of this text; nothing: there are none.
    [[nodiscard]] std::optional<Counters> latestOf(const QString &textHash) const;
    /// The newest of this text that was, or was not, read from a report of elsewhere.
    [[nodiscard]] std::optional<Counters> latestOf(const QString &textHash, bool isImported) const;
    /// Where latestOf() has nothing though a document of this text lies there: why it cannot be read, as a
    /// sentence with its path. Empty: none lies there.
    [[nodiscard]] QString whyNotLatest(const QString &textHash) const;
    /// Of which text and of when the newest counters are: "iteration 3, of 2026-11-28 23:49", "another text,
    /// of …"; told where there are none of the text that was asked for. Empty: there are none at all.
    [[nodiscard]] QString newestText() const;
    /// Of a stored document, the report beside it.
    [[nodiscard]] QString reportPathOf(const QString &id, const QString &arm = {}) const;

private:
    [[nodiscard]] std::optional<Counters> latestWhere(const QString &textHash,
                                                      const std::function<bool(const Counters &)> &is) const;
    [[nodiscard]] Result<void> begin(Counters &counters) const;
    [[nodiscard]] Result<void> copyReport(const QString &source, const QString &kept) const;
    [[nodiscard]] Result<QString> write(const Counters &counters) const;

    QString m_folder;
};

} // namespace warpwright
