// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "toolchain/workspace/candidate_texts.h"

namespace warpwright {

/// What a workspace's own binding_registry.h provides for a binding.
enum class RegistryKind {
    Template, ///< tensors and functions, as our template's
    Pybind,   ///< only bindings of pybind11, as CUDA-Agent's
};
/// Detected from the file's text; an empty text counts as the template's.
[[nodiscard]] RegistryKind registryKindOf(const QByteArray &text);

/// The candidate's files for a program: for each kernel a .cu and its CPU twin, their binding, and
/// model_new.py. `knobSets`: one per kernel.
[[nodiscard]] CandidateTexts candidateFiles(const Program &program, const std::vector<Knobs> &knobSets,
                                            RegistryKind registry = RegistryKind::Template);

/// `texts` with the candidate's files replaced by these. Adding the fixed binding where it is missing is the
/// caller's job.
[[nodiscard]] CandidateTexts withCandidate(const CandidateTexts &texts, const CandidateTexts &files);

/// One function for the whole forward: a call from Python costs more than some kernels do.
[[nodiscard]] QString bindingText(const ReferenceGraph &graph, const Program &program,
                                  const std::vector<KernelNames> &names, const ForwardNames &forward,
                                  RegistryKind registry);
/// kernels/tensors.h: tensor helpers of the binding, for registries that have none.
[[nodiscard]] QString tensorsHeader();
[[nodiscard]] QString modelText(const ReferenceGraph &graph, const Program &program,
                                const std::vector<KernelNames> &names, const ForwardNames &forward,
                                const std::vector<Knobs> &knobSets);

/// The attribute of ModelNew that selects the variant of a kernel on a GPU.
[[nodiscard]] QString configAttribute(const Program &program, std::size_t kernel);

/// Why Python cannot call a program as a candidate; empty: it can.
[[nodiscard]] QString whyNotCallable(const Program &program);

} // namespace warpwright
