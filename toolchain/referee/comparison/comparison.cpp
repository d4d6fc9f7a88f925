// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/comparison.h"

#include "referee/base/cpu_chunks.h"
#include "referee/comparison/float_types.h"
#include "referee/comparison/plain_passes.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/isneginf.h>
#include <ATen/ops/isposinf.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace warpwright {

namespace {

// Elements looked at in one go: temporaries of 8 bytes stay under 128 MiB each.
constexpr int64_t chunkElements = int64_t{1} << 24;
// On a CPU: they stay in its cache, and torch does not think of threads of its own.
constexpr int64_t cachedElements = int64_t{1} << 14;

// Bytes that are held against each other in one go.
constexpr int64_t chunkBytes = int64_t{1} << 28;

// Beside an infinity or NaN of the oracle's or the reference's, a number is right that is as near as this to
// the other.
constexpr double nearby = 0.05;
constexpr double leastInGroup = 16.0;

// 0 finite, 1 NaN, 2 +infinity, 3 -infinity
at::Tensor classes(const at::Tensor &values) {
    return at::isnan(values).to(at::kByte) + at::isposinf(values).to(at::kByte) * 2 +
           at::isneginf(values).to(at::kByte) * 3;
}

double sumOfSquares(const at::Tensor &values) {
    return (values * values).sum().item<double>();
}

double finiteSumOfSquares(const at::Tensor &values, int64_t &count) {
    const at::Tensor finite = at::isfinite(values);
    count += finite.sum().item<int64_t>();
    return sumOfSquares(at::where(finite, values, at::zeros_like(values)));
}

std::vector<int64_t> unravel(int64_t position, at::IntArrayRef sizes) {
    std::vector<int64_t> index(sizes.size());
    for (size_t i = sizes.size(); i-- > 0;) {
        index[i] = position % sizes[i];
        position /= sizes[i];
    }
    return index;
}

struct Sums {
    double candidate = 0.0;
    double reference = 0.0;
    double worst = -1.0;
    int64_t worstAt = -1;
    int64_t specialAt = -1;
    int64_t finite = 0;

    // Of what comes after.
    void add(const Sums &next) {
        candidate += next.candidate;
        reference += next.reference;
        finite += next.finite;
        if (specialAt < 0)
            specialAt = next.specialAt;
        if (next.worstAt >= 0 && (worstAt < 0 || next.worst > worst)) {
            worst = next.worst;
            worstAt = next.worstAt;
        }
    }
};

double twoNorm(const at::Tensor &values) {
    return at::linalg_vector_norm(values, 2, {}, false, at::kDouble).item<double>();
}

// The squares of what is finite, and how many there are.
struct Squares {
    double sum = 0.0;
    int64_t count = 0;

