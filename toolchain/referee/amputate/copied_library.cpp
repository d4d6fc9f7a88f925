// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/amputate/copied_library.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace warpwright {

namespace {

[[noreturn]] void fail(const std::string &what) {
    throw std::system_error(errno, std::generic_category(), what);
}

// Through memory where the system does not copy by itself, as between two disks.
void copyAll(int from, int to, uint64_t bytes, const std::string &path) {
    std::vector<char> part(1u << 20);
    for (uint64_t done = 0; done < bytes;) {
        ssize_t count = copy_file_range(from, nullptr, to, nullptr, bytes - done, 0);
        if (count <= 0 &&
            (count == 0 || errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP)) {
            count = read(from, part.data(), std::min<uint64_t>(part.size(), bytes - done));
            for (ssize_t written = 0; written < count;) {
                const ssize_t more = write(to, part.data() + written, static_cast<size_t>(count - written));
                if (more <= 0)
                    fail("Cannot write \"" + path + "\"");
                written += more;
            }
        }
        if (count <= 0)
            fail("Cannot write \"" + path + "\"");
        done += static_cast<uint64_t>(count);
    }
}

} // namespace

CopiedLibrary::CopiedLibrary(const std::string &original, std::string copy) : m_path(std::move(copy)) {
    const int from = open(original.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat facts {};
    if (from < 0 || fstat(from, &facts) != 0)
        fail("Cannot read \"" + original + "\"");
    m_size = static_cast<uint64_t>(facts.st_size);
    const int to = open(m_path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    try {
        if (to < 0 || fchmod(to, 0644) != 0) // in the sandbox it may be another user who reads
            fail("Cannot write \"" + m_path + "\"");
        copyAll(from, to, m_size, m_path);
        void *memory = mmap(nullptr, m_size, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);
        if (memory == MAP_FAILED)
            fail("Cannot write \"" + m_path + "\"");
        m_data = static_cast<unsigned char *>(memory);
    } catch (...) {
        close(from);
        close(to);
        unlink(m_path.c_str());
        throw;
    }
    close(from);
    close(to);
}

CopiedLibrary::~CopiedLibrary() {
    munmap(m_data, m_size);
}

std::vector<RecordedFunction> CopiedLibrary::markAll(const ElfImage &image, unsigned char place) {
    std::vector<RecordedFunction> marked;
    for (const ElfFunction &function : image.functions()) {
        const auto offset = image.fileOffset(function.address);
        if (function.bytes > 0 && offset && *offset < m_size)
            marked.push_back({function.address, *image.bytesAt(*offset), 0, place, {}});
    }
    const auto before = [](const RecordedFunction &one, const RecordedFunction &other) {
        return one.address < other.address;
    };
    const auto same = [](const RecordedFunction &one, const RecordedFunction &other) {
        return one.address == other.address;
    };
    std::sort(marked.begin(), marked.end(), before);
    marked.erase(std::unique(marked.begin(), marked.end(), same), marked.end());
    for (const RecordedFunction &function : marked)
        m_data[*image.fileOffset(function.address)] = recorderTrap;
    return marked;
}

void CopiedLibrary::amputate(const ElfImage &image, const std::vector<RecordedFunction> &marked,
                             const TrapPlan &plan) {
    for (const RecordedFunction &function : marked)
        m_data[*image.fileOffset(function.address)] = function.first;
    for (const Span &body : plan.bodies) {
        const auto begin = image.fileOffset(body.address);
        const auto last = image.fileOffset(body.address + body.bytes - 1);
        if (!begin || !last || *last != *begin + body.bytes - 1 || *last >= m_size)
            continue; // a body without bytes in the file
        const std::vector<unsigned char> bytes = trapBytes(body);
        std::copy(bytes.begin(), bytes.end(), m_data + *begin);
    }
    if (msync(m_data, m_size, MS_SYNC) != 0)
        fail("Cannot write \"" + m_path + "\"");
}

void CopiedLibrary::empty(const std::vector<uint64_t> &sizes) {
    for (const uint64_t place : sizes) {
        if (place + sizeof(uint64_t) <= m_size)
            std::fill_n(m_data + place, sizeof(uint64_t), static_cast<unsigned char>(0));
    }
    if (msync(m_data, m_size, MS_SYNC) != 0)
        fail("Cannot write \"" + m_path + "\"");
}

} // namespace warpwright
