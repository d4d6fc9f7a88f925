// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/class_evidence.h"

#include "referee/ceilings.h"
#include "referee/judged_tensor.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <optional>
#include <set>

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;
constexpr int fewDraws = 3;
constexpr int moreDraws = 6;
constexpr int manyDraws = 12; ///< where few elements say little
constexpr int64_t fewElements = 1 << 12;
constexpr int64_t watchedPlaces = 1 << 18;
constexpr int64_t chunkElements = int64_t{1} << 24;
constexpr int64_t mostSlices = 1 << 12;
constexpr size_t leastInSlice = 16;

// Some steps of the class: rounding errors of what moves by more have nothing to do with each other.
double distanceOf(const std::string &precision) {
    return precision == "BF16" ? 0x1p-5 : 0x1p-8;
}

// Towards zero, so that what lies in a range stays in it. Whole numbers may be indices or masks.
void nudge(const at::Tensor &values, double distance) {
    const at::Tensor flat = values.is_non_overlapping_and_dense() ? values.as_strided({values.numel()}, {1})
                                                                  : values.reshape({-1});
    for (int64_t start = 0; start < flat.numel(); start += chunkElements) {
        const at::Tensor part = flat.slice(0, start, std::min(start + chunkElements, flat.numel()));
        part.mul_(at::rand(part.sizes(), part.options().dtype(at::kFloat)).mul_(-distance).add_(1.0));
    }
    if (!values.is_non_overlapping_and_dense())
        values.copy_(flat.view(values.sizes()));
}