    void add(double more, int64_t elements) {
        sum += more;
        count += elements;
    }
    void add(const at::Tensor &values) {
        const double all = twoNorm(values); // one pass; finite only where every element is
        if (std::isfinite(all))
            add(all * all, values.numel());
        else
            sum += finiteSumOfSquares(values.to(at::kDouble), count);
    }
    [[nodiscard]] double rms() const { return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0.0; }
};

// Of what the type of `like` can hold.
double rmsOfFinite(const FlatValues &values, const at::Tensor &like) {
    const at::ScalarType type = at::toRealValueType(like.scalar_type());
    Squares squares;
    for (int64_t start = 0; start < values.numel(); start += chunkElements) {
        const at::Tensor here = values.slice(start, start + chunkElements, like).to(type);
        if (here.is_cpu()) {
            const FiniteSquares finite = finiteSquares(here, here);
            squares.add(finite.first, finite.firstCount);
        } else {
            squares.add(here);
        }
    }
    return squares.rms();
}

/// What the elements of one result are held against.
struct Measure {
    double floor; ///< RMS of the oracle, above zero
    double limit; ///< see limitOf
    const ErrorGroups *groups;
};

// Where not every number is finite: what addChunk does, word for word.
void addCarefully(Comparison &result, Sums &sums, ErrorGroups::Sums &groups, const Measure &measure,
                  int64_t start, const double *z, const double *r, const double *exact, int64_t count) {
    const auto isSame = [](double a, double b) {
        return std::isnan(a) ? std::isnan(b) : a == b;
    };
    const auto isNear = [&](double a, double b) {
        return std::abs(a - b) <= nearby * (std::abs(b) + measure.floor);
    };
    std::vector<double> seen(exact, exact + count);
    for (int64_t i = 0; i < count; ++i) {
        double &y = seen[static_cast<size_t>(i)];
        if (std::abs(y) > measure.limit)
            y = std::copysign(std::numeric_limits<double>::infinity(), y);
        const auto isRight = [&](double expected) {
            return std::isfinite(expected) ? isNear(z[i], expected) : isSame(z[i], expected);
        };
        if (!std::isfinite(r[i]) || !std::isfinite(y) || !std::isfinite(z[i])) {
            const bool isPlain = std::isfinite(r[i]) && std::isfinite(y);
            if (isPlain || (!isRight(r[i]) && !isRight(y))) {
                ++result.wrongSpecials;
                if (sums.specialAt < 0)
                    sums.specialAt = start + i;
            }
            y = std::numeric_limits<double>::quiet_NaN();
            continue;
        }
        ++sums.finite;
        const double error = std::abs(z[i] - y);
        const double referenceError = std::abs(r[i] - y);
        const double scale = std::abs(y) + measure.floor;
        sums.candidate += error * error;
        sums.reference += referenceError * referenceError;
        result.reference.largest = std::max(result.reference.largest, referenceError / scale);
        if (error / scale > sums.worst) {
            sums.worst = error / scale;
            sums.worstAt = start + i;
        }
    }
    result.candidate.largest = std::max(result.candidate.largest, sums.worst);
    measure.groups->add(groups, start, z, r, seen.data(), count);
}

// `worstAt` is where the chunk begins, unless it had to be looked at element by element: see worstPlace.
void addChunkOnCpu(Comparison &result, Sums &sums, ErrorGroups::Sums &groups, const Measure &measure,
                   int64_t start, const at::Tensor &candidate, const at::Tensor &reference,
                   const at::Tensor &oracle) {
    const at::Tensor zs = candidate.to(at::kDouble).contiguous();
    const at::Tensor rs = reference.to(at::kDouble).contiguous();
    const at::Tensor ys = oracle.to(at::kDouble).contiguous();
    const double *z = zs.const_data_ptr<double>();
    const double *r = rs.const_data_ptr<double>();
    const double *y = ys.const_data_ptr<double>();
    const ErrorPass pass = errorPass(z, r, y, zs.numel(), measure.floor);
    if (!pass.isFinite() || pass.oracleLargest > measure.limit)
        return addCarefully(result, sums, groups, measure, start, z, r, y, zs.numel());
    measure.groups->add(groups, start, z, r, y, zs.numel());
    sums.finite += zs.numel();
    sums.candidate += pass.candidateSquares;
    sums.reference += pass.referenceSquares;
    sums.worst = pass.candidateLargest;
    sums.worstAt = start;
    result.candidate.largest = pass.candidateLargest;
    result.reference.largest = pass.referenceLargest;
}

// The same as addChunk in a third of its passes, where every element is finite. False: one is not, or its
// square is not; nothing was added.
bool addFiniteChunk(Comparison &result, Sums &sums, ErrorGroups::Sums &groups, const Measure &measure,
                    int64_t start, const at::Tensor &candidate, const at::Tensor &reference,
                    const at::Tensor &oracle) {
    const at::Tensor y = oracle.to(at::kDouble);
    const at::Tensor scale = y.abs();
    if (scale.max().item<double>() > measure.limit)
        return false;
    const at::Tensor error = y - candidate;
    const at::Tensor referenceError = y - reference;
    const double ofCandidate = twoNorm(error);
    const double ofReference = twoNorm(referenceError);
    const double squares = ofCandidate * ofCandidate + ofReference * ofReference;
    if (!std::isfinite(squares))
        return false;
    sums.finite += y.numel();
    sums.candidate += ofCandidate * ofCandidate;
    sums.reference += ofReference * ofReference;
    scale.add_(measure.floor);
    const auto [largest, position] = error.abs_().div_(scale).max(0);
    const auto here = largest.item<double>();
    result.candidate.largest = std::max(result.candidate.largest, here);
    result.reference.largest =
        std::max(result.reference.largest, referenceError.abs_().div_(scale).max().item<double>());
    if (here > sums.worst) {
        sums.worst = here;
        sums.worstAt = start + position.item<int64_t>();
    }
    measure.groups->add(groups, start, candidate.to(at::kDouble), reference.to(at::kDouble), y);
    return true;
}

void addChunk(Comparison &result, Sums &sums, ErrorGroups::Sums &groups, const Measure &measure,
              int64_t start, const at::Tensor &candidate, const at::Tensor &reference,
              const at::Tensor &oracle) {
    if (candidate.is_cpu())
        return addChunkOnCpu(result, sums, groups, measure, start, candidate, reference, oracle);
    if (addFiniteChunk(result, sums, groups, measure, start, candidate, reference, oracle))
        return;
    const at::Tensor z = candidate.to(at::kDouble);
    const at::Tensor r = reference.to(at::kDouble);
    const at::Tensor exact = oracle.to(at::kDouble);
    const at::Tensor y =
        at::where(exact.abs().gt(measure.limit), exact * std::numeric_limits<double>::infinity(), exact);
    const at::Tensor plain = at::logical_and(at::isfinite(r), at::isfinite(y));
    const auto isRight = [&](const at::Tensor &expected) {
        const at::Tensor isNear = (z - expected).abs().le((expected.abs() + measure.floor) * nearby);
        return at::where(at::isfinite(expected), isNear, classes(z).eq(classes(expected)));
    };
    const at::Tensor wrong =
        at::where(plain, at::isfinite(z).logical_not(), at::logical_or(isRight(r), isRight(y)).logical_not());
    const int64_t wrongHere = wrong.sum().item<int64_t>();
    if (wrongHere > 0 && sums.specialAt < 0)
        sums.specialAt = start + wrong.to(at::kByte).argmax().item<int64_t>();
    result.wrongSpecials += wrongHere;

    const at::Tensor finite = at::logical_and(plain, at::isfinite(z));
    sums.finite += finite.sum().item<int64_t>();
    const at::Tensor zero = at::zeros_like(y);
    const at::Tensor error = at::where(finite, (z - y).abs(), zero);
    const at::Tensor referenceError = at::where(finite, (r - y).abs(), zero);
    sums.candidate += sumOfSquares(error);
    sums.reference += sumOfSquares(referenceError);
    const at::Tensor scale = at::where(finite, y.abs() + measure.floor, at::ones_like(y));
    const at::Tensor relative = error / scale;
    const int64_t position = relative.argmax().item<int64_t>();
    const double largest = relative[position].item<double>();
    result.candidate.largest = std::max(result.candidate.largest, largest);
    result.reference.largest =
        std::max(result.reference.largest, (referenceError / scale).max().item<double>());
    if (largest > sums.worst) {
        sums.worst = largest;
        sums.worstAt = start + position;
    }
    measure.groups->add(groups, start, z, r,
                        y.masked_fill(finite.logical_not(), std::numeric_limits<double>::quiet_NaN()));
}

void addIntegerChunk(Sums &sums, int64_t start, const at::Tensor &candidate, const at::Tensor &reference,
                     const at::Tensor &oracle) {
    const at::Tensor y = oracle.to(candidate.scalar_type());
    // Where rounding moves a tie, the reference in its own precision is as right as the oracle.
    const at::Tensor wrong = at::logical_and(candidate.ne(y), candidate.ne(reference));
    const int64_t count = wrong.sum().item<int64_t>();
    sums.candidate += static_cast<double>(count);
    sums.reference += static_cast<double>(reference.ne(y).sum().item<int64_t>());
    sums.finite += candidate.numel();
    if (count > 0 && sums.worstAt < 0)
        sums.worstAt = start + wrong.to(at::kByte).argmax().item<int64_t>();
}

int64_t outsideTolerance(const at::Tensor &candidate, const at::Tensor &reference) {
    const at::Tensor z = candidate.to(at::kDouble);
    const at::Tensor r = reference.to(at::kDouble);
    if (z.is_cpu()) {
        const at::Tensor zs = z.contiguous();
        const at::Tensor rs = r.contiguous();
        return outsidePass(zs.const_data_ptr<double>(), rs.const_data_ptr<double>(), zs.numel(), 1e-2, 1e-2);
    }
    // How far beyond the relative part: NaN where one is NaN or infinite, and then each is looked at.
    const at::Tensor beyond = (z - r).abs_().sub_(r.abs(), 1e-2);
    if (beyond.max().item<double>() <= 1e-2)
        return 0;
    const at::Tensor near = at::logical_or((z - r).abs().le(r.abs() * 1e-2 + 1e-2), z.eq(r));
    return near.logical_not().sum().item<int64_t>();
}

// The first element of the chunk around `near` whose error is the largest of all.
int64_t worstPlace(const FlatValues &candidate, const FlatValues &oracle, int64_t near,
                   const Comparison &result) {
    const int64_t begin = near - near % cachedElements;
    const int64_t end = std::min(begin + cachedElements, candidate.numel());
    const at::Tensor zs = candidate.slice(begin, end).to(at::kDouble).contiguous();
    const at::Tensor ys = oracle.slice(begin, end).to(at::kDouble).contiguous();
    const double *z = zs.const_data_ptr<double>();
    const double *y = ys.const_data_ptr<double>();
    const double floor = std::max(result.oracleRms, std::numeric_limits<double>::min());
    for (int64_t i = 0; i < zs.numel(); ++i) {
        if (std::abs(z[i] - y[i]) / (std::abs(y[i]) + floor) == result.candidate.largest)
            return begin + i;
    }
    return near;
}

} // namespace

