// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/environment/cuda_toolkit.h"

#include <QStringList>

namespace warpwright {

/// A command of nvcc or g++ in the words of clang, for one file and without a compiler's name: options that
/// only change code are dropped, those of the host compiler behind -Xcompiler are taken over.

/// Of nvcc (a .cu file, or a header that one includes). `nvccWords`: declarations that clang's CUDA headers
/// lack, resources/language/nvcc_words.h; empty: none.
[[nodiscard]] QStringList clangArgumentsOfNvcc(const QStringList &arguments, const CudaToolkit &cuda,
                                               const QString &architecture, const QString &nvccWords);
/// Of g++.
[[nodiscard]] QStringList clangArgumentsOfCxx(const QStringList &arguments);

} // namespace warpwright
