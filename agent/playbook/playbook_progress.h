// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "toolchain/workspace/candidate_texts.h"

#include <map>
#include <optional>
#include <set>

namespace warpwright {

/// How far the playbook has come with one reference: what stands, what was tried from there on, and what is
/// still to be proposed.
struct PlaybookProgress {
    Program program;
    std::vector<Knobs> knobSets;              ///< of what stands
    std::vector<PlaybookMove> firsts = {};    ///< what may be proposed first, in order, and was not yet
    std::optional<PlaybookMove> wayBack = {}; ///< the usual plan, where the first text is of another one
    std::set<QString> changes = {}; ///< moves to another plan that the first text came with, by title
    std::optional<PlaybookMove> pending = {}; ///< proposed, and not heard of yet
    CandidateTexts pendingTexts = {};
    std::optional<CandidateTexts> mine = {}; ///< the text as it was last proposed and taken
    std::set<QString> tried = {};            ///< moves that were proposed from `tunings` on, by their titles
    std::set<QString> refused = {};          ///< moves that the person did not want, by their titles
    std::set<QString> repeated = {};         ///< moves that were proposed a second time
    std::map<QString, int> firstTries = {};  ///< first texts that were measured again, by their titles
    QString carried = {};                    ///< the title of a move that goes along undecided; empty: none
    std::vector<PlanItem> items = {};
    bool hasProposed = false;
    QString whyBeaten = {};    ///< nothing that it could begin with is expected to be as fast as what stands
    bool hasLeave = false;     ///< the person wants its first text although it is expected to be slower
    bool wasUndecided = false; ///< a check said «inconclusive» of a proposal
    int lastChances = 2;
};

} // namespace warpwright
