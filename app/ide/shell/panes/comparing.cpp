// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/comparing.h"

#include "app/ide/compare/compare_controller.h"
#include "app/ide/compare/compare_page.h"
#include "app/ide/shell/displayed_iterations.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/workbench.h"

#include <QJsonObject>

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

QString leftKey() {
    return QStringLiteral("compareLeft");
}
QString rightKey() {
    return QStringLiteral("compareRight");
}
QString formKey() {
    return QStringLiteral("compareForm");
}

} // namespace

Comparing::Comparing(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    connect(&m_parts.compareController, &CompareController::compared, this, [this](const SharedPair &pair) {
        m_parts.comparePage.show(pair, m_parts.compareController.isReadingSass());
    });
    connect(&m_parts.compareController, &CompareController::failed, &m_parts.comparePage, &ComparePage::fail);
    connect(&m_parts.comparePage, &ComparePage::sidesChosen, this, &Comparing::compare);
    connect(&m_parts.comparePage, &ComparePage::closed, this, [this] {
        m_parts.compareController.cancel();
        m_parts.pages.backToWork();
    });
    connect(&m_parts.bench, &Workbench::iterationsChanged, this,
            [this] { m_parts.comparePage.setTree(m_parts.shown.tree()); });
}

void Comparing::compare(const ComparisonChoice &left, const ComparisonChoice &right) {
    if (!m_parts.bench.workspace())
        return;
    m_parts.comparePage.setTree(m_parts.shown.tree());
    m_parts.comparePage.begin(left, right);
    if (const std::optional<QString> run = m_parts.shown.pastRun())
        m_parts.compareController.compareInRun(*run, m_parts.shown.tree(), left, right);
    else
        m_parts.compareController.compare(left, right);
    m_parts.pages.show(&m_parts.comparePage);
}

void Comparing::gather(QJsonObject &state) const {
    if (!m_parts.pages.isOn(&m_parts.comparePage))
        return;
    const auto [left, right] = m_parts.comparePage.sides();
    state[leftKey()] = left.word();
    state[rightKey()] = right.word();
    state[formKey()] = m_parts.comparePage.form();
}

void Comparing::restore(const QJsonObject &state) {
    const Result<ComparisonChoice> left = comparisonChoiceOf(state[leftKey()].toString());
    const Result<ComparisonChoice> right = comparisonChoiceOf(state[rightKey()].toString());
    if (!left.hasValue() || !right.hasValue() || !m_parts.pages.isOnWork())
        return;
    compare(left.value(), right.value());
    m_parts.comparePage.setForm(static_cast<ComparePage::Form>(
        std::clamp(state[formKey()].toInt(), int(ComparePage::Differences), int(ComparePage::Sass))));
}

} // namespace warpwright
