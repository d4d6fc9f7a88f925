// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/loop_guard.h"

#include <QRegularExpression>

namespace warpwright {

bool isWindowSource(const QString &path) {
    static const QRegularExpression source("^(app/ide|widgets|profiler_views)/.*\\.(h|cpp)$");
    return source.match(path).hasMatch() && path != "app/ide/shell/main.cpp";
}

QStringList loopComplaints(const QVector<GuardFile> &files) {
    static const QRegularExpression loop(
        "\\b(QEventLoop|processEvents|exec\\(|waitFor(Finished|Started|ReadyRead|BytesWritten)|"
        "QFileDialog::(get|save)\\w+|QMessageBox::(about|critical|information|question|warning)\\(|"
        "Q(Color|Font|Input)Dialog::get\\w+)");
    static const QRegularExpression comment("^\\s*//");
    QStringList complaints;
    for (const GuardFile &file : files)
        for (qsizetype i = 0; i < file.lines.size(); ++i)
            if (const auto found = loop.match(file.lines[i]);
                found.hasMatch() && !comment.match(file.lines[i]).hasMatch())
                complaints.append(QString("%1:%2: %3 waits inside of the window's thread")
                                      .arg(file.path)
                                      .arg(i + 1)
                                      .arg(found.captured(1)));
    return complaints;
}

} // namespace warpwright
