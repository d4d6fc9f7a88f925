// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/failure_map/store_sites.h"
#include "toolchain/failure_map/wrong_element.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace warpwright {

class ActionButton;
class Look;
class Words;

/// One wrong element of a result: its index and values, which line of the source may have written it, and
/// what can be done with it. Shows one value; without one it is hidden.
class FailureLine : public QWidget {
    Q_OBJECT
public:
    FailureLine(const Look &look, QWidget *parent);

    void setElement(const std::optional<WrongElement> &element);
    [[nodiscard]] const std::optional<WrongElement> &element() const { return m_element; }
    /// Of the text that was checked; `whyNot`: why its stores are not known, a sentence; empty: they are.
    void setStores(std::vector<StoreSite> sites, int unplaced, const QString &whyNot);
    /// What is said of the stores.
    [[nodiscard]] const QString &stores() const { return m_stores; }
    /// Why no program can be copied; empty: one can.
    void setWhyNoProgram(const QString &why);
    /// For a moment, in the place of the button's own words.
    void sayCopied();

signals:
    void placeActivated(const QString &file, int line, int column);
    void agentAsked();
    void programAsked();

private:
    void goToNext();
    void describe();

    std::optional<WrongElement> m_element;
    std::vector<StoreSite> m_sites;
    QString m_stores;
    std::size_t m_next = 0; ///< of the sites, to go to
    Words *m_where;
    Words *m_written;
    ActionButton *m_store;
    ActionButton *m_ask;
    ActionButton *m_copy;
};

} // namespace warpwright
