// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/trajectory_reader.h"

#include <QFile>
#include <QFileInfo>

namespace warpwright {
namespace {

constexpr qint64 mostPageBytes = 8LL * 1024 * 1024;
/// A line beyond it is none that we have written.
constexpr qint64 longestLine = 256LL * 1024 * 1024;

QString cannotRead(const QString &file, const QString &why) {
    return QStringLiteral("Cannot read the trajectory \"%1\": %2.").arg(file, why);
}

} // namespace

Result<TrajectoryReader::Page> TrajectoryReader::page(qint64 offset, int most) const {
    using Answer = Result<Page>;
    // Opening a pipe would wait for its writer.
    if (QFileInfo(m_file).exists() && !QFileInfo(m_file).isFile())
        return Answer::error(cannotRead(m_file, QStringLiteral("it is not a file")));
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly) || !file.seek(offset))
        return Answer::error(cannotRead(m_file, file.errorString()));
    Page page;
    page.next = offset;
    while (static_cast<int>(page.events.size()) < most) {
        const qint64 begin = page.next;
        const QByteArray line = file.readLine(longestLine);
        if (line.isEmpty() || (!line.endsWith('\n') && line.size() < longestLine - 1)) {
            if (file.error() != QFileDevice::NoError)
                return Answer::error(cannotRead(m_file, file.errorString()));
            return Answer::ok(std::move(page));
        }
        page.next += line.size();
        Result<TrajectoryEvent> read = eventFromLine(line);
        if (read.hasValue()) {
            TrajectoryEvent event = std::move(read).value();
            event.offset = begin;
            event.bytes = line.size();
            page.events.push_back(std::move(event));
        } else if (line.trimmed().size() > 0) {
            ++page.passedOver;
        }
        if (!page.events.empty() && page.next - offset >= mostPageBytes)
            break;
    }
    page.isLast = false; // there may be more; the next page says so
    return Answer::ok(std::move(page));
}

Result<TrajectoryEvent> TrajectoryReader::eventAt(qint64 offset) const {
    using Answer = Result<TrajectoryEvent>;
    Result<Page> read = page(offset, 1);
    if (!read.hasValue())
        return Answer::error(read.message());
    Page one = std::move(read).value();
    if (one.events.empty() || one.events.front().offset != offset)
        return Answer::error(cannotRead(m_file, QStringLiteral("no event begins at byte %1").arg(offset)));
    return Answer::ok(std::move(one.events.front()));
}

} // namespace warpwright
