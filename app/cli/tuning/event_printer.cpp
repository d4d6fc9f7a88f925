// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/event_printer.h"

#include "app/cli/process/terminal.h"

#include <QDateTime>

#include <unistd.h>

namespace warpwright {

Result<void> EventPrinter::append(const QString &kind, const Json &body) {
    if (const Result<void> kept = m_kept.append(kind, body); !kept.hasValue())
        return kept;
    if (!m_isPrinted)
        return Result<void>::ok();
    OrderedJson line{{"n", ++m_number},
                     {"at", toJson(QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs))},
                     {"kind", toJson(kind)}};
    for (const auto &[key, value] : body.items())
        line[key] = value;
    print(STDOUT_FILENO, QString::fromUtf8(dumpJson(line)) + QLatin1Char('\n'));
    return Result<void>::ok();
}

} // namespace warpwright
