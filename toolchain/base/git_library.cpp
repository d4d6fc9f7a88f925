// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/git_library.h"

#include <mutex>

namespace warpwright {

GitLibrary::GitLibrary() {
    git_libgit2_init();
    // Options are the process's and outlive a shutdown, so the first one sets them for all.
    static std::once_flag once;
    std::call_once(once, [] {
        git_libgit2_init(); // never shut down again: setting up costs more than it holds
        for (const int level : {GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL,
                                GIT_CONFIG_LEVEL_PROGRAMDATA})
            git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
        // A folder that belongs to somebody else is dangerous for git, which runs what its config names. We
        // run nothing.
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
        // A commit that was reported is on the disk.
        git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
    });
}

GitLibrary::~GitLibrary() {
    git_libgit2_shutdown();
}

QString gitProblem() {
    const git_error *problem = git_error_last();
    return problem && problem->message ? QString::fromUtf8(problem->message)
                                       : QStringLiteral("libgit2 gives no reason");
}

} // namespace warpwright
