// SPDX-License-Identifier: GPL-3.0-or-later
// Finds pictures and links in documents that lead nowhere.
#pragma once

#include <QString>
#include <QStringList>

namespace warpwright {

/// Of all Markdown below `root`: "README.md:7: packaging/pictures/a.png". Addresses of the network and places
/// within a document are not followed.
QStringList deadLinks(const QString &root);

} // namespace warpwright
