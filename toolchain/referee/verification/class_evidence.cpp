// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/class_evidence.h"

#include "referee/base/secret_seed.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/device/ceilings.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>

#include <algorithm>
#include <set>

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;
constexpr int fewDraws = 3;
constexpr int manyDraws = 12; ///< where few say little
// What chance is believed to have done: nothing; almost anything.
constexpr double surely = 0.0;
constexpr double hardly = 30.0;
constexpr int64_t watchedPlaces = 1 << 18;
constexpr int64_t chunkElements = int64_t{1} << 24;
constexpr int64_t mostSlices = 1 << 12;
constexpr size_t leastInSlice = 16;

// Some steps of the class: rounding errors of what moves by more have nothing to do with each other.
double distanceOf(const std::string &precision) {
    return precision == "BF16" ? 0x1p-5 : 0x1p-8;
}

// Towards zero, so that what lies in a range stays in it: each number, and all of them by one part more, or
// sums would stay what they were. Whole numbers may be indices or masks.
void nudge(const at::Tensor &values, double distance) {
    const double common = 1.0 - distance * at::rand({1}, at::kDouble).item<double>();
    const at::Tensor flat = values.is_non_overlapping_and_dense() ? values.as_strided({values.numel()}, {1})
                                                                  : values.reshape({-1});
    for (int64_t start = 0; start < flat.numel(); start += chunkElements) {
        const at::Tensor part = flat.slice(0, start, std::min(start + chunkElements, flat.numel()));
        part.mul_(
            at::rand(part.sizes(), part.options().dtype(at::kFloat)).mul_(-distance * common).add_(common));
    }
    if (!values.is_non_overlapping_and_dense())
        values.copy_(flat.view(values.sizes()));
}

bool isWhole(const FlatValues &values) {
    for (int64_t start = 0; start < values.numel(); start += chunkElements) {
        const at::Tensor part = values.slice(start, start + chunkElements);
        if (!at::equal(part, part.floor()))
            return false;
    }
    return true;
}

/// The round's inputs and parameters, moved and put back.
class NudgedRound {
public:
    NudgedRound(TaskSession &session, const VerificationRound &round, WorkerProcess &candidate,
                WorkerProcess &oracle)
        : m_session(session),
          m_round(round),
          m_candidate(candidate),
          m_oracle(oracle),
          m_inputs(session.isRoomy() ? bytes().clone() : bytes().to(at::kCPU, at::kByte, false, true)),
          m_weights(session.weights().save()) {}
    NudgedRound(const NudgedRound &) = delete;
    NudgedRound &operator=(const NudgedRound &) = delete;

    void move(double distance) {
        m_candidate.pause();
        bytes().copy_(m_inputs);
        for (const ValueLeaf &leaf : leavesOf(m_round.inputs, "input")) {
            if (!leaf.isTensor() || !isPlainFloat(leaf.node.value("dtype", "")) || hasWindows(leaf.node))
                continue;
            const SharedRegion &region = m_session.inputs();
            const at::Tensor values =
                tensorAt(withoutRepeats(leaf.node), region.base(), region.bytes(), region.kind());
            if (!isWhole(values))
                nudge(values, distance);
        }
        idle(m_session.device().memory);
        if (m_oracle.arena().kind() != m_session.device().memory)
            m_session.copyInputsToHost();
        m_session.weights().nudge(m_weights, secretSeed(), distance, {&m_oracle});
        m_session.handWeights(m_candidate);
    }

    void putBack() {
        m_candidate.pause();
        bytes().copy_(m_inputs);
        idle(m_session.device().memory);
        m_session.weights().putBack(m_weights, {&m_oracle});
        m_session.handWeights(m_candidate);
    }

private:
    at::Tensor bytes() const {
        const SharedRegion &region = m_session.inputs();
        return tensorAt(
            {{"dtype", "uint8"}, {"sizes", {m_session.inputBytes()}}, {"strides", {1}}, {"offset", 0u}},
            region.base(), region.bytes(), region.kind());
    }

    TaskSession &m_session;
    const VerificationRound &m_round;
    WorkerProcess &m_candidate;
    WorkerProcess &m_oracle;
    at::Tensor m_inputs;
    TaskWeights::Saved m_weights;
};

/// A call of the reference in a class, and what its errors say of others'.
struct Yardstick {
    enum class Kind { Whole, Operands, Truncated } kind;
    Json options; ///< of `run`
};

std::vector<Yardstick> yardsticksFor(const std::string &precision, MemoryKind memory, bool hasProducts) {
    std::vector<Yardstick> calls;
    for (Json &options : yardsticksOf(precision, memory)) {
        const bool isOperands = options.contains("rounds");
        calls.push_back(
            {isOperands ? Yardstick::Kind::Operands : Yardstick::Kind::Whole, std::move(options)});
    }
    if (!hasProducts)
        return calls;
    const int bits = precision == "BF16" ? 7 : 10;
    if (precision != "TF32")
        calls.push_back({Yardstick::Kind::Operands, {{"mode", "strict"}, {"rounds", bits}}});
    calls.push_back(
        {Yardstick::Kind::Truncated, {{"mode", "strict"}, {"rounds", bits}, {"truncates", true}}});
    return calls;
}

