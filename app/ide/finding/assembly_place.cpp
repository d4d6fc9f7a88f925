// SPDX-License-Identifier: GPL-3.0-or-later
// The way to a line of a listing, in assembly_page.h.
#include "app/ide/assembly_page.h"
#include "app/ide/iteration_choices.h"
#include "profiler_views/code_listing_view.h"
#include "widgets/tab_strip.h"

#include <QComboBox>

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

} // namespace warpwright
