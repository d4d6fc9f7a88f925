// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/chip_guard.h"

#include "tests/guards/code_text.h"

#include <QRegularExpression>

namespace warpwright {

bool isWithoutChips(const QString &path) {
    static const QRegularExpression source("^agent/playbook/.*\\.(h|cpp)$");
    return source.match(path).hasMatch() && !path.startsWith("agent/playbook/target/");
}

QStringList chipComplaints(const QVector<GuardFile> &files) {
    // 132 multiprocessors and multiples, 64 Ki registers, 227 and 228 KiB of shared memory; rates of 1e10 and
    // more.
    static const QRegularExpression figure(
        "(?<![\\w.'])(132|264|528|(64|227|228) (\\* 1024|<< 10)|232'?448|\\d+(\\.\\d+)?e1[0-5])"
        "(?![\\w.'])");
    QStringList complaints;
    for (const GuardFile &file : files) {
        const QStringList code = codeText(file.lines).split('\n');
        for (qsizetype i = 0; i < code.size(); ++i)
            if (const auto found = figure.match(code[i]); found.hasMatch())
                complaints.append(
                    QString("%1:%2: %3 is a figure of one chip: a row of "
                            "resources/playbook/devices has it, and who decides asks deviceOf()")
                        .arg(file.path)
                        .arg(i + 1)
                        .arg(found.captured(1)));
    }
    return complaints;
}

} // namespace warpwright