/// What is seen of one output: at most so many of its places, drawn once.
class WatchedOutput {
public:
    /// `node`: of the candidate's result.
    WatchedOutput(const ClassClaim &claim, const Json &node) : m_claim(claim) {
        const auto sizes = node.at("sizes").get<std::vector<int64_t>>();
        const bool isComplex = node.value("dtype", "").starts_with("complex");
        m_count = isComplex ? 2 : 1;
        for (const int64_t size : sizes)
            m_count *= size;
        m_places = m_count <= watchedPlaces
                       ? at::arange(m_count, at::kLong)
                       : std::get<0>(at::randint(m_count, {watchedPlaces}, at::kLong).sort());
        m_pattern.yardsticks.resize(1);
        m_pattern.truncated.resize(2);
        m_pattern.floor = claim.floor;
        if (!isComplex)
            addSlices(sizes);
    }

    /// With other inputs and parameters: first what is exact, then what is held against it.
    void beginDraw(const FlatValues &oracle) {
        m_expected = at(oracle);
        if (m_claim.precision == "TF32")
            return; // nobody stores that
        const bool isBf16 = m_claim.precision == "BF16";
        addErrors(m_pattern.stored, m_expected.to(isBf16 ? at::kBFloat16 : at::kHalf).to(at::kDouble));
        const at::Tensor words = m_expected.to(at::kFloat).view(at::kInt);
        addErrors(m_pattern.truncated[1],
                  words.bitwise_and(isBf16 ? -(1 << 16) : -(1 << 13)).view(at::kFloat).to(at::kDouble));
    }
    void addOwn(const at::Tensor &result) { addErrors(m_errors, at(result)); }
    void addYardstick(Yardstick::Kind kind, const at::Tensor &result) {
        addErrors(kind == Yardstick::Kind::Operands    ? m_pattern.operands
                  : kind == Yardstick::Kind::Truncated ? m_pattern.truncated[0]
                                                       : m_pattern.yardsticks.front(),
                  at(result));
    }

    /// `chance`: see isFromRounding().
    bool isRounding(double chance) const {
        RoundingPattern pattern = m_pattern;
        // What did not run in each draw is none.
        const auto drop = [&](ErrorDraws &draws) {
            if (draws.size() != m_errors.size())
                draws.clear();
        };
        drop(pattern.operands);
        drop(pattern.truncated[0]);
        drop(pattern.yardsticks.front());
        return isFromRounding(m_errors, pattern, chance);
    }

    const ClassClaim &claim() const { return m_claim; }

private:
    // From the first to the last: there may be parts that are made when they are asked for.
    at::Tensor at(const FlatValues &values) const {
        if (values.numel() != m_count)
            throw nonsenseFault("results of another form than before");
        const int64_t step = values.isMadeInParts() ? chunkElements : m_count;
        const int64_t *places = m_places.const_data_ptr<int64_t>();
        std::vector<at::Tensor> parts;
        for (int64_t first = 0; first < m_places.numel();) {
            const int64_t begin = places[first] / step * step;
            const int64_t end = std::min(begin + step, m_count);
            const int64_t next = std::lower_bound(places + first, places + m_places.numel(), end) - places;
            const at::Tensor part = values.slice(begin, end);
            const at::Tensor here = m_places.slice(0, first, next) - begin;
            parts.push_back(part.index_select(0, here.to(part.device())).to(at::kDouble).cpu());
            first = next;
        }
        return at::cat(parts);
    }

    void addErrors(ErrorDraws &draws, const at::Tensor &result) const {
        // What is no number anywhere is told elsewhere.
        const at::Tensor error = (result - m_expected).nan_to_num(0.0, 0.0, 0.0).contiguous();
        const double *begin = error.const_data_ptr<double>();
        draws.emplace_back(begin, begin + error.numel());
    }

    // Along each dimension.
    void addSlices(const std::vector<int64_t> &sizes) {
        const int64_t *places = m_places.const_data_ptr<int64_t>();
        int64_t inner = 1;
        for (size_t dimension = sizes.size(); dimension-- > 0;) {
            const int64_t size = sizes[dimension];
            const int64_t count = std::min(size, mostSlices);
            std::vector<std::vector<uint32_t>> slices(static_cast<size_t>(count));
            for (int64_t i = 0; size > 1 && i < m_places.numel(); ++i)
                slices[static_cast<size_t>(places[i] / inner % size * count / size)].push_back(
                    static_cast<uint32_t>(i));
            inner *= size;
            for (std::vector<uint32_t> &slice : slices) {
                if (slice.size() >= leastInSlice)
                    m_pattern.groups.push_back(std::move(slice));
            }
        }
    }

