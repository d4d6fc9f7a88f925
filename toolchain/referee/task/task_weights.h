// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/device/shared_memory.h"
#include "referee/process/worker_process.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

namespace warpwright {

/// The reference's parameters and buffers in the judge's memory, and what all workers are given of them.
///
/// Trusted workers map the judge's region, a candidate maps a copy of it, and all import clones.
class TaskWeights {
public:
    /// `loaded`: the answer of load_reference. The reference writes its parameters into the region.
    TaskWeights(MemoryKind memory, const Json &loaded, WorkerProcess &reference);

    /// Maps the region in a new worker, and lets it take the parameters.
    void hand(WorkerProcess &worker) const;
    /// The parameters as they are now, to a worker that has mapped the region.
    void give(WorkerProcess &worker) const;
    /// The same to a candidate, in a copy of the region: what it writes there must not become another arm's
    /// parameters.
    void handCopy(WorkerProcess &worker) const;

    /// How other values are drawn: with the scale that they have, or so that the signal is carried where
    /// that is known to be needed.
    enum class Draw { OwnScale, Best };
    /// Other values in the reference, for `others` too. A task without parameters stays as it is.
    void redraw(uint64_t seed, const std::vector<WorkerProcess *> &others, Draw draw = Draw::Best);
    /// Where the reference makes NaN of such values: the next draws come nearer to the first values. False:
    /// there are no others, and the first ones stay.
    bool takeMoreCare();
    int care() const { return m_care; } ///< 0: none; 1 to mostCare, and beyond: the first ones stay
    static constexpr int mostCare = 3;

    static constexpr int signalStrengths = 4; ///< see worker/warpwright_signal.py
    /// From now on parameters are drawn so that the result depends on inputs like those of this tree, which
    /// lie in the reference's region of inputs. A negative strength: no more.
    void carrySignal(int strength, const Json &inputs);
    bool carriesSignal() const { return m_strength >= 0; }
    /// The first values again, in the reference, and for `others`.
    void restore(const std::vector<WorkerProcess *> &others);
    /// What the parameters are now, for putBack().
    struct Saved {
        at::Tensor bytes;
        bool areOthers;
        int version;
    };
    Saved save() const { return {bytesOf(m_region).clone(), m_areOthers, m_version}; }
    void putBack(const Saved &saved, const std::vector<WorkerProcess *> &others);
    /// From `saved`, each moved by up to the part `distance` of itself.
    void nudge(const Saved &saved, uint64_t seed, double distance,
               const std::vector<WorkerProcess *> &others);

    int version() const { return m_version; }              ///< another one after each change
    bool areOthers() const { return m_areOthers; }         ///< than those that the constructor made
    bool areDrawable() const { return m_first.defined(); } ///< there were others before

    bool isWhole() const; ///< nobody but us has written into the region
    void mend();          ///< the reference writes them again
    uint64_t bytes() const { return m_region.bytes(); }
    const SharedRegion &region() const { return m_region; }
    const Json &state() const { return m_state; } ///< name and place in the region of each

private:
    static at::Tensor bytesOf(const SharedRegion &region);
    const SharedRegion &regionFor(const WorkerProcess &worker) const;
    void putFirstBack(); ///< in the region and in the reference

    WorkerProcess &m_reference;
    Json m_state;
    SharedRegion m_region;
    mutable std::unique_ptr<SharedRegion> m_onHost; ///< a copy for arms on the CPU, where the device is a GPU
    at::Tensor m_first;                             ///< copy of the region, once there are others
    Json m_print;
    bool m_areOthers = false;
    bool m_areOfSignal = false; ///< drawn to carry it, the last time
    int m_strength = -1;
    Json m_signalInputs;
    int m_version = 0;
    int m_care = 0; ///< as warpwright_state.py says
};

} // namespace warpwright
