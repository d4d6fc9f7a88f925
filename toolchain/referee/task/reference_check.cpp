// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/task/reference_check.h"

#include "referee/base/report_text.h"
#include "referee/base/value_tree.h"

#include <algorithm>

namespace warpwright {

namespace {

std::string listed(const Json &names, const std::string &before = "") {
    constexpr size_t most = 4;
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), most); ++i)
        text.append(i > 0 ? ", " : "").append(before).append(names[i].get<std::string>());
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

} // namespace

void ReferenceCheck::refuse(const std::string &what, const std::string &why,
                            const std::string &advice) const {
    throw Fault("task-failed", "The reference \"" + m_model + "\" " + what, why, advice);
}

void ReferenceCheck::judge(const Json &facts) {
    const Json look = facts.value("look", Json::object());
    refuseRandom(look, facts.value("seeded", Json::object()));
    refuseResults(facts, look);
    refuseState(look);
    refuseDifference(look);
    noteSpecials(facts, look.value("notFinite", Json::array()));
    noteEffects(facts.value("effects", Json::object()));
}

void ReferenceCheck::refuseRandom(const Json &look, const Json &seeded) const {
    const Json moved = look.value("movedGenerators", Json::array());
    if (moved.empty())
        return;
    std::string by;
    for (const auto &[name, place] : seeded.items()) {
        by = name;
        if (const std::string module = place.value("module", ""); !module.empty())
            by += " in \"" + module + "\" (" + place.value("type", "") + ")";
        if (place.value("line", Json()).is_number())
            by += ", line " + place["line"].dump() + " of model.py,";
        break;
    }
    refuse("is random: two calls of forward with the same inputs need not give the same.",
           (by.empty() ? "A call of forward" : by) + " draws from " + listed(moved) + ".",
           m_trains ? "\"mode\": \"train\" in .warpwright/task.json switches dropout on: set its p to 0, or "
                      "take \"mode\" out."
                    : "Draw the random numbers in get_inputs() and take them as an argument, or leave them "
                      "out.");
}

void ReferenceCheck::refuseState(const Json &look) const {
    Json kept = look.value("keeps", Json::array());
    const bool differs = !look.value("differs", Json()).is_null();
    if (kept.empty() && differs)
        kept = look.value("keepsFromFirst", Json::array());
    if (const std::string others = look.value("showsFirst", ""); kept.empty() && !others.empty())
        refuse("keeps state: what forward stores in " +
                   listed(look.value("keepsFromFirst", Json::array()), "self.") +
                   " at its first call shows in what it gives for other " + others + " later.",
               "A model that was not called before gives something else: which of the two is right, nobody "
               "can tell.",
               "Compute it in each call, or keep what depends neither on inputs nor on parameters.");
    if (kept.empty())
        return;
    refuse("keeps state: forward changes " + listed(kept, "self.") + " with each call.",
           "What a call gives may depend on those before it, and only tensors of the state_dict can be put "
           "back between calls and compared.",
           "Keep it in a buffer (register_buffer), take it as an argument, or leave it out.");
}

void ReferenceCheck::refuseDifference(const Json &look) const {
    const Json differs = look.value("differs", Json());
    if (!differs.is_object())
        return;
    const std::string output = differs.value("output", "output");
    const std::string how =
        differs.value("by", Json()).is_number()
            ? output + " moved by " + scientific(differs["by"].get<double>()) + " of its RMS value"
            : output + " was " + differs.value("first", "") + ", then " + differs.value("second", "");
    refuse("does not agree with itself: two calls of forward with the same inputs and parameters differ.",
           how + ", though no generator moved and no attribute of the model changed: it reads memory that "
                 "nobody wrote (torch.empty), or keeps state outside of the model.",
           "Write all of what is read, and keep nothing from one call to the next.");
}

void ReferenceCheck::refuseResults(const Json &facts, const Json &look) const {
    if (const Json odd = look.value("incomparable", Json::array()); !odd.empty()) {
        refuse("returns what cannot be compared: " + odd[0].value("output", "output") + " is " +
                   odd[0].value("what", "") + ".",
               "Results are dense tensors, alone or in lists, tuples and dicts; numbers, texts and None may "
               "stand beside them and must be equal.",
               "Return its tensors in a tuple or a dict.");
    }
    const std::vector<ValueLeaf> leaves = leavesOf(facts.value("outputs", Json::object()), "output");
    const bool hasNumbers = std::any_of(leaves.begin(), leaves.end(), [](const ValueLeaf &leaf) {
        return leaf.isTensor() && bytesOfTensors(leaf.node) > 0;
    });
    if (!hasNumbers)
        refuse("gives nothing that can be compared.",
               "forward returns " + look.value("returns", "nothing") +
                   " and writes into none of its arguments: there is no element of a tensor to compare.",
               "Let forward return its result as a tensor, or write it into an argument.");
}

