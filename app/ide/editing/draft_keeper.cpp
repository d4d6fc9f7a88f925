// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/draft_keeper.h"

#include "app/ide/workbench/job.h"

namespace warpwright {
namespace {

constexpr int writesAfterMs = 400;
constexpr int triesAgainMs = 2000; // a full disk that has room again: nobody may type any more to tell us

} // namespace

DraftKeeper::DraftKeeper(DraftStore store, std::function<Draft()> draft, QObject *parent)
    : QObject(parent), m_store(std::move(store)), m_draft(std::move(draft)) {
    m_timer.setSingleShot(true);
    // With steady typing this is also how often it writes; the rest of the second is for a slow disk.
    m_timer.setInterval(writesAfterMs);
    m_pool.setMaxThreadCount(1);
    connect(&m_timer, &QTimer::timeout, this, &DraftKeeper::write);
}

DraftKeeper::~DraftKeeper() {
    if (m_settled.isEmpty())
        return;
    m_pool.waitForDone(); // nobody hears any more that it has ended
    m_store.remove(m_settled);
}

void DraftKeeper::changed() {
    m_hasChanged = true;
    m_settled.clear();
    if (!m_timer.isActive() && !m_isWriting)
        m_timer.start(writesAfterMs);
}

void DraftKeeper::write() {
    if (m_isWriting)
        return;
    m_isWriting = true;
    m_hasChanged = false;
    inPool(
        m_pool, this, [store = m_store, draft = m_draft()] { return store.write(draft); },
        [this](const Result<void> &result) { wrote(result); });
}

void DraftKeeper::wrote(const Result<void> &result) {
    m_isWriting = false;
    if (!result.hasValue() && !m_hasFailed)
        emit failed(result.message());
    m_hasFailed = !result.hasValue();
    if (!m_settled.isEmpty()) {
        settle(m_settled);
    } else if (m_hasChanged || m_hasFailed) {
        m_hasChanged = true;
        m_timer.start(m_hasFailed ? triesAgainMs : writesAfterMs);
    }
    if (result.hasValue())
        emit written();
}

void DraftKeeper::settle(const QString &file) {
    m_timer.stop();
    m_hasChanged = false;
    m_hasFailed = false; // there is nothing left to keep
    m_settled = m_isWriting ? file : QString();
    m_store.remove(file);
}

bool DraftKeeper::flush() {
    if (!m_hasChanged && !m_timer.isActive() && !m_isWriting)
        return !m_hasFailed;
    m_timer.stop();
    m_hasChanged = false;
    m_pool.waitForDone(); // what it may still be writing is older, and goes to the same name
    const Result<void> result = m_store.write(m_draft());
    if (!result.hasValue() && !m_hasFailed)
        emit failed(result.message());
    m_hasFailed = !result.hasValue();
    if (m_hasFailed) { // the window may stay open now
        m_hasChanged = true;
        m_timer.start(triesAgainMs);
    }
    return result.hasValue();
}

} // namespace warpwright
