// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/loop_guard.h"

#include "tests/guards/code_text.h"

#include <QMap>
#include <QRegularExpression>

namespace warpwright {

bool isWindowSource(const QString &path) {
    static const QRegularExpression source("^(app/ide|widgets|profiler_views)/.*\\.(h|cpp)$");
    return source.match(path).hasMatch() && path != "app/ide/shell/main.cpp";
}

QVector<GuardFault> loopFaults(const QVector<GuardFile> &files) {
    static const QRegularExpression loop(
        "\\b(QEventLoop|processEvents|exec\\s*\\(|execute\\s*\\(|waitFor\\w+|msleep|sleep_(?:for|until)|"
        "qWait\\w*|"
        "popen\\s*\\(|std::system\\s*\\(|QFileDialog::(?:get|save)\\w+|"
        "QMessageBox::(?:about|critical|information|question|warning)\\s*\\(|"
        "Q(?:Color|Font|Input)Dialog::get\\w+)|(&Q\\w+::exec\\b)");
    QMap<QString, GuardFault> faults;
    for (const GuardFile &file : files) {
        const QStringList code = codeText(file.lines).split('\n');
        for (qsizetype i = 0; i < code.size(); ++i)
            for (auto found = loop.globalMatch(code[i]); found.hasNext();) {
                const auto match = found.next();
                const QString what =
                    match.captured(match.capturedStart(2) >= 0 ? 2 : 1).remove('(').trimmed();
                GuardFault &fault = faults[file.path + ' ' + what];
                if (fault.sizes.isEmpty())
                    fault = {file.path + ' ' + what,
                             {0},
                             QString("%1:%2: %3 waits inside of the window's thread")
                                 .arg(file.path)
                                 .arg(i + 1)
                                 .arg(what)};
                ++fault.sizes.first();
            }
    }
    return faults.values();
}

} // namespace warpwright
