// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QJsonObject;

namespace warpwright {

class Comparing;
class RunOffers;
struct WindowParts;

/// What of a workspace was looked at, the comparison as well: it comes back when that is opened again.
class KeptPlace : public QObject {
    Q_OBJECT
public:
    KeptPlace(const WindowParts &parts, Comparing &comparing, RunOffers &offers, QObject *parent);

    void keep(); ///< from now on
    void gather(QJsonObject &state) const;
    void restore();

private:
    const WindowParts &m_parts;
    Comparing &m_comparing;
    RunOffers &m_offers;
};

} // namespace warpwright
