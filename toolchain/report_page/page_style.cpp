// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report_page/page_style.h"

#include "toolchain/base/json.h"

#include <QCryptographicHash>
#include <QRegularExpression>

namespace warpwright {
namespace {

constexpr auto rules = R"(
* { box-sizing: border-box; }
html { color-scheme: light dark; }
body { margin: 0; background: var(--bg-bar); color: var(--text-primary);
  font: 13px/18px 'Warpwright Sans', Inter, system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 1080px; margin: 0 auto; padding: 16px; }
header h1 { font-size: 20px; line-height: 26px; margin: 0 0 4px; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: 4px 12px; margin: 8px 0 0; }
nav a { white-space: nowrap; }
a { color: var(--accent-text); }
section { background: var(--bg-pane); border: 1px solid var(--border-normal); border-radius: 6px;
  margin: 12px 0; padding: 12px 16px 16px; }
h2 { font-size: 15px; line-height: 20px; margin: 0 0 8px; }
h2, h3, summary, p.file { break-after: avoid; }
h3 { font-size: 13px; line-height: 18px; margin: 16px 0 4px; overflow-wrap: anywhere; }
p { margin: 4px 0 8px; overflow-wrap: anywhere; max-width: 90em; }
ul { margin: 4px 0 8px; padding-left: 20px; }
li { overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 4px 0 8px; }
dt { color: var(--text-secondary); }
dd { margin: 0; overflow-wrap: anywhere; }
.faint { color: var(--text-secondary); font-size: 12px; line-height: 16px; }
.doubt { color: var(--verdict-inconclusive); }
.doubt::before { content: '\25B2\00A0'; }
.verdict { display: inline-block; font-size: 16px; line-height: 24px; font-weight: 600; padding: 4px 12px;
  border-left: 4px solid; border-radius: 4px; }
.word { font-weight: 600; white-space: nowrap; }
.pass { color: var(--verdict-pass); } .verdict.pass { background: var(--verdictBg-pass); }
.wrong { color: var(--verdict-wrong); } .verdict.wrong { background: var(--verdictBg-wrong); }
.rejected { color: var(--verdict-rejected); } .verdict.rejected { background: var(--verdictBg-rejected); }
.build { color: var(--verdict-buildFailed); } .verdict.build { background: var(--verdictBg-buildFailed); }
.unsure { color: var(--verdict-inconclusive); }
.verdict.unsure { background: var(--verdictBg-inconclusive); }
.idle { color: var(--verdict-notRun); } .verdict.idle { background: var(--verdictBg-notRun); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 12px; line-height: 16px; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 3px 8px; border-bottom: 1px solid var(--border-subtle);
  overflow-wrap: break-word; }
td { max-width: 200px; }
th { font-weight: 600; color: var(--text-secondary); white-space: nowrap; }
th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid var(--accent-focus); }
th[aria-sort=ascending] button::after { content: ' \2191'; }
th[aria-sort=descending] button::after { content: ' \2193'; }
.n { text-align: right; white-space: nowrap; }
tr.own td { background: var(--bg-selected); font-weight: 600; }
pre, code, .code td { font: 12px/17px 'JetBrains Mono', ui-monospace, monospace; font-variant-ligatures: none; }
pre { overflow-x: auto; background: var(--bg-bar); padding: 8px 12px; margin: 4px 0 8px; border-radius: 4px; }
table.code { width: max-content; min-width: 100%; }
.code td { border: 0; padding: 0 8px; white-space: pre; overflow-wrap: normal; max-width: none; }
.code td.line { color: var(--text-tertiary); text-align: right; user-select: none; }
.code td.heat { text-align: right; min-width: 56px; }
tr.went td { background: var(--diff-delBg); } tr.came td { background: var(--diff-addBg); }
p.file { font: 600 12px/17px 'JetBrains Mono', ui-monospace, monospace; }
details { margin: 4px 0 8px; }
summary { cursor: pointer; font-weight: 600; overflow-wrap: anywhere; }
.h0, .h1, .h2, .h3 { color: var(--heat-low); } .h4, .h5 { color: var(--heat-high); }
.h0 { background: var(--heat-0); } .h1 { background: var(--heat-1); } .h2 { background: var(--heat-2); }
.h3 { background: var(--heat-3); } .h4 { background: var(--heat-4); } .h5 { background: var(--heat-5); }
svg { display: block; width: 100%; height: auto; margin: 8px 0; }
svg text { font: 11px 'Warpwright Sans', Inter, system-ui, sans-serif; fill: var(--text-tertiary);
  font-variant-numeric: tabular-nums; }
svg text.strong { font-weight: 600; fill: var(--text-primary); font-size: 12px; }
svg text.name { fill: var(--text-primary); font-size: 12px; }
svg text.e { text-anchor: end; } svg text.m { text-anchor: middle; }
.grid { stroke: var(--border-subtle); } .axis { stroke: var(--border-strong); }
.bar { stroke-width: 1; } .whisker { stroke: var(--text-primary); stroke-width: 1.25; fill: none; }
.f-eager { fill: var(--series-eager); stroke: var(--series-eager); }
.f-compile { fill: var(--series-compile); stroke: var(--series-compile); }
.f-candidate { fill: var(--series-candidate); stroke: var(--series-candidate); }
.f-eagerTf32 { fill: url(#hatch-eager); stroke: var(--series-eager); }
.f-compileTf32 { fill: url(#hatch-compile); stroke: var(--series-compile); }
.t-eager { fill: var(--series-eagerTf32); } .t-compile { fill: var(--series-compileTf32); }
.s-eager { stroke: var(--series-eager); } .s-compile { stroke: var(--series-compile); }
.light { stroke: var(--series-sol); stroke-width: 1.5; stroke-dasharray: 5 3; fill: none; }
.best { stroke: var(--series-candidate); stroke-width: 1.5; fill: none; }
.roof { stroke: var(--text-primary); stroke-width: 1.75; fill: none; }
.ceiling { stroke: var(--text-tertiary); stroke-width: 1.25; stroke-dasharray: 5 3; fill: none; }
.point { fill: var(--bg-pane); stroke: var(--series-candidate); stroke-width: 1.5; }
.doubt-point, .own-doubt-point { fill: none; stroke: var(--verdict-inconclusive); stroke-width: 1.5; stroke-dasharray: 3 1.5; }
.own-doubt-point { stroke-width: 3; }
.own-point { fill: var(--series-candidate); stroke: var(--text-primary); stroke-width: 1.5; }
.work { fill: var(--series-candidate); } .host { fill: var(--border-strong); }
.path { stroke: var(--text-primary); stroke-width: 2; }
.frame { fill: none; stroke: var(--border-strong); }
.t1 { fill: var(--heat-0); } .t2 { fill: var(--heat-1); } .t3 { fill: var(--heat-2); }
.t4 { fill: var(--heat-3); } .t5 { fill: var(--text-secondary); }
.lane { fill: var(--bg-bar); }
footer { margin: 12px 0; }
@media screen and (max-width: 700px) { main { padding: 8px; } section { padding: 8px 8px 12px; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin: 0 0 6px; }
  td:last-child { min-width: 140px; } svg { min-width: 860px; } }
@media print { html { color-scheme: light; } body { background: none; } main { max-width: none; padding: 0; }
  section { border: 0; padding: 0; } nav { display: none; } tr, svg { break-inside: avoid; }
  .verdict, .code td, tr.own td, svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .wide { overflow: visible; } table.code { width: 100%; }
  pre, .code td { white-space: pre-wrap; overflow-wrap: anywhere; }
  .code td.line, .code td.heat { white-space: nowrap; overflow-wrap: normal; } }
)";

constexpr auto script = R"(
(function () {
  'use strict';
  function valueOf(row, column) {
    var cell = row.cells[column];
    var held = cell.getAttribute('data-v');
    return held === null ? cell.textContent : parseFloat(held);
  }
  function order(one, other) {
    if (typeof one !== 'number' || typeof other !== 'number')
      return String(one).localeCompare(String(other));
    if (isNaN(one) || isNaN(other))
      return (isNaN(one) ? 1 : 0) - (isNaN(other) ? 1 : 0);
    return one - other;
  }
  function makeSortable(table) {
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    heads.forEach(function (head, column) {
      var button = document.createElement('button');
      button.type = 'button';
      button.title = 'Sort by this column';
      button.textContent = head.textContent;
      head.textContent = '';
      head.appendChild(button);
      button.addEventListener('click', function () {
        var falls = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach(function (each) { each.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', falls ? 'descending' : 'ascending');
        var body = table.tBodies[0];
        var rows = Array.prototype.slice.call(body.rows);
        rows.sort(function (one, other) {
          var first = order(valueOf(one, column), valueOf(other, column));
          return falls ? -first : first;
        });
        rows.forEach(function (row) { body.appendChild(row); });
      });
    });
  }
  document.querySelectorAll('table.sortable').forEach(makeSortable);
  window.addEventListener('beforeprint', function () {
    document.querySelectorAll('details').forEach(function (each) { each.open = true; });
  });
}());
)";

/// "--bg-pane: #FFFFFF;" for each colour of a scheme; empty: something else than colours is in it.
QString variablesOf(const Json &scheme) {
    static const QRegularExpression colour(QStringLiteral("^#[0-9A-Fa-f]{6}$"));
    QString text;
    const auto add = [&text](const QString &name, const Json &value) {
        const QString written = value.is_string() ? fromJson(value.get<std::string>()) : QString();
        if (!colour.match(written).hasMatch())
            return false;
        text += QStringLiteral("--%1: %2; ").arg(name, written);
        return true;
    };
    for (const auto &[group, colours] : scheme.items())
        for (const auto &[name, value] : colours.items())
            if (!add(QStringLiteral("%1-%2").arg(fromJson(group), fromJson(name)), value))
                return {};
    return text;
}

QString hashOf(const QString &text) {
    return QString::fromLatin1(
        QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256).toBase64());
}

} // namespace

Result<QString> pageStyle(const QByteArray &tokens) {
    const Result<Json> read = parseJson(tokens);
    if (!read.hasValue())
        return Result<QString>::error(read.message());
    QString light;
    QString dark;
    if (read.value().is_object()) {
        light = variablesOf(read.value().value("light", Json::object()));
        dark = variablesOf(read.value().value("dark", Json::object()));
    }
    if (light.isEmpty() || dark.isEmpty())
        return Result<QString>::error(QStringLiteral("it has no colours for light and dark"));
    return Result<QString>::ok(
        QStringLiteral("\n:root { %1--heat-low: var(--text-primary); --heat-high: var(--bg-pane); }\n"
                       "@media screen and (prefers-color-scheme: dark) {\n"
                       ":root { %2--heat-low: var(--accent-onFill); --heat-high: var(--bg-window); } }")
            .arg(light, dark) +
        QLatin1String(rules));
}

QString pageScript() {
    return QLatin1String(script);
}

QString contentPolicy(const QString &style, const QString &script) {
    return QStringLiteral(
               "default-src 'none'; style-src 'sha256-%1'; script-src 'sha256-%2'; base-uri 'none'; "
               "form-action 'none'")
        .arg(hashOf(style), hashOf(script));
}

} // namespace warpwright
