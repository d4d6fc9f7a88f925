// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

namespace warpwright {

class ActionButton;
class FindingLine;
class Look;

/// Something that is set up under a name: a language model, an external agent. Its name, what there is to
/// know of it, what a trial of it has shown, and buttons to try, change and remove it.
class ProfileRow : public QWidget {
    Q_OBJECT
public:
    /// `facts`: told in one line below the name, and found by a search. `canRemove`: else it is only there.
    ProfileRow(const Look &look, const QString &name, const QStringList &facts, bool canRemove,
               QWidget *parent);

    [[nodiscard]] const QString &name() const { return m_name; }
    [[nodiscard]] FindingLine &finding() const { return *m_finding; }
    /// While one runs the button ends it.
    void setTrying(bool isTrying);
    void focusChange();
    [[nodiscard]] bool matches(const QStringList &words) const;

signals:
    void tryAsked();
    void editAsked();
    void removeAsked();

private:
    ActionButton *addButton(const Look &look, const QString &id, const QString &text);

    QString m_name;
    QStringList m_facts;
    ActionButton *m_try = nullptr;
    ActionButton *m_change = nullptr;
    FindingLine *m_finding;
};

} // namespace warpwright
