// SPDX-License-Identifier: GPL-3.0-or-later
// Which text the listing of assembly_page.h is of, and the way to a line of it.
#include "app/ide/results/assembly_page.h"
#include "app/ide/results/iteration_choices.h"
#include "profiler_views/code_listing_view.h"
#include "widgets/frame/tab_strip.h"

#include <QComboBox>

#include <algorithm>

namespace warpwright {

void AssemblyPage::showLine(int kernel, bool isSass, int line) {
    if (!m_inspection || kernel < 0 || kernel >= static_cast<int>(m_inspection->kernels.size()))
        return;
    m_against->setCurrentIndex(m_choices->rowOf(0)); // with other lines between them the number means another
    m_isPicked = true;
    m_kernels->setCurrentIndex(kernel);
    m_forms->setCurrentIndex(isSass ? 0 : 1);
    m_listing->setCurrentLine(line);
    m_listing->setFocus(Qt::OtherFocusReason);
}

bool AssemblyPage::isInView() const {
    return m_isReadAlways || isVisible() ||
           std::any_of(m_others.begin(), m_others.end(),
                       [](const QWidget *other) { return other->isVisible(); });
}

int AssemblyPage::shownIteration() const {
    return m_bench.shown().isEarlier ? m_bench.shown().iteration : 0;
}

// A run writes the text on disk again and again, and nobody saves it here. Of a check's own text all is
// known: it was saved before, and the page hears when it ends.
bool AssemblyPage::isOfOtherText() const {
    const bool isWritten = shownIteration() == 0 && m_live != m_bench.liveIteration() && !m_bench.isRunning();
    return m_iteration != shownIteration() || isWritten;
}

bool AssemblyPage::isSettled() const {
    return !m_isOutdated && !m_inspector->isRunning();
}

} // namespace warpwright
