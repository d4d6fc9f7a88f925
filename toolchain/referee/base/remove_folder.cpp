// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/remove_folder.h"

#include <cstdio>
#include <ftw.h>

namespace warpwright {

namespace {

constexpr int openFolders = 16;

int removeOne(const char *path, const struct stat *, int, struct FTW *) {
    std::remove(path);
    return 0;
}

} // namespace

void removeFolder(const std::string &folder) {
    nftw(folder.c_str(), removeOne, openFolders, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

} // namespace warpwright
