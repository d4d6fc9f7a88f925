// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/top_bar.h"

#include "app/ide/kit/actions.h"
#include "app/ide/kit/run_buttons.h"
#include "app/ide/layout/budget_meters.h"
#include "app/ide/layout/mode_switch.h"
#include "toolchain/base/figures.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QFile>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QSvgRenderer>

#include <utility>

namespace warpwright {
namespace {

/// What runs and how far it is, in a line over a 3 px track.
class Meter : public QWidget {
public:
    Meter(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
        setObjectName(QStringLiteral("progressMeter"));
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
        const auto size = [this] {
            setMaximumWidth(m_look.px(320));
            setMinimumWidth(m_look.px(120));
        };
        size();
        connect(&look, &Look::changed, this, size);
    }
    void say(const QString &text, double share) {
        m_text = text;
        m_share = share;
        setAccessibleName(text);
        setToolTip(text);
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override {
        if (m_text.isEmpty())
            return;
        QPainter painter(this);
        painter.setFont(m_look.font(TextRole::Axis));
        painter.setPen(m_look.color("text.secondary"));
        const QRect line(0, height() / 2 - m_look.px(15), width(), m_look.px(16));
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(m_text, Qt::ElideRight, width()));
        const QRectF track(0, height() / 2 + m_look.px(5), width(), m_look.px(3));
        drawBox(&painter, track, 1.5, m_look.color("border.normal"), {});
        if (m_share >= 0)
            drawBox(
                &painter,
                QRectF(track.x(), track.y(), track.width() * std::clamp(m_share, 0.02, 1.0), track.height()),
                1.5, m_look.color("accent.focus"), {});
    }

private:
    const Look &m_look;
    QString m_text;
    double m_share = -1;
};

class Mark : public QWidget {
public:
    Mark(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
        const auto size = [this] {
            setFixedSize(m_look.px(24), m_look.px(24));
        };
        size();
        connect(&look, &Look::changed, this, size);
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        QSvgRenderer(m_look.theme().isDark() ? QStringLiteral(":/look/logo-dark.svg")
                                             : QStringLiteral(":/look/logo.svg"))
            .render(&painter, QRectF(rect()).adjusted(2, 2, -2, -2));
    }

private:
    const Look &m_look;
};

ActionButton *flatButton(const Look &look, const QString &icon, const QString &name, QWidget *parent) {
    auto *button = new ActionButton(look, ActionButton::Kind::Flat, parent);
    button->setIconName(icon, "text.secondary");
    button->setAccessibleName(name);
    button->setToolTip(name);
    return button;
}

} // namespace

TopBar::TopBar(const Look &look, const Actions &actions, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_menuButton(flatButton(look, QStringLiteral("menu"), tr("Menu (F10)"), this)),
      m_workspace(flatButton(look, QStringLiteral("folder"), tr("Workspace"), this)),
      m_device(flatButton(look, QStringLiteral("cpu"), tr("Device"), this)),
      m_modes(new ModeSwitch(look, {actions.modeReview, actions.modeStep, actions.modeAuto}, this)),
      m_run(new RunButtons(look, actions.run, actions.pause, actions.stop, this)),
      m_check(new ActionButton(look, ActionButton::Kind::Filled, this)),
      m_budgets(new BudgetMeters(look, this)),
      m_meter(new Meter(look, this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_workspace->setEmphasis(true);
    m_workspace->setHasMenu(true);
    m_workspace->setObjectName(QStringLiteral("workspaceButton"));
    m_device->setHasMenu(true);
    m_device->setObjectName(QStringLiteral("deviceButton"));
    m_check->setAction(actions.check);
    m_check->setIconName(QStringLiteral("check"));
    m_check->setKey(QStringLiteral("F5"));
    m_check->setObjectName(QStringLiteral("checkButton"));
    auto *search = flatButton(look, QStringLiteral("search"), tr("All commands"), this);
    search->setAction(actions.commands, false);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(look.px(10), 0, look.px(10), 0);
    row->setSpacing(look.px(8));
    row->addWidget(new Mark(look, this));
    row->addWidget(m_menuButton);
    row->addWidget(m_workspace);
    row->addWidget(m_device);
    row->addStretch(1);
    row->addWidget(m_meter, 2);
    row->addWidget(m_modes);
    row->addWidget(m_run);
    row->addWidget(m_check);
    row->addWidget(m_budgets);
    row->addSpacing(look.px(8));
    row->addWidget(search);
    connect(m_menuButton, &QAbstractButton::clicked, this, [this] { popUp(m_menu, m_menuButton); });
    connect(m_workspace, &QAbstractButton::clicked, this, [this] { popUp(m_workspaceMenu, m_workspace); });
    connect(m_device, &QAbstractButton::clicked, this, [this] { popUp(m_deviceMenu, m_device); });
    // «Running» is longer than «Run», and the mode that is on has its word.
    connect(m_run, &RunButtons::said, this, &TopBar::fit);
    for (const QAction *mode : {actions.modeReview, actions.modeStep, actions.modeAuto})
        connect(mode, &QAction::toggled, this, &TopBar::fit);
    connect(&look, &Look::changed, this, [this] { // its buttons were the first to hear of it
        updateGeometry();
        fit();
    });
    setSession(false);
    setWorkspace({}, {});
    setProgress({}, false, false);
}

void TopBar::popUp(QMenu *menu, QWidget *below) {
    if (menu != nullptr)
        menu->popup(below->mapToGlobal(QPoint(0, below->height() + m_look.px(4))));
}

void TopBar::setSession(bool hasSession) {
    m_modes->setVisible(hasSession);
    m_budgets->setVisible(hasSession);
    m_run->setSession(hasSession);
    // One filled button in the window: in a run it is the hunk's, or Run.
    m_check->setKind(hasSession ? ActionButton::Kind::Plain : ActionButton::Kind::Filled);
    fit();
}

void TopBar::resizeEvent(QResizeEvent *) {
    fit();
}

int TopBar::widthOfOthers() const {
    int others = 0;
    for (const QWidget *part : findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
        if (part != m_modes && !part->isHidden())
            others += part->minimumSizeHint().expandedTo(part->minimumSize()).width() + m_look.px(8);
    return others + m_look.px(32);
}

// What is least missed gives way first: the words of the modes that are off, once the meters have; then the
// device's name, which its tooltip has; then the progress, which the banner tells as well, and always in a
// run; then the end of a long workspace's name; last the word of the mode that is on.
void TopBar::fit() {
    m_workspace->setText(m_workspaceName);
    const QString recorded = m_recordedOn.isEmpty() ? QString() : tr("recorded on %1").arg(m_recordedOn);
    m_device->setText(recorded.isEmpty() ? m_deviceName : m_deviceName + QStringLiteral(" · ") + recorded);
    m_meter->setVisible(m_isTelling && m_modes->isHidden());
    m_modes->setCompact(!m_modes->isHidden() && widthOfOthers() + m_modes->widthWhen(false) > width());
    const int modes = m_modes->isHidden() ? 0 : m_modes->widthWhen(true);
    if (widthOfOthers() + modes > width())
        m_device->setText(recorded);
    if (widthOfOthers() + modes > width())
        m_device->setText({});
    if (widthOfOthers() + modes > width())
        m_meter->hide();
    if (const int over = widthOfOthers() + modes - width(); over > 0) {
        const QFontMetrics metrics(m_look.font(TextRole::Body, QFont::DemiBold));
        const int room = std::max(m_look.px(60), metrics.horizontalAdvance(m_workspaceName) - over);
        m_workspace->setText(metrics.elidedText(m_workspaceName, Qt::ElideRight, room));
        // What does not fit would be cut, sign and all.
        if (widthOfOthers() + modes > width())
            m_modes->setCompact(true, true);
    }
    m_workspace->updateGeometry();
    m_device->updateGeometry();
}

void TopBar::setMenu(QMenu *menu) {
    m_menu = menu;
}

void TopBar::setWorkspaceMenu(QMenu *menu) {
    m_workspaceMenu = menu;
}

void TopBar::setDeviceMenu(QMenu *menu) {
    m_deviceMenu = menu;
}

void TopBar::openMenu() {
    popUp(m_menu, m_menuButton);
}

void TopBar::setWorkspace(const QString &name, const QString &path) {
    m_workspaceName = name.isEmpty() ? tr("No workspace") : name;
    m_workspace->setToolTip(path.isEmpty() ? tr("Open a workspace") : path);
    m_workspace->setAccessibleName(tr("Workspace %1").arg(m_workspaceName));
    fit();
}

void TopBar::setDevice(const QString &name, bool isCuda, const QString &tooltip) {
    m_deviceName = name;
    m_deviceTip = tooltip;
    m_device->setIconName(isCuda ? QStringLiteral("gpu") : QStringLiteral("cpu"), "text.secondary");
    setRecordedOn(m_recordedOn);
}

void TopBar::setRecordedOn(const QString &device) {
    m_recordedOn = device;
    m_device->setToolTip(
        device.isEmpty() ? m_deviceTip
                         : tr("%1\nThe recording's numbers were measured on %2").arg(m_deviceTip, device));
    m_device->setAccessibleName(device.isEmpty() ? tr("Device %1").arg(m_deviceName)
                                                 : tr("Device %1, recorded on %2").arg(m_deviceName, device));
    fit();
}

void TopBar::setProgress(const StageProgress &progress, bool isRunning, bool isStopping) {
    auto *meter = static_cast<Meter *>(m_meter);
    // One that says nothing takes no room.
    if (std::exchange(m_isTelling, isRunning) != isRunning)
        fit();
    if (!isRunning) {
        meter->say({}, -1);
        return;
    }
    QString text = isStopping      ? tr("Stopping")
                   : progress.wait ? tr("Waits for the device, %1").arg(stepText(progress))
                                   : stepText(progress);
    if (!isStopping && progress.count > 0 && !isOfJudgeBuild(progress))
        text += tr(", %1 of %2").arg(progress.index).arg(progress.count);
    meter->say(text, progress.count > 0 ? static_cast<double>(progress.index) / progress.count : -1);
}

QSize TopBar::sizeHint() const {
    return {m_look.px(600), m_look.px(44)};
}

void TopBar::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.normal"));
}

} // namespace warpwright
