// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <git2.h>

#include <QString>

#include <memory>

namespace warpwright {

/// libgit2, ready for use while one of these lives, and deaf to the person's own git settings: our history
/// must not depend on them. Nothing here runs git, a hook or a filter.
class GitLibrary {
public:
    GitLibrary();
    ~GitLibrary();
    GitLibrary(const GitLibrary &) = delete;
    GitLibrary &operator=(const GitLibrary &) = delete;
};

/// Why the last call of this thread failed, in libgit2's words.
[[nodiscard]] QString gitProblem();

template <auto release>
struct GitRelease {
    template <typename T>
    void operator()(T *object) const {
        release(object);
    }
};

using GitRepository = std::unique_ptr<git_repository, GitRelease<git_repository_free>>;
using GitReference = std::unique_ptr<git_reference, GitRelease<git_reference_free>>;
using GitReferences = std::unique_ptr<git_reference_iterator, GitRelease<git_reference_iterator_free>>;
using GitCommit = std::unique_ptr<git_commit, GitRelease<git_commit_free>>;
using GitTree = std::unique_ptr<git_tree, GitRelease<git_tree_free>>;
using GitBlob = std::unique_ptr<git_blob, GitRelease<git_blob_free>>;
using GitIndex = std::unique_ptr<git_index, GitRelease<git_index_free>>;
using GitTransaction = std::unique_ptr<git_transaction, GitRelease<git_transaction_free>>;
using GitSignature = std::unique_ptr<git_signature, GitRelease<git_signature_free>>;

/// libgit2 gives objects back through a pointer to a pointer: `git_commit_lookup(out(commit), …)`.
/// What bites: the handle is filled at the end of the whole expression, not before.
template <typename Handle>
class GitOut {
public:
    explicit GitOut(Handle &handle) : m_handle(handle) {}
    ~GitOut() { m_handle.reset(m_raw); }
    GitOut(const GitOut &) = delete;
    GitOut &operator=(const GitOut &) = delete;
    operator typename Handle::pointer *() { return &m_raw; } // NOLINT: that is what it is for

private:
    Handle &m_handle;
    typename Handle::pointer m_raw = nullptr;
};

template <typename Handle>
[[nodiscard]] GitOut<Handle> out(Handle &handle) {
    return GitOut<Handle>(handle);
}

} // namespace warpwright
