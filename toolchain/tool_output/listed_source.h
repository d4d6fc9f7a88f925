// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

namespace warpwright {

/// The file that a listing, or the line table of a cubin, means by `written`. nvcc writes letters beyond
/// ASCII as octal numbers, and ptxas takes the last of their backslashes for the end of a folder: of
/// `größe.cu` it makes `gr\303\266\303/237e.cu`. What is no such name is given back as it is.
[[nodiscard]] QString listedSource(QByteArrayView written);

} // namespace warpwright