bool isWhole(const at::Tensor &values) {
    return at::equal(values, values.floor());
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
          m_inputs(bytes().clone()),
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
        m_session.weights().nudge(m_weights, TaskSession::secretSeed(), distance, {&m_oracle});
        m_session.weights().handCopy(m_candidate);
    }

    void putBack() {
        m_candidate.pause();
        bytes().copy_(m_inputs);
        idle(m_session.device().memory);
        m_session.weights().putBack(m_weights, {&m_oracle});
        m_session.weights().handCopy(m_candidate);
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

at::Tensor flatOf(const at::Tensor &tensor) {
    return (tensor.is_complex() ? at::view_as_real(tensor) : tensor).reshape({-1});
}

/// What is seen of one output: at most so many of its places, drawn once.
class WatchedOutput {
public:
    WatchedOutput(const ClassClaim &claim, const at::Tensor &tensor) : m_claim(claim) {
        const int64_t count = flatOf(tensor).numel();
        m_places = count <= watchedPlaces
                       ? at::arange(count, at::kLong)
                       : std::get<0>(at::randint(count, {watchedPlaces}, at::kLong).sort());
        if (!tensor.is_complex())
            addSlices(tensor);
    }

    at::Tensor at(const at::Tensor &tensor) const {
        return flatOf(tensor).index_select(0, m_places.to(tensor.device())).to(at::kDouble).cpu();
    }

    void add(ErrorDraws &draws, const at::Tensor &result, const at::Tensor &oracle) const {
        // What is no number anywhere is told elsewhere.
        const at::Tensor error = (at(result) - oracle).nan_to_num(0.0, 0.0, 0.0).contiguous();
        const double *begin = error.const_data_ptr<double>();
        draws.emplace_back(begin, begin + error.numel());
    }

    /// `yardsticks`: null where the reference does not run so; the last one has its factors cut off.
    void addAll(const at::Tensor &candidate, const at::Tensor &oracle,
                const std::vector<std::optional<at::Tensor>> &yardsticks) {
        const at::Tensor expected = at(oracle);
        add(m_errors, candidate, expected);
        m_yardsticks.resize(yardsticks.size());
        for (size_t i = 0; i < yardsticks.size(); ++i) {
            if (yardsticks[i])
                add(m_yardsticks[i], *yardsticks[i], expected);
        }
    }

    /// `isSure`: chance need not be counted with.
    bool isRounding(bool isSure) const {
        RoundingPattern pattern{m_yardsticks, {}, m_claim.floor, m_slices};
        pattern.truncated = std::move(pattern.yardsticks.back());
        pattern.yardsticks.pop_back();
        const auto isMissing = [&](const ErrorDraws &draws) {
            return draws.size() != m_errors.size();
        };
        std::erase_if(pattern.yardsticks, isMissing);
        if (isMissing(pattern.truncated))
            pattern.truncated.clear();
        return isFromRounding(m_errors, pattern, isSure ? 0.0 : 1.0);
    }

    int64_t places() const { return m_places.numel(); }
    const ClassClaim &claim() const { return m_claim; }

private:
    // Along each dimension.
    void addSlices(const at::Tensor &tensor) {
        const int64_t *places = m_places.const_data_ptr<int64_t>();
        int64_t inner = 1;
        for (int64_t dimension = tensor.dim(); dimension-- > 0;) {
            const int64_t size = tensor.size(dimension);
            const int64_t count = std::min(size, mostSlices);
            std::vector<std::vector<uint32_t>> slices(static_cast<size_t>(count));
            for (int64_t i = 0; size > 1 && i < m_places.numel(); ++i)
                slices[static_cast<size_t>(places[i] / inner % size * count / size)].push_back(
                    static_cast<uint32_t>(i));
            inner *= size;
            for (std::vector<uint32_t> &slice : slices) {
                if (slice.size() >= leastInSlice)
                    m_slices.push_back(std::move(slice));
            }
        }
    }

    const ClassClaim &m_claim;
    at::Tensor m_places;
    std::vector<std::vector<uint32_t>> m_slices;
    ErrorDraws m_errors;
    std::vector<ErrorDraws> m_yardsticks;
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
    const auto tensorOf = [memory](const WorkerProcess &worker, const Json &node) {
        return tensorAt(node, worker.arena().base(), worker.arena().bytes(), memory);
    };
    std::set<std::string> classes;
    std::vector<WatchedOutput> watched;
    for (const ClassClaim &claim : claims) {
        classes.insert(claim.precision);
        watched.emplace_back(claim, tensorOf(oracle, round.oracle[claim.output].node));
    }
    WorkerProcess &reference = session.reference();
    NudgedRound nudged(session, round, candidate, oracle);
    const auto leavesOfRun = [&](WorkerProcess &worker, const Json &options) {
        Json request{{"inputs", round.inputs}, {"clone", true}};
        request.update(options);
        return leavesOf(worker.call("run", request, limitSeconds).at("outputs"), "output");
    };
    const auto drawOnce = [&](const std::string &precision) {
        session.asTask([&] { nudged.move(distanceOf(precision)); });
        std::vector<std::vector<ValueLeaf>> yardsticks;
        int runs = 0;
        const std::vector<ValueLeaf> exact =
            session.asTask([&] { return leavesOfRun(oracle, Json::object()); });
        std::vector<Json> options = yardsticksOf(precision, memory);
        options.push_back(
            {{"mode", "strict"}, {"rounds", precision == "BF16" ? 7 : 10}, {"truncates", true}});
        for (const Json &option : options) {
            try {
                yardsticks.push_back(leavesOfRun(reference, option));
                ++runs;
            } catch (const WorkerFault &fault) {
                if (fault.kind != WorkerFault::Kind::Raised)
                    throw session.taskFault(fault);
                yardsticks.emplace_back(); // it does not run in this class
            }
        }
        const std::vector<ValueLeaf> mine = leavesOfRun(candidate, Json::object());
        for (WatchedOutput &output : watched) {
            const size_t place = output.claim().output;
            if (output.claim().precision != precision)
                continue;
            if (place >= mine.size() || !mine[place].isTensor() ||
                describeTensor(mine[place].node) != describeTensor(round.candidate[place].node))
                throw nonsenseFault("results of another form than before");
            std::vector<std::optional<at::Tensor>> results;
            for (const std::vector<ValueLeaf> &leaves : yardsticks)
                results.push_back(place < leaves.size() && leaves[place].isTensor()
                                      ? std::optional(tensorOf(reference, leaves[place].node))
                                      : std::nullopt);
            output.addAll(tensorOf(candidate, mine[place].node), tensorOf(oracle, exact[place].node),
                          results);
        }
        candidate.call("release", {{"last", 1}}, limitSeconds);
        session.asTask([&] {
            oracle.call("release", {{"last", 1}}, limitSeconds);
            reference.call("release", {{"last", runs}}, limitSeconds);
        });
    };
    for (const std::string &precision : classes) {
        const auto isOpen = [&](const WatchedOutput &output) {
            return output.claim().precision == precision && !output.isRounding(true);
        };
        for (int draw = 0; draw < fewDraws; ++draw)
            drawOnce(precision);
        // Chance decides less the more is drawn; what is surely of one kind is not asked again.
        for (int draw = fewDraws; draw < manyDraws; ++draw) {
            const auto open = std::find_if(watched.begin(), watched.end(), isOpen);
            if (open == watched.end() || (draw >= moreDraws && open->places() >= fewElements))
                break;
            drawOnce(precision);
        }
    }
    session.asTask([&] { nudged.putBack(); });
    for (size_t i = 0; i < claims.size(); ++i)
        claims[i].isBelieved = watched[i].isRounding(false);
}

} // namespace warpwright
