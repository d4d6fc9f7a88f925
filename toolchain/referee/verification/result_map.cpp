// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of result_judge.h that says of a wrong round where its results are wrong.
#include "referee/base/cpu_chunks.h"
#include "referee/comparison/error_map.h"
#include "referee/comparison/float_types.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/comparison/moved_results.h"
#include "referee/verification/result_judge.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/view_as_real.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>

namespace warpwright {

namespace {

constexpr int64_t mostElements = int64_t{1} << 26;  ///< as those whose causes are looked for
constexpr int64_t chunkElements = int64_t{1} << 22; ///< in the processor's memory at one time
constexpr int64_t cachedElements = int64_t{1} << 14;

// By that bound which the result breaks: an element is wrong where it does its part in that.
ElementRule ruleOf(const Comparison &comparison, at::ScalarType type) {
    ElementRule rule;
    rule.limit = limitOf(type);
    rule.scale = std::max(comparison.oracleRms, std::numeric_limits<double>::min());
    const ErrorSize bounds = boundsFor(comparison, comparison.yardstick);
    rule.allowed = bounds.largest;
    if (comparison.isInteger) {
        rule.bound = ElementRule::Bound::Whole;
    } else if (comparison.wrongSpecials == 0 && comparison.candidate.largest <= bounds.largest) {
        if (comparison.candidate.rms > bounds.rms) {
            rule.bound = ElementRule::Bound::Rms;
            rule.allowed = bounds.rms;
        } else if (const WorstGroup worst = worstGroupOf(comparison, comparison.yardstick);
                   !worst.words.empty()) {
            rule.bound = ElementRule::Bound::Part;
            rule.scale = 1.0;
            rule.allowed = worst.bound;
            rule.part = comparison.parts->partOf(worst.place);
        }
    }
    return rule;
}

at::Tensor realOf(const at::Tensor &tensor) {
    return tensor.is_complex() ? at::view_as_real(tensor) : tensor;
}

std::vector<uint8_t> untouched(const at::Tensor &values, int fill) {
    const auto bytes = static_cast<size_t>(values.element_size());
    const auto *byte = static_cast<const uint8_t *>(values.const_data_ptr());
    std::vector<uint8_t> are(static_cast<size_t>(values.numel()));
    for (size_t i = 0; i < are.size(); ++i)
        are[i] = std::all_of(byte + i * bytes, byte + (i + 1) * bytes,
                             [fill](uint8_t one) { return one == fill; });
    return are;
}

/// The elements of one tensor in their order, as numbers in the processor's memory.
class Numbers {
public:
    explicit Numbers(const at::Tensor &tensor) : m_flat(realOf(tensor).reshape({-1})) {}

