// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/precision_names.h"

namespace warpwright {

const QStringList &precisionNames() {
    static const QStringList names = {QStringLiteral("FP32"), QStringLiteral("TF32"), QStringLiteral("BF16"),
                                      QStringLiteral("FP16"), QStringLiteral("FP8"),  QStringLiteral("INT8")};
    return names;
}

} // namespace warpwright
