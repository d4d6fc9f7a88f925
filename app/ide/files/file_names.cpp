// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/files/file_names.h"

#include <algorithm>

namespace warpwright {

QStringList inReadingOrder(QStringList files) {
    const auto rank = [&files](const QString &file) {
        if (file.endsWith(QLatin1String(".cu")))
            return 0;
        if (!file.startsWith(QLatin1String("kernels/")))
            return file == QLatin1String("model_new.py") ? 2 : 4;
        const bool isTwin =
            file.endsWith(QLatin1String(".cpp")) && files.contains(file.chopped(3) + QStringLiteral("cu"));
        return isTwin ? 3 : 1;
    };
    std::vector<std::pair<int, QString>> ranked;
    for (const QString &file : std::as_const(files))
        ranked.emplace_back(rank(file), file);
    std::sort(ranked.begin(), ranked.end());
    files.clear();
    for (const auto &[place, file] : ranked)
        files << file;
    return files;
}

QStringList shortNames(const QStringList &files) {
    QStringList names;
    for (const QString &file : files) {
        const QStringList parts = file.split(QLatin1Char('/'));
        qsizetype kept = 1;
        const auto tail = [](const QStringList &all, qsizetype count) {
            return all.mid(std::max<qsizetype>(0, all.size() - count)).join(QLatin1Char('/'));
        };
        const auto isAlone = [&] {
            return std::none_of(files.begin(), files.end(), [&](const QString &other) {
                return other != file && tail(other.split(QLatin1Char('/')), kept) == tail(parts, kept);
            });
        };
        while (kept < parts.size() && !isAlone())
            ++kept;
        names << tail(parts, kept);
    }
    return names;
}

} // namespace warpwright
