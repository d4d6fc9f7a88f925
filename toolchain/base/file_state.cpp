// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/file_state.h"

#include <sys/stat.h>

namespace warpwright {

std::optional<FileState> fileStateOf(const QByteArray &path) {
    const auto nanoseconds = [](const timespec &time) {
        return static_cast<qint64>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
    };
    struct stat facts {};
    if (::stat(path.constData(), &facts) != 0)
        return std::nullopt;
    return FileState{static_cast<qint64>(facts.st_dev), static_cast<qint64>(facts.st_ino), facts.st_size,
                     nanoseconds(facts.st_mtim), nanoseconds(facts.st_ctim)};
}

} // namespace warpwright
