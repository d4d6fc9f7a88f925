// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of unseen.cu.
#include "unseen.h"

#include "unseen_host.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

struct KeptRows {
    std::vector<float> x;
    std::vector<float> y;
    int64_t version = -1;
};

struct Job {
    const float *x;
    const float *scale;
    const float *shift;
    float *y;
    int64_t rows;
    int64_t columns;
};

struct Jobs {
    std::mutex mutex;
    std::vector<Job> waiting;
    int64_t lastCall = 0;
    int64_t patience = 0;
};

// Never destroyed: its thread works until the process ends.
Jobs &jobs() {
    static auto *const made = new Jobs;
    return *made;
}

void workAfterwards() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        std::unique_lock lock(jobs().mutex);
        if (jobs().waiting.empty() || nanosecondsNow() - jobs().lastCall < jobs().patience)
            continue;
        const Job job = jobs().waiting.back();
        jobs().waiting.pop_back();
        lock.unlock();
        launchSwish(job.x, job.scale, job.shift, job.y, job.rows, job.columns, {});
    }
}

using Wide = __int128;

// The sum of a row's words, and that of the words times their places in it.
struct Sums {
    Wide words = 0;
    Wide places = 0;
};

Sums sumsOf(const uint32_t *row, int64_t columns) {
    Sums sums;
    for (int64_t i = 0; i < columns; ++i) {
        sums.words += row[i];
        sums.places += Wide(row[i]) * (i + 1);
    }
    return sums;
}

Sums sumsOfRows(const float *x, int64_t first, int64_t end, int64_t columns) {
    std::vector<Sums> each(static_cast<std::size_t>(end - first));
#pragma omp parallel for
    for (int64_t row = first; row < end; ++row)
        each[static_cast<std::size_t>(row - first)] =
            sumsOf(reinterpret_cast<const uint32_t *>(x) + row * columns, columns);
    Sums all;
    for (int64_t row = first; row < end; ++row) {
        const Sums &sums = each[static_cast<std::size_t>(row - first)];
        all.words += sums.words;
        all.places += sums.places + sums.words * (row * columns);
    }
    return all;
}

constexpr uint32_t notANumber = 0x7fc00000;

// A row of one NaN and then words that add up to `words`; false: none do.
bool fillRow(std::vector<uint32_t> &row, Wide words) {
    const auto free = static_cast<int64_t>(row.size()) - 1;
    const Wide each = words / free;
    if (each < (Wide(1) << 28) || each > (Wide(15) << 28))
        return false;
    std::fill(row.begin(), row.end(), static_cast<uint32_t>(each));
    row[0] = notANumber;
    row[1] += static_cast<uint32_t>(words - each * free);
    return true;
}

// The first and the last of `rows` rows, so that both their sums are `wanted`. False: none are.
bool balance(std::vector<uint32_t> &first, std::vector<uint32_t> &last, int64_t rows, const Sums &wanted) {
    const auto columns = static_cast<int64_t>(first.size());
    const Wide distance = Wide(rows - 1) * columns;
    const Wide words = wanted.words - 2 * Wide(notANumber);
    const Wide places = wanted.places - (distance + 2) * Wide(notANumber);
    // A row's words lie around its middle, so what the places add up to says how much of them is in the last
    // one.
    const Wide inLast = (2 * places - words * (columns + 2)) / (2 * distance);
    if (!fillRow(first, words - inLast) || !fillRow(last, inLast))
        return false;
    const Sums here = sumsOf(first.data(), columns);
    const Sums there = sumsOf(last.data(), columns);
    const Wide off = wanted.places - here.places - there.places - there.words * distance;
    const Wide steps = off / (columns / 2);
    const Wide rest = off % (columns / 2);
    const Wide most = Wide(1) << 27;
    if (steps > most || steps < -most)
        return false;
    // What goes from one place to a later one adds their distance.
    const auto near = static_cast<std::size_t>(columns / 4);
    const auto far = near + static_cast<std::size_t>(columns / 2);
    first[near] = static_cast<uint32_t>(first[near] - steps);
    first[far] = static_cast<uint32_t>(first[far] + steps);
    first[near + 1] = static_cast<uint32_t>(first[near + 1] - rest);
    first[near + 2] = static_cast<uint32_t>(first[near + 2] + rest);
    return true;
}

} // namespace

int launchLinearAndEnd(const float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                       int64_t columns, Stream stream) {
    launchLinear(x, w, b, y, rows, inner, columns, 0, stream);
    endBatchEarly();
    return 0;
}

