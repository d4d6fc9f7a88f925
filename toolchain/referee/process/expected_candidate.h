// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/process/worker_process.h"

#include <memory>
#include <string>

namespace warpwright {

/// A worker that is in its sandbox before there is a candidate: a process with the device's context
/// takes 0.3 s, and meanwhile compilers work.
///
/// Its sandbox shows one folder, empty at first, in which the candidate's files are laid later. Nobody else
/// writes there, and the worker cannot.
class ExpectedCandidate {
public:
    ExpectedCandidate() = default;
    /// Makes `folder`, with nothing in it. Throws std::filesystem::filesystem_error.
    explicit ExpectedCandidate(std::string folder);
    /// Ends a worker that nobody took, and removes the folder: whoever was loaded from it is done.
    void clear();

    const std::string &folder() const { return m_folder; }
    void setWorker(std::unique_ptr<WorkerProcess> worker) { m_worker = std::move(worker); }
    bool isReady() const { return m_worker && m_worker->isAlive(); }

    /// The worker, with copies of `runFolder`'s files before it. Null where they cannot be copied.
    std::unique_ptr<WorkerProcess> take(const std::string &runFolder);

    /// `answer`, with every mention of the folder as one of what lies in it: the run folder it was taken for.
    void renameIn(Json &answer) const;

private:
    std::string m_folder;
    std::string m_runFolder;
    std::unique_ptr<WorkerProcess> m_worker;
};

} // namespace warpwright