namespace {

// Of groups that few elements are in, nothing is known.
void tellGroups(Comparison &result, const ErrorGroups::Sums &sums) {
    for (size_t group = 0; group < sums.size(); ++group) {
        const ErrorGroups::Sum &sum = sums[group];
        const auto rms = [&sum](size_t what) {
            return sum[3] >= leastInGroup ? std::sqrt(sum[what] / sum[3]) : 0.0;
        };
        result.candidate.groups.push_back(rms(0));
        result.reference.groups.push_back(rms(1));
        result.groups.push_back({static_cast<int64_t>(sum[3]), rms(2)});
    }
}

} // namespace

Comparison compareOutputs(const at::Tensor &candidate, const at::Tensor &reference,
                          const at::Tensor &workdirReference, const FlatValues &y) {
    Comparison result;
    const FlatValues z = candidate;
    const FlatValues r = reference;
    const FlatValues w = workdirReference;
    result.elements = z.numel();
    result.isInteger = !z.isFloatingPoint();
    result.epsilon = result.isInteger ? 0.0 : epsilonOf(candidate.scalar_type());
    if (result.elements == 0)
        return result;
    if (!result.isInteger) {
        result.parts = std::make_shared<const ErrorGroups>(candidate, y);
        result.oracleRms = rmsOfFinite(y, candidate);
    }
    const Measure measure{std::max(result.oracleRms, std::numeric_limits<double>::min()),
                          limitOf(candidate.scalar_type()), result.parts.get()};
    GroupSums groupSums(measure.groups);
    struct Part {
        Comparison result;
        Sums sums;
    };
    const int64_t step = candidate.is_cpu() ? cachedElements
                         : result.parts     ? result.parts->stepWithin(chunkElements)
                                            : chunkElements;
    std::vector<Part> parts(chunkCount(z.numel(), step));
    const auto compareChunk = [&](int64_t begin, int64_t end, size_t chunk) {
        Part &part = parts[chunk];
        const at::Tensor zs = z.slice(begin, end);
        const at::Tensor rs = r.slice(begin, end);
        const at::Tensor ys = y.slice(begin, end, candidate);
        if (result.isInteger) {
            addIntegerChunk(part.sums, begin, zs, rs, ys);
        } else {
            ErrorGroups::Sums sums = groupSums.take();
            addChunk(part.result, part.sums, sums, measure, begin, zs, rs, ys);
            groupSums.giveBack(std::move(sums));
        }
        part.result.outsideWorkdirTolerance += outsideTolerance(zs, w.slice(begin, end));
    };
    if (candidate.is_cpu() && !y.isMadeInParts()) {
        forChunks(z.numel(), step, compareChunk);
    } else {
        for (size_t chunk = 0; chunk < parts.size(); ++chunk)
            compareChunk(static_cast<int64_t>(chunk) * step,
                         std::min(z.numel(), static_cast<int64_t>(chunk + 1) * step), chunk);
    }
    Sums sums;
    for (const Part &part : parts) {
        result.wrongSpecials += part.result.wrongSpecials;
        result.outsideWorkdirTolerance += part.result.outsideWorkdirTolerance;
        result.candidate.largest = std::max(result.candidate.largest, part.result.candidate.largest);
        result.reference.largest = std::max(result.reference.largest, part.result.reference.largest);
        sums.add(part.sums);
    }
    const double count = static_cast<double>(std::max<int64_t>(sums.finite, 1));
    const double scale = result.isInteger ? 1.0 : measure.floor;
    const auto relative = [&](double sum) {
        return result.isInteger ? sum / count : std::sqrt(sum / count) / scale;
    };
    result.candidate.rms = relative(sums.candidate);
    result.reference.rms = relative(sums.reference);
    if (result.isInteger) {
        result.candidate.largest = result.candidate.rms;
        result.reference.largest = result.reference.rms;
    }
    tellGroups(result, groupSums.all());
    result.yardstick = result.reference;
    if (candidate.is_cpu() && !result.isInteger && sums.specialAt < 0 && sums.worstAt >= 0)
        sums.worstAt = worstPlace(z, y, sums.worstAt, result);
    const int64_t worst = sums.specialAt >= 0 ? sums.specialAt : sums.worstAt;
    if (worst >= 0) {
        result.worstIndex = unravel(candidate.is_complex() ? worst / 2 : worst, candidate.sizes());
        result.worstExpected = y.at(worst);
        result.worstActual = z.at(worst);
        result.worstReference = r.at(worst);
        result.worstError = result.candidate.largest;
    }
    return result;
}

