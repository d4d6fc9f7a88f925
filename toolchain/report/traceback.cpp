// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/traceback.h"

#include <QStringList>

namespace warpwright {
namespace {

bool isForeign(const QString &line) {
    for (const char *place :
         {"/referee/worker/", "<frozen ", "/site-packages/torch/", "/dist-packages/torch/"}) {
        if (line.contains(QLatin1String(place)))
            return true;
    }
    return false;
}

} // namespace

QString ownFrames(const QString &traceback, int lineLimit) {
    QStringList kept;
    bool isInForeignFrame = false;
    for (const QString &line : traceback.split(QLatin1Char('\n'))) {
        const QString text = line.trimmed();
        if (text.startsWith(QLatin1String("File \"")))
            isInForeignFrame = isForeign(text);
        else if (!line.startsWith(QLatin1Char(' ')))
            isInForeignFrame = false; // a frame's own lines are indented
        const bool isNoise = text.isEmpty() || text.startsWith(QLatin1String("Extension modules: ")) ||
                             text.startsWith(QLatin1String("Current thread 0x"));
        if (!isInForeignFrame && !isNoise)
            kept.append(line);
    }
    return kept.mid(std::max<qsizetype>(0, kept.size() - lineLimit)).join(QLatin1Char('\n'));
}

} // namespace warpwright