void ReferenceCheck::noteSpecials(const Json &facts, const Json &specials) {
    m_specials = specials;
    size_t tensors = 0;
    for (const ValueLeaf &leaf : leavesOf(facts.value("outputs", Json::object()), "output"))
        tensors += leaf.isTensor() ? 1u : 0u;
    const auto isAll = [](const Json &special) {
        return special.value("count", int64_t{0}) == special.value("elements", int64_t{-1});
    };
    const auto said = [](const Json &special) {
        return special.value("output", "") + indexText(special.value("place", std::vector<int64_t>())) +
               " is " + special.value("value", "");
    };
    if (!specials.empty() && specials.size() == tensors &&
        std::all_of(specials.begin(), specials.end(), isAll))
        refuse("gives no number at all: every element of its result is NaN or infinite (" +
                   said(specials[0]) + ").",
               "NaN beside NaN proves nothing of a candidate.",
               "Choose parameters in the constructor and values in get_inputs() for which it gives numbers.");
    for (const Json &special : specials)
        m_doubts.push_back(
            "The reference's own result holds NaN or infinities: " + special.value("count", Json()).dump() +
            " of " + special.value("elements", Json()).dump() + " elements of " +
            special.value("output", "") + " (" + said(special) +
            "). There a candidate must have the same, which proves nothing of how it computes.");
}

void ReferenceCheck::noteEffects(const Json &effects) {
    Json names = Json::array();
    for (const Json &name : effects.value("arguments", Json::object()))
        names.push_back(name);
    if (!names.empty())
        m_doubts.push_back(
            "forward writes into its arguments (" + listed(names) +
            "): they are results, too. Each call gets them anew, and the copy is timed in every arm "
            "alike, which brings ratios nearer to 1.");
    Json state = Json::array();
    for (const Json &name : effects.value("state", Json::array())) {
        if (!name.get<std::string>().ends_with("num_batches_tracked")) // it is put back, and no result
            state.push_back(name);
    }
    if (!state.empty())
        m_doubts.push_back(
            "forward changes the model's own tensors (" + listed(state) +
            "): they are results, too. After each call they are put back, and the copies are timed "
            "in every arm alike, which brings ratios nearer to 1.");
}

void ReferenceCheck::noteFixedInputs(const std::string &changed) {
    m_doubts.push_back(
        changed == "seeds" ? "get_inputs() fixes its seed: every draw is the same input, and a kept result "
                             "could not be told "
                             "from work. The judge left the seed out, so that inputs differ."
        : changed == "values"
            ? "get_inputs() gives the same tensors with every seed, and a kept result could not be told from "
              "work. The judge changed them: other values between those that they hold, or their rows in "
              "another "
              "order."
            : "get_inputs() gives the same tensors with every seed, and nothing in them that could be "
              "changed: a "
              "kept result cannot be told from work.");
}

void ReferenceCheck::noteCare(int care) {
    static const char *const kept[] = {"", "those that were never negative (or never positive) stayed so",
                                       "each number came nearer to zero, by up to a half",
                                       "all numbers of a tensor came nearer to zero by the same part",
                                       "none could be tried, and all rounds had the reference's own"};
    m_care =
        std::string(
            "Of parameters that are drawn freely the reference makes an error, NaN or infinities, and of "
            "its own it does not: others were drawn with care: ") +
        kept[std::clamp(care, 0, 4)] + ".";
}

void ReferenceCheck::noteShape(const std::string &output, const std::string &first, const std::string &now) {
    if (m_shape.empty())
        m_shape = "The shape of the reference's result depends on the values of its inputs: " + output +
                  " is " + first + " for one draw and " + now +
                  " for another. Each round is held against its own; what is timed changes with the draw.";
}

int64_t ReferenceCheck::knownSpecials(const std::string &output) const {
    for (const Json &special : m_specials) {
        if (special.value("output", "") == output)
            return special.value("count", int64_t{0});
    }
    return 0;
}

void ReferenceCheck::tell(StageAnswer &stage) const {
    for (const std::string &doubt : m_doubts)
        stage.doubt(doubt);
    for (const std::string &doubt : {m_care, m_shape}) {
        if (!doubt.empty())
            stage.doubt(doubt);
    }
}

Fault shapesFault(const std::string &model, const std::string &change) {
    return Fault("task-failed",
                 "get_inputs() of the reference \"" + model +
                     "\" gives other shapes with each draw: " + change + ".",
                 "Inputs are drawn many times, and a candidate is verified and timed for one size.",
                 "Fix the shapes in get_inputs(); make a task of each size.");
}

std::pair<std::string, std::string> wordsOfState(const std::string &output) {
    if (!isOfState(output))
        return {};
    return {"The reference's forward changes this tensor of the model's state, and a candidate has to leave "
            "the same.",
            "Write it in each call as the reference does (in train mode: the running statistics)."};
}

std::pair<std::string, std::string> wordsOfOtherMode(bool trains) {
    if (trains)
        return {"It is the result of eval mode. The reference runs in train mode (\"mode\": \"train\" in "
                ".warpwright/task.json): the batch's statistics, not the running ones.",
                "Compute with the statistics of the batch, or take \"mode\" out of .warpwright/task.json."};
    return {"It is the result of train mode. The reference runs in eval mode: running statistics, not the "
            "batch's; "
            "KernelBench runs it in train mode.",
            "Set \"mode\": \"train\" in .warpwright/task.json to be judged in that mode (then the running "
            "statistics that a call leaves are compared, too), or compute with the running statistics."};
}

} // namespace warpwright
