// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "toolchain/workspace/candidate_texts.h"

#include <map>
#include <optional>
#include <set>

namespace warpwright {

/// The playbook's progress with one reference: the current text, what was tried from there on, and what is
/// still to be proposed.
struct PlaybookProgress {
    Program program;
    std::vector<Knobs> knobSets;           ///< of the current text
    std::vector<PlaybookMove> firsts = {}; ///< first texts that may be proposed, in order, and were not yet
    std::optional<PlaybookMove> usualProgram =
        {};                         ///< the usual program, where the first text is of another one
    std::set<QString> changes = {}; ///< titles of the moves to another program that the first text came with
    std::optional<PlaybookMove> pending = {}; ///< proposed, and not answered yet
    CandidateTexts pendingTexts = {};
    std::optional<CandidateTexts> mine = {}; ///< the text as it was last proposed and accepted
    std::set<QString> tried = {};            ///< titles of the moves that were proposed from `knobSets` on
    std::set<QString> refused = {};          ///< titles of the moves that the person rejected
    std::set<QString> repeated = {};         ///< moves that were proposed twice
    std::map<QString, int> firstTries = {};  ///< first texts that were measured again, by title
    QString carried = {}; ///< the title of a move that is kept although undecided; empty: none
    std::vector<PlanItem> items = {};
    bool hasProposed = false;
    QString whyBeaten = {};    ///< no first text is expected to be as fast as the current text
    bool hasLeave = false;     ///< the person wants its first text although it is predicted to be slower
    bool wasUndecided = false; ///< a proposal's check was inconclusive
    int lastChances = 2;
};

} // namespace warpwright
