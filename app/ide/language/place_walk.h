// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/language/language_controller.h"
#include "app/ide/language/place_trail.h"

#include <QObject>
#include <QPoint>
#include <QPointer>

namespace warpwright {

class Look;
class PickList;
class SourceWindow;
struct PickRow;

/// From a name to where it is defined and used, to a symbol of the file, and back to where one came from.
/// Several places are a list to pick from; a file that is none of the workspace's opens in a window of its
/// own.
class PlaceWalk : public QObject {
    Q_OBJECT
public:
    /// `goTo`: shows a place of a file of the workspace; false: it is none. `here`: the editor that is shown
    /// there.
    struct Window {
        QWidget *widget;
        std::function<bool(const QString &file, int line, int column)> goTo;
        std::function<StoodAt()> here;
    };
    PlaceWalk(const Look &look, LanguageController &controller, Workbench &bench, Window window);

    void definition(CodeEditor &editor);
    void references(CodeEditor &editor);
    void symbols(CodeEditor &editor);
    /// Before any jump, of others too: here back() will lead.
    void leave();
    void back();
    void forward();
    [[nodiscard]] const PlaceTrail &trail() const { return m_trail; }
    [[nodiscard]] SourceWindow &otherFiles() const { return *m_window; }

signals:
    void noticed(const QString &title, const QString &text);
    void trailChanged();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// The name at the cursor, and the number of the question.
    struct Asked {
        int number = 0;
        QString file;
        TextPlace at;
        QString name;
    };
    void referencesOfDefinition(LanguageServer &server, const Asked &asked);
    void placesOfName(const Asked &asked);
    void watch(OpenText *text);
    void go(const StoodAt &place);
    void jump(const StoodAt &place);
    void pick(const QString &prompt, std::vector<SourcePlace> places);
    void offer(const QString &prompt, std::vector<StoodAt> places, std::vector<PickRow> rows, int current);
    [[nodiscard]] StoodAt here() const;
    [[nodiscard]] QHash<QString, QString> openTexts(const std::vector<SourcePlace> &places) const;

    LanguageController &m_controller;
    Workbench &m_bench;
    Window m_parts;
    SourceWindow *m_window;
    PickList *m_list;
    std::vector<StoodAt> m_offered; ///< by the list's rows
    PlaceTrail m_trail;
    JobNumber m_jobs;
    QPointer<CodeEditor> m_pressed; ///< with Ctrl
    QPoint m_pressedAt;
    bool m_isWalking = false;
};

/// With what is shown of it, to which back() returns.
[[nodiscard]] StoodAt stoodAt(const QString &file, const CodeEditor &editor);

} // namespace warpwright
