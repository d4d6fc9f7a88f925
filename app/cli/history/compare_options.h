// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/comparison_choice.h"

#include <QString>

namespace CLI {
class App;
}

namespace warpwright {

/// What `wright compare` was asked for.
struct CompareOptions {
    QString path; ///< a workspace, or the record of a run
    ComparisonChoice left;
    ComparisonChoice right;
    bool showsAll = false;  ///< --all: what is the same, too
    bool wantsSass = false; ///< --sass: compile both texts and compare their instructions
    bool asksJson = false;

    void addTo(CLI::App &app);
};

} // namespace warpwright