bool sameBits(const at::Tensor &left, const at::Tensor &right) {
    if (left.is_cpu())
        return sameBytes(left.contiguous(), right.contiguous());
    const FlatValues a = left;
    const FlatValues b = right;
    const int64_t step = chunkBytes / static_cast<int64_t>(left.element_size());
    for (int64_t start = 0; start < a.numel(); start += step) {
        if (!at::equal(a.slice(start, start + step).view(at::kByte),
                       b.slice(start, start + step).view(at::kByte)))
            return false;
    }
    return true;
}

double relativeDifference(const FlatValues &a, const FlatValues &b) {
    if (a.numel() == 0)
        return 0.0;
    const auto over = [](double difference, double scale) {
        return scale > 0.0 ? difference / scale : difference;
    };
    const bool isFloat = a.isFloatingPoint();
    Squares difference;
    Squares first;
    double moved = 0.0;
    for (int64_t start = 0; start < a.numel(); start += chunkElements) {
        const at::Tensor here = a.slice(start, start + chunkElements);
        const at::Tensor there = b.slice(start, start + chunkElements, here);
        if (isFloat && here.is_cpu()) {
            const FiniteSquares squares = finiteSquares(here, there);
            difference.add(squares.differences, squares.differenceCount);
            first.add(squares.first, squares.firstCount);
        } else if (isFloat) {
            difference.add(here.to(at::kDouble) - there.to(at::kDouble));
            first.add(here);
        } else {
            moved += here.ne(there).to(at::kDouble).sum().item<double>();
        }
    }
    return isFloat ? over(difference.rms(), first.rms()) : moved / static_cast<double>(a.numel());
}

double differenceOfTimed(const at::Tensor &expected, const at::Tensor &result) {
    const FlatValues a = expected;
    const FlatValues b = result;
    bool isLost = false;
    for (int64_t start = 0; start < a.numel() && a.isFloatingPoint() && !isLost; start += chunkElements) {
        const at::Tensor here = a.slice(start, start + chunkElements);
        const at::Tensor there = b.slice(start, start + chunkElements);
        if (here.is_cpu()) {
            // A difference is finite where both are.
            const FiniteSquares squares = finiteSquares(here, there);
            isLost = squares.firstCount > squares.differenceCount;
        } else if (!std::isfinite(twoNorm(here - there))) {
            isLost =
                at::logical_and(at::isfinite(here), at::isfinite(there).logical_not()).any().item<bool>();
        }
    }
    return isLost ? std::numeric_limits<double>::infinity() : relativeDifference(expected, result);
}

ErrorSize errorOf(const at::Tensor &result, const FlatValues &oracle) {
    return compareOutputs(result, result, result, oracle).candidate;
}

} // namespace warpwright
