// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "toolchain/workspace/candidate_texts.h"

namespace warpwright {

/// What a workspace's own binding_registry.h offers to a binding.
enum class RegistryKind {
    Template, ///< tensors and functions, as our template's
    Pybind,   ///< bindings of pybind11 alone, as CUDA-Agent's
};
/// Of that file's text; none is taken for the template's.
[[nodiscard]] RegistryKind registryKindOf(const QByteArray &text);

/// The candidate's files for a plan: for each kernel a .cu and its CPU twin, their binding, and model_new.py.
/// `tunings`: one a kernel.
[[nodiscard]] CandidateTexts candidateFiles(const Program &program, const std::vector<Knobs> &knobSets,
                                            RegistryKind registry = RegistryKind::Template);

/// `texts` with the candidate's files taken away and these put in their place; the fixed binding is laid
/// beside them where it is missing is not ours to do: it is no candidate's file.
[[nodiscard]] CandidateTexts withCandidate(const CandidateTexts &texts, const CandidateTexts &files);

/// One function for the whole forward: a call from Python costs more than some kernels do.
[[nodiscard]] QString bindingText(const ReferenceGraph &graph, const Program &program,
                                  const std::vector<KernelNames> &names, const ForwardNames &forward,
                                  RegistryKind registry);
/// kernels/tensors.h: what the binding needs, where the registry brings none of it.
[[nodiscard]] QString tensorsHeader();
[[nodiscard]] QString modelText(const ReferenceGraph &graph, const Program &program,
                                const std::vector<KernelNames> &names, const ForwardNames &forward,
                                const std::vector<Knobs> &knobSets);

/// The attribute of ModelNew that says which variant of a kernel is launched on a GPU.
[[nodiscard]] QString configAttribute(const Program &program, std::size_t kernel);

/// Why a plan cannot be called from Python as a candidate has to; empty: it can.
[[nodiscard]] QString whyNotCallable(const Program &program);

} // namespace warpwright
