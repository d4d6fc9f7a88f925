// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/settings/tool_tests.h"

#include <QPointer>
#include <QWidget>

class QHBoxLayout;

namespace warpwright {

class ActionButton;
class Look;
class Words;

/// One setting: its name and what it is for at the left, its field at the right, and below the field what was
/// found or what is wrong with it.
class SettingRow : public QWidget {
    Q_OBJECT
public:
    /// `field` becomes the row's, and is named by it for screen readers.
    SettingRow(const Look &look, const QString &name, const QString &purpose, QWidget *field,
               QWidget *parent);

    [[nodiscard]] const QString &name() const { return m_name; }
    [[nodiscard]] QWidget *field() const { return m_field; }
    /// Behind the field.
    void addBeside(QWidget *widget);
    /// A Test button behind the field; while it runs it says Stop.
    ActionButton *addTest();
    void setTesting(bool isTesting);
    void say(const ToolFinding &finding);
    /// The same, where the field is right whatever was found.
    void remark(const ToolFinding &finding) { show(finding, nullptr); }
    /// `field`: one of the row's, which is marked, also where nothing stands in it.
    void sayWrong(QWidget *field, const QString &text);
    /// Words below the field do not move what lies below the row, while it keeps room for a line of them.
    void setKeepsRoom(bool keepsRoom);
    [[nodiscard]] QString said() const;
    [[nodiscard]] bool matches(const QStringList &words) const;

private:
    void show(const ToolFinding &finding, QWidget *bad);

    const Look &m_look;
    QString m_name;
    QString m_purpose;
    QWidget *m_field;
    QHBoxLayout *m_line;
    Words *m_icon;
    Words *m_said;
    ActionButton *m_test = nullptr;
    QPointer<QWidget> m_bad; ///< the field that is marked
    bool m_keepsRoom = false;
    ToolFinding m_finding;
};

} // namespace warpwright
