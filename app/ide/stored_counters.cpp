// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/stored_counters.h"

#include "toolchain/counters/counter_store.h"

namespace warpwright {
namespace {

// Each document is some megabytes, and a list of more baselines is not read by anybody.
constexpr qsizetype mostOthers = 12;

struct Found {
    std::shared_ptr<const Counters> counters;
    std::vector<CounterBaseline> others;
};

QString nameOf(const Counters &counters) {
    const QString time = counters.at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
    return counters.iteration > 0 ? StoredCounters::tr("iteration %1, %2").arg(counters.iteration).arg(time)
                                  : StoredCounters::tr("what was collected %1").arg(time);
}

Found read(const QString &state, const QString &textHash) {
    const CounterStore store(state);
    Found found;
    const QStringList ids = store.ids();
    for (qsizetype i = ids.size() - 1; i >= 0 && static_cast<qsizetype>(found.others.size()) < mostOthers; --i) {
        Result<Counters> loaded = store.load(ids[i]);
        if (!loaded.hasValue())
            continue;
        const auto counters = std::make_shared<const Counters>(loaded.value());
        if (!found.counters && counters->textHash == textHash)
            found.counters = counters;
        else
            found.others.push_back({nameOf(*counters), counters});
    }
    // Its own may be older than so many others.
    if (!found.counters)
        if (std::optional<Counters> own = store.latestOf(textHash))
            found.counters = std::make_shared<const Counters>(std::move(*own));
    return found;
}

} // namespace

void StoredCounters::look(const QString &stateFolder, const QString &textHash, bool isAnew) {
    if (!isAnew && m_state == stateFolder && m_textHash == textHash)
        return;
    m_state = stateFolder;
    m_textHash = textHash;
    const int number = m_jobs.next();
    if (stateFolder.isEmpty() || textHash.isEmpty()) {
        m_counters.reset();
        m_others.clear();
        emit changed();
        return;
    }
    inPool(
        this, [stateFolder, textHash] { return read(stateFolder, textHash); },
        [this, number](Found found) {
            if (m_jobs.isStale(number))
                return;
            m_counters = std::move(found.counters);
            m_others = std::move(found.others);
            emit changed();
        });
}

} // namespace warpwright
