// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/expected_candidate.h"

#include "referee/base/remove_folder.h"

#include <filesystem>
#include <fstream>
#include <utility>

namespace warpwright {

namespace {

namespace files = std::filesystem;

constexpr auto folderRights = files::perms(0755);
constexpr auto fileRights = files::perms(0644); // in the sandbox it may be another user who reads

void replaceAll(std::string &text, const std::string &old, const std::string &now) {
    for (size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + now.size()))
        text.replace(at, old.size(), now);
}

} // namespace

ExpectedCandidate::ExpectedCandidate(std::string folder) : m_folder(std::move(folder)) {
    removeFolder(m_folder);
    files::create_directories(m_folder);
    files::permissions(m_folder, folderRights);
    // The plan of a sandbox asks who may read these.
    for (const char *name : {"model_new.py", "cuda_extension.so"}) {
        std::ofstream(files::path(m_folder) / name).flush();
        files::permissions(files::path(m_folder) / name, fileRights);
    }
}

void ExpectedCandidate::clear() {
    m_worker.reset();
    m_runFolder.clear();
    if (!m_folder.empty())
        removeFolder(std::exchange(m_folder, {}));
}

std::unique_ptr<WorkerProcess> ExpectedCandidate::take(const std::string &runFolder) {
    std::unique_ptr<WorkerProcess> worker = std::move(m_worker);
    try {
        for (const auto &entry : files::recursive_directory_iterator(runFolder)) {
            const files::path copy = files::path(m_folder) / files::relative(entry.path(), runFolder);
            if (entry.is_directory()) {
                files::create_directories(copy);
                files::permissions(copy, folderRights);
            } else {
                files::copy_file(entry.path(), copy, files::copy_options::overwrite_existing);
                files::permissions(copy, fileRights);
            }
        }
    } catch (const files::filesystem_error &) {
        return nullptr; // a full disk, say: the files lie in the run folder, and another worker reads them
    }
    m_runFolder = runFolder;
    return worker;
}

void ExpectedCandidate::renameIn(Json &answer) const {
    if (m_runFolder.empty())
        return;
    if (answer.is_string())
        replaceAll(answer.get_ref<std::string &>(), m_folder, m_runFolder);
    else if (answer.is_structured())
        for (Json &part : answer)
            renameIn(part);
}

} // namespace warpwright
