// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/byte_overlap.h"

#include "referee/base/value_tree.h"

#include <algorithm>
#include <map>
#include <vector>

namespace warpwright {

namespace {

constexpr int mostSteps = 100'000;

/// A step in bytes that the distance of two elements may hold `low` to `high` times.
struct Step {
    int64_t bytes;
    int64_t low;
    int64_t high;
};

// Adds what places in `node` add to a distance; false: it has no place.
bool addSteps(const Json &node, int64_t sign, std::map<int64_t, Step> &steps) {
    const auto itemBytes = static_cast<int64_t>(elementBytes(node.value("dtype", "")));
    const Json sizes = node.value("sizes", Json::array());
    const Json strides = node.value("strides", Json::array());
    if (itemBytes == 0 || sizes.size() != strides.size())
        return false;
    const auto add = [&](int64_t bytes, int64_t size) {
        Step &step = steps.try_emplace(bytes, Step{bytes, 0, 0}).first->second;
        (sign > 0 ? step.high : step.low) += sign * (size - 1);
    };
    add(1, itemBytes);
    for (size_t i = 0; i < sizes.size(); ++i) {
        const auto size = sizes[i].get<int64_t>();
        if (size == 0)
            return false;
        if (const int64_t stride = strides[i].get<int64_t>() * itemBytes; stride != 0 && size != 1)
            add(stride, size);
    }
    return true;
}

class Search {
public:
    explicit Search(std::vector<Step> steps)
        : m_steps(std::move(steps)), m_low(m_steps.size() + 1), m_high(m_low) {
        for (size_t i = m_steps.size(); i-- > 0;) {
            m_low[i] = m_low[i + 1] + m_steps[i].bytes * m_steps[i].low;
            m_high[i] = m_high[i + 1] + m_steps[i].bytes * m_steps[i].high;
        }
    }

    /// Whether steps from `first` on add up to the distance: the largest first, so that few are to be tried.
    bool reaches(int64_t distance, size_t first = 0) {
        if (distance < m_low[first] || distance > m_high[first])
            return false;
        if (first == m_steps.size() || ++m_tried > mostSteps)
            return true;
        const Step &step = m_steps[first];
        const int64_t most = std::min(step.high, floorOf(distance - m_low[first + 1], step.bytes));
        for (int64_t times = std::max(step.low, -floorOf(m_high[first + 1] - distance, step.bytes));
             times <= most; ++times) {
            if (reaches(distance - times * step.bytes, first + 1))
                return true;
        }
        return false;
    }

private:
    static int64_t floorOf(int64_t value, int64_t by) {
        return value >= 0 ? value / by : -((-value + by - 1) / by);
    }

    std::vector<Step> m_steps;
    std::vector<int64_t> m_low; ///< what the steps from here on reach
    std::vector<int64_t> m_high;
    int m_tried = 0;
};

} // namespace

bool shareBytes(const Json &a, const Json &b) {
    std::map<int64_t, Step> steps;
    if (!addSteps(a, 1, steps) || !addSteps(b, -1, steps))
        return false;
    std::vector<Step> sorted;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
        sorted.push_back(step->second);
    return Search(std::move(sorted)).reaches(b.value("offset", int64_t{0}) - a.value("offset", int64_t{0}));
}

} // namespace warpwright