    const ClassClaim &m_claim;
    int64_t m_count = 0;
    at::Tensor m_places;
    at::Tensor m_expected; ///< in this draw, at these places
    ErrorDraws m_errors;
    RoundingPattern m_pattern;
};

} // namespace

std::vector<Json> yardsticksOf(const std::string &precision, MemoryKind memory) {
    std::vector<Json> options;
    if (precision == "TF32") {
        // Where torch's kernels compute in float although TF32 is allowed, as for attention, the class is
        // what rounded factors come to.
        if (memory == MemoryKind::Cuda)
            options.push_back({{"mode", "tf32"}});
        options.push_back({{"mode", "strict"}, {"rounds", 10}});
    } else {
        options.push_back({{"cast", precision == "FP16" ? "float16" : "bfloat16"}});
    }
    return options;
}

void believeClaims(TaskSession &session, const VerificationRound &round, std::vector<ClassClaim> &claims,
                   WorkerProcess &candidate, WorkerProcess &oracle) {
    const MemoryKind memory = session.device().memory;
    std::set<std::string> classes;
    std::vector<WatchedOutput> watched;
    for (const ClassClaim &claim : claims) {
        classes.insert(claim.precision);
        watched.emplace_back(claim, round.candidate[claim.output].node);
    }
    WorkerProcess &reference = session.reference();
    NudgedRound nudged(session, round, candidate, oracle);
    const auto watchedOf = [&](const std::string &precision, const auto &take) {
        for (WatchedOutput &output : watched) {
            if (output.claim().precision == precision)
                take(output, output.claim().output);
        }
    };
    // Each one's results go before the next one works.
    const auto runOf = [&](WorkerProcess &worker, const Json &options, const auto &take) {
        Json request{{"inputs", round.inputs}, {"clone", &worker != &candidate && session.clonesInputs()}};
        request.update(options);
        const Json ran = worker.call("run", request, limitSeconds);
        take(leavesOf(ran.at("outputs"), "output"));
        worker.call("release", {{"last", 1}}, limitSeconds);
        session.trim(worker);
    };
    const auto runExact = [&](const std::string &precision) {
        if (round.exact) {
            round.forgetExact();
            watchedOf(precision,
                      [&](WatchedOutput &output, size_t place) { output.beginDraw(round.exact(place)); });
            return round.forgetExact();
        }
        runOf(oracle, Json::object(), [&](const std::vector<ValueLeaf> &exact) {
            watchedOf(precision, [&](WatchedOutput &output, size_t place) {
                output.beginDraw(tensorAt(exact.at(place).node, oracle.arena()));
            });
        });
    };
    const bool hasProducts =
        session.facts().value("hasProduct", false) || session.facts().value("hasConvolution", false);
    const auto drawOnce = [&](const std::string &precision) {
        session.asTask([&] {
            nudged.move(distanceOf(precision));
            runExact(precision);
        });
        for (const Yardstick &yardstick : yardsticksFor(precision, memory, hasProducts)) {
            try {
                runOf(reference, yardstick.options, [&](const std::vector<ValueLeaf> &leaves) {
                    watchedOf(precision, [&](WatchedOutput &output, size_t place) {
                        if (place < leaves.size() && leaves[place].isTensor())
                            output.addYardstick(yardstick.kind,
                                                tensorAt(leaves[place].node, reference.arena()));
                    });
                });
            } catch (const WorkerFault &fault) {
                if (fault.kind != WorkerFault::Kind::Raised || fault.outOfMemory)
                    throw session.taskFault(fault);
                // It does not run in this class.
            }
        }
        runOf(candidate, Json::object(), [&](const std::vector<ValueLeaf> &mine) {
            watchedOf(precision, [&](WatchedOutput &output, size_t place) {
                if (place >= mine.size() || !mine[place].isTensor() ||
                    describeTensor(mine[place].node) != describeTensor(round.candidate[place].node))
                    throw nonsenseFault("results of another form than before");
                output.addOwn(tensorAt(mine[place].node, candidate.arena()));
            });
        });
    };
    for (const std::string &precision : classes) {
        const auto isOpen = [&](const WatchedOutput &output) {
            return output.claim().precision == precision && !output.isRounding(surely) &&
                   output.isRounding(hardly);
        };
        for (int draw = 0; draw < fewDraws; ++draw)
            drawOnce(precision);
        // Chance decides less the more is drawn; what is surely of one kind is not asked again.
        for (int draw = fewDraws; draw < manyDraws; ++draw) {
            if (std::none_of(watched.begin(), watched.end(), isOpen))
                break;
            drawOnce(precision);
        }
    }
    session.asTask([&] { nudged.putBack(); });
    for (size_t i = 0; i < claims.size(); ++i)
        claims[i].isBelieved = watched[i].isRounding(1.0);
}

} // namespace warpwright