    at::Tensor stored(int64_t begin, int64_t end) const {
        return m_flat.slice(0, begin, end).cpu().contiguous();
    }
    std::vector<double> at(const std::vector<int64_t> &places) const {
        const at::Tensor index = at::from_blob(const_cast<int64_t *>(places.data()),
                                               {static_cast<int64_t>(places.size())}, at::kLong)
                                     .to(m_flat.device());
        const at::Tensor values = m_flat.index_select(0, index).cpu().to(at::kDouble).contiguous();
        const double *first = values.const_data_ptr<double>();
        return {first, first + values.numel()};
    }

private:
    at::Tensor m_flat;
};

// `fill`: the byte that the candidate's new memory was filled with; below 0: none.
Json mapOfResult(const at::Tensor &candidate, const at::Tensor &reference, const at::Tensor &oracle,
                 const at::Tensor &before, const Comparison &comparison, int fill) {
    const ElementRule rule = ruleOf(comparison, candidate.scalar_type());
    const Numbers z(candidate);
    const Numbers r(reference);
    const Numbers y(oracle);
    const at::Tensor shaped = realOf(candidate);
    const ErrorMap none(shaped.sizes().vec(), rule);
    std::vector<ErrorMap> maps; // as many as work at one time
    std::mutex lock;
    for (int64_t begin = 0; begin < shaped.numel(); begin += chunkElements) {
        const int64_t end = std::min(begin + chunkElements, shaped.numel());
        const at::Tensor zs = z.stored(begin, end);
        const at::Tensor rs = r.stored(begin, end);
        const at::Tensor ys = y.stored(begin, end);
        forChunks(end - begin, cachedElements, [&](int64_t first, int64_t last, size_t) {
            ErrorMap map = [&] {
                const std::lock_guard<std::mutex> hold(lock);
                if (maps.empty())
                    return none;
                ErrorMap idle = std::move(maps.back());
                maps.pop_back();
                return idle;
            }();
            const at::Tensor here = zs.slice(0, first, last);
            const std::vector<uint8_t> are = fill >= 0 ? untouched(here, fill) : std::vector<uint8_t>();
            const at::Tensor zHere = here.to(at::kDouble);
            const at::Tensor rHere = rs.slice(0, first, last).to(at::kDouble);
            const at::Tensor yHere = ys.slice(0, first, last).to(at::kDouble);
            map.add(begin + first, zHere.const_data_ptr<double>(), rHere.const_data_ptr<double>(),
                    yHere.const_data_ptr<double>(), are.empty() ? nullptr : are.data(), last - first);
            const std::lock_guard<std::mutex> hold(lock);
            maps.push_back(std::move(map));
        });
    }
    ErrorMap map = none;
    for (const ErrorMap &one : maps)
        map.add(one);
    if (map.wrong() == 0)
        return {};
    const auto valuesOf = [](const Numbers &numbers) {
        return [&numbers](const std::vector<int64_t> &places) {
            return numbers.at(places);
        };
    };
    WrongElements wrong{map.sizes(), map.sample(), rule, valuesOf(z), valuesOf(r), valuesOf(y), {}};
    std::unique_ptr<Numbers> earlier;
    if (before.defined() && before.sizes() == candidate.sizes() &&
        before.scalar_type() == candidate.scalar_type()) {
        earlier = std::make_unique<Numbers>(before);
        wrong.before = valuesOf(*earlier);
    }
    Json json = map.toJson();
    json["moved"] = movedResults(wrong);
    return json;
}

} // namespace

Json ResultJudge::mapOf(const VerificationRound &round, const WorkerProcess &candidate,
                        const WorkerProcess &owner, const ResultMemory &memory) const {
    Json outputs = Json::array();
    if (!m_session.isRoomy() || round.exact)
        return {{"outputs", outputs}, {"reason", "the device has no room for another look at the result"}};
    std::string reason;
    for (size_t output = 0; output < round.candidate.size(); ++output) {
        const ValueLeaf &mine = round.candidate[output];
        const ValueLeaf &theirs = round.reference[output];
        if (!mine.isTensor() || describeTensor(mine.node) != describeTensor(theirs.node))
            continue;
        const auto weighed = std::find_if(m_weighed.begin(), m_weighed.end(),
                                          [output](const Weighed &one) { return one.output == output; });
        const bool isJudged = weighed != m_weighed.end();
        if (isJudged && !weighed->precision.empty() &&
            (weighed->precision == m_baseClass || isAllowed(weighed->precision)))
            continue;
        const at::Tensor result = tensorOf(candidate, mine.node);
        if (result.numel() == 0)
            continue;
        if (result.numel() > mostElements) {
            reason = mine.path + " has too many elements for another look";
            continue;
        }
        const Comparison comparison =
            isJudged ? weighed->comparison : compared(round, output, candidate, owner);
        if (!isJudged && isWithin(comparison, comparison.yardstick))
            continue;
        const WorkerProcess &reference = m_session.reference();
        Json map = mapOfResult(result, tensorOf(reference, theirs.node),
                               tensorOf(round.hasOracle ? owner : reference, round.oracle[output].node),
                               memory.before(mine.path), comparison, round.fill);
        if (map.is_null())
            continue;
        map["name"] = mine.path;
        map["dtype"] = mine.node.value("dtype", "");
        outputs.push_back(std::move(map));
    }
    if (outputs.empty() && reason.empty())
        return {}; // it is not its numbers that are wrong
    Json told{{"outputs", std::move(outputs)}};
    if (!reason.empty())
        told["reason"] = reason;
    return told;
}

} // namespace warpwright
