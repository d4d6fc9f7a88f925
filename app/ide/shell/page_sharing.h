// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

struct WindowParts;

/// Writes what the window shows as a page to share.
class PageSharing : public QObject {
    Q_OBJECT
public:
    PageSharing(const WindowParts &parts, QObject *parent);

private:
    void shareByDialog();
    void write(int iteration, const QString &run, const QString &file);
    void enable();

    const WindowParts &m_parts;
};

} // namespace warpwright