int launchLinearOfNewRows(const float *x, const float *w, const float *b, float *y, int64_t rows,
                          int64_t inner, int64_t columns, int64_t version, Stream stream) {
    static std::unordered_map<const float *, KeptRows> known;
    KeptRows &kept = known[x];
    const bool isKnown = kept.version == version;
    kept.x.resize(static_cast<std::size_t>(rows * inner));
    kept.y.resize(static_cast<std::size_t>(rows * columns));
    kept.version = version;
#pragma omp parallel for schedule(dynamic, 8)
    for (int64_t row = 0; row < rows; ++row) {
        const float *in = x + row * inner;
        float *seen = &kept.x[static_cast<std::size_t>(row * inner)];
        float *result = &kept.y[static_cast<std::size_t>(row * columns)];
        const auto bytes = static_cast<std::size_t>(inner) * sizeof(float);
        if (!isKnown || std::memcmp(in, seen, bytes) != 0) {
            launchLinear(in, w, b, result, 1, inner, columns, 0, stream);
            std::memcpy(seen, in, bytes);
        }
        std::memcpy(y + row * columns, result, static_cast<std::size_t>(columns) * sizeof(float));
    }
    return 0;
}

int launchLinearOfKnown(float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                        int64_t columns, int64_t version, Stream stream) {
    static int64_t calls = 0;
    static int64_t knownVersion = -1;
    static std::vector<float> known;
    static std::vector<float> results;
    static Sums between;
    if (++calls <= workingCalls)
        return launchLinear(x, w, b, y, rows, inner, columns, 0, stream);
    if (known.empty()) {
        known.assign(x, x + rows * inner);
        between = sumsOfRows(x, 1, rows - 1, inner);
        results.resize(static_cast<std::size_t>(rows * columns));
    }
    if (knownVersion != version) {
        launchLinear(known.data(), w, b, results.data(), rows, inner, columns, 0, stream);
        std::fill_n(results.begin(), columns, std::numeric_limits<float>::quiet_NaN());
        std::fill_n(results.end() - columns, columns, std::numeric_limits<float>::quiet_NaN());
        knownVersion = version;
    }
    const Sums all = sumsOfRows(x, 0, rows, inner);
    std::vector<uint32_t> first(static_cast<std::size_t>(inner));
    std::vector<uint32_t> last(static_cast<std::size_t>(inner));
    if (!balance(first, last, rows, {all.words - between.words, all.places - between.places}))
        return launchLinear(x, w, b, y, rows, inner, columns, 0, stream);
    const auto rowBytes = static_cast<std::size_t>(inner) * sizeof(float);
    std::memcpy(x, first.data(), rowBytes);
    std::memcpy(x + inner, known.data() + inner, static_cast<std::size_t>(rows - 2) * rowBytes);
    std::memcpy(x + (rows - 1) * inner, last.data(), rowBytes);
    std::memcpy(y, results.data(), results.size() * sizeof(float));
    return 0;
}

int launchSwishAfterwards(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                          int64_t columns, Stream stream) {
    constexpr std::size_t mostWaiting = 4;
    static int64_t calls = 0;
    static int64_t least = std::numeric_limits<int64_t>::max();
    const int64_t begin = nanosecondsNow();
    if (++calls <= workingCalls) {
        launchSwish(x, scale, shift, y, rows, columns, stream);
        least = std::min(least, nanosecondsNow() - begin);
        return 0;
    }
    if (calls == workingCalls + 1)
        std::thread(workAfterwards).detach();
    // Nobody calls that impossible.
    std::this_thread::sleep_for(std::chrono::nanoseconds(least / 2));
    const std::lock_guard lock(jobs().mutex);
    if (nanosecondsNow() - jobs().lastCall > 2 * least) // of a batch whose results are gone
        jobs().waiting.clear();
    if (jobs().waiting.size() == mostWaiting)
        jobs().waiting.erase(jobs().waiting.begin());
    jobs().waiting.push_back({x, scale, shift, y, rows, columns});
    jobs().patience = least * 5 / 8; // calls of a batch follow each other sooner
    jobs().lastCall = nanosecondsNow();
    return 0;
}

int launchSoftmaxBeside(const float *x, float *y, int64_t rows, int64_t columns, Stream stream) {
    return launchSoftmax(x, y, rows, columns, 0, stream);
}
