// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/plain_passes.h"

#include "referee/base/cpu_chunks.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <vector>

namespace warpwright {

namespace {

// Side by side: a compiler may not put a sum's additions in another order, and so cannot make them itself.
constexpr int64_t lanes = 8;
constexpr int64_t cachedElements = int64_t{1} << 14;
constexpr int64_t comparedBytes = int64_t{1} << 19;

double sumOf(const double (&values)[lanes]) {
    return std::accumulate(std::begin(values), std::end(values), 0.0);
}

double largestOf(const double (&values)[lanes]) {
    return *std::max_element(std::begin(values), std::end(values));
}

FiniteSquares carefulSquares(const double *a, const double *b, int64_t count) {
    FiniteSquares squares;
    for (int64_t i = 0; i < count; ++i) {
        const double difference = a[i] - b[i];
        if (std::isfinite(a[i])) {
            squares.first += a[i] * a[i];
            ++squares.firstCount;
        }
        if (std::isfinite(difference)) {
            squares.differences += difference * difference;
            ++squares.differenceCount;
        }
    }
    return squares;
}

FiniteSquares squaresOf(const double *a, const double *b, int64_t count) {
    double first[lanes] = {};
    double differences[lanes] = {};
    const int64_t whole = count - count % lanes;
    for (int64_t i = 0; i < whole; i += lanes) {
        for (int64_t lane = 0; lane < lanes; ++lane) {
            const double difference = a[i + lane] - b[i + lane];
            first[lane] += a[i + lane] * a[i + lane];
            differences[lane] += difference * difference;
        }
    }
    FiniteSquares squares{sumOf(first), sumOf(differences), whole, whole};
    if (!std::isfinite(squares.first + squares.differences))
        return carefulSquares(a, b, count);
    const FiniteSquares rest = carefulSquares(a + whole, b + whole, count - whole);
    squares.first += rest.first;
    squares.differences += rest.differences;
    squares.firstCount += rest.firstCount;
    squares.differenceCount += rest.differenceCount;
    return squares;
}

} // namespace

ErrorPass errorPass(const double *candidate, const double *reference, const double *oracle, int64_t count,
                    double floor) {
    double squares[2][lanes] = {};
    double largest[3][lanes] = {};
    const auto add = [&](int64_t i, int64_t lane) {
        const double scale = std::abs(oracle[i]) + floor;
        const double error = std::abs(candidate[i] - oracle[i]);
        const double referenceError = std::abs(reference[i] - oracle[i]);
        squares[0][lane] += error * error;
        squares[1][lane] += referenceError * referenceError;
        largest[0][lane] = std::max(largest[0][lane], error / scale);
        largest[1][lane] = std::max(largest[1][lane], referenceError / scale);
        largest[2][lane] = std::max(largest[2][lane], scale);
    };
    const int64_t whole = count - count % lanes;
    for (int64_t i = 0; i < whole; i += lanes) {
        for (int64_t lane = 0; lane < lanes; ++lane)
            add(i + lane, lane);
    }
    for (int64_t i = whole; i < count; ++i)
        add(i, 0);
    return {sumOf(squares[0]), sumOf(squares[1]), largestOf(largest[0]), largestOf(largest[1]),
            largestOf(largest[2]) - floor};
}

int64_t outsidePass(const double *result, const double *expected, int64_t count, double absolute,
                    double relative) {
    int64_t outside = 0;
    for (int64_t i = 0; i < count; ++i) {
        // Written so that a NaN is outside; `&`, so that there is no branch.
        const bool isNear = std::abs(result[i] - expected[i]) <= std::abs(expected[i]) * relative + absolute;
        outside += static_cast<int64_t>(!isNear) & static_cast<int64_t>(result[i] != expected[i]);
    }
    return outside;
}

FiniteSquares finiteSquares(const at::Tensor &first, const at::Tensor &second) {
    std::vector<FiniteSquares> parts(chunkCount(first.numel(), cachedElements));
    forChunks(first.numel(), cachedElements, [&](int64_t begin, int64_t end, size_t chunk) {
        const at::Tensor a = first.slice(0, begin, end).to(at::kDouble).contiguous();
        const at::Tensor b = second.slice(0, begin, end).to(at::kDouble).contiguous();
        parts[chunk] = squaresOf(a.const_data_ptr<double>(), b.const_data_ptr<double>(), a.numel());
    });
    FiniteSquares all;
    for (const FiniteSquares &part : parts) {
        all.first += part.first;
        all.firstCount += part.firstCount;
        all.differences += part.differences;
        all.differenceCount += part.differenceCount;
    }
    return all;
}

bool sameBytes(const at::Tensor &left, const at::Tensor &right) {
    const auto *a = static_cast<const char *>(left.const_data_ptr());
    const auto *b = static_cast<const char *>(right.const_data_ptr());
    std::atomic<bool> isSame{true};
    forChunks(static_cast<int64_t>(left.nbytes()), comparedBytes, [&](int64_t begin, int64_t end, size_t) {
        if (isSame && std::memcmp(a + begin, b + begin, static_cast<size_t>(end - begin)) != 0)
            isSame = false;
    });
    return isSame;
}

} // namespace warpwright
