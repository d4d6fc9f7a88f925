// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/attached_report.h"

#include "toolchain/tool_output/kernel_name.h"

#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

QString listed(const QStringList &names) {
    constexpr qsizetype most = 8;
    return names.size() > most ? QStringLiteral("%1 and %2 more")
                                     .arg(names.mid(0, most).join(QStringLiteral(", ")))
                                     .arg(names.size() - most)
                               : names.join(QStringLiteral(", "));
}

} // namespace

Result<Counters> attachedCounters(Counters read, const QString &file, const QDateTime &fileTime,
                                  const AttachTarget &target) {
    QStringList own;
    for (const KernelResources &kernel : target.kernels)
        if (const QString name = shortKernelName(kernel.name); !own.contains(name))
            own << name;
    QStringList ran;
    bool isOfCandidate = false;
    for (KernelCounters &launch : read.kernels) {
        const QString name = shortKernelName(launch.name);
        if (!ran.contains(name))
            ran << name;
        const bool isOwn = own.contains(name);
        launch.arm = isOwn ? QStringLiteral("candidate") : QStringLiteral("imported");
        isOfCandidate = isOfCandidate || isOwn;
    }
    if (!isOfCandidate)
        return Result<Counters>::error(
            QStringLiteral("Cannot attach the report \"%1\" to iteration %2: none of its kernels (%3) is one "
                           "of the candidate's (%4). Look at it without attaching it.")
                .arg(file, QString::number(target.iteration),
                     ran.isEmpty() ? QStringLiteral("it has none") : listed(ran),
                     own.isEmpty() ? QStringLiteral("its check compiled none") : listed(own)));
    std::stable_partition(read.kernels.begin(), read.kernels.end(), [](const KernelCounters &launch) {
        return launch.arm == QLatin1String("candidate");
    });
    read.id.clear();
    read.at = QDateTime::currentDateTimeUtc();
    read.importedFrom = QFileInfo(file).fileName();
    read.importedFileTime = fileTime;
    read.workspace = target.workspace;
    read.textHash = target.textHash;
    read.iteration = target.iteration;
    read.evaluation = target.evaluation;
    // A program's warm-up and its inputs are in such a report, too.
    read.isWholeCall = false;
    read.problems.prepend(
        QStringLiteral("Imported from \"%1\", a file of %2: which text it measured is not known to us.")
            .arg(read.importedFrom, fileTime.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'"))));
    return Result<Counters>::ok(std::move(read));
}

} // namespace warpwright
