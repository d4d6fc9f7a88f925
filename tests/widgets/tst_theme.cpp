// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/theme.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace warpwright;

namespace {

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// WCAG 2.1.
double contrast(const QColor &a, const QColor &b) {
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

constexpr double kText = 4.5;
constexpr double kMark = 3.0;

} // namespace

/// Everything is told apart from its ground: the ratios are computed from the colours in use.
class TestTheme : public QObject {
    Q_OBJECT

private:
    static void row(const Theme &theme, const QString &ink, const QString &ground, double least) {
        QTest::newRow(qPrintable(
            QStringLiteral("%1: %2 on %3")
                .arg(theme.isDark() ? QStringLiteral("dark") : QStringLiteral("light"), ink, ground)))
            << theme.color(ink) << theme.color(ground) << least;
    }

    static QStringList group(const Theme &theme, const QString &name) {
        QStringList tokens = theme.tokens().filter(QRegularExpression(u'^' + name + QStringLiteral("\\.")));
        tokens.sort();
        return tokens;
    }

    static void rows(const Theme &theme, const QString &ink, const QStringList &grounds, double least) {
        for (const QString &ground : grounds)
            row(theme, ink, ground, least);
    }

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void computesTheRatiosOfTheStandard() {
        QVERIFY(std::abs(contrast(Qt::white, Qt::black) - 21) < 1e-9);
        QVERIFY(std::abs(contrast(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.005);
    }

    void tellsInkFromGround_data() {
        QTest::addColumn<QColor>("ink");
        QTest::addColumn<QColor>("ground");
        QTest::addColumn<double>("least");
        const auto below = [](const QString &prefix, const QStringList &names) {
            QStringList tokens;
            for (const QString &name : names)
                tokens << prefix + u'.' + name;
            return tokens;
        };
        for (const Theme &theme : {Theme::light(), Theme::dark()}) {
            for (const QString &text : below("text", {"primary", "secondary", "tertiary"}))
                rows(theme, text, below("bg", {"window", "pane", "bar", "card", "hover", "selected"}), kText);
            rows(theme, "border.strong", below("bg", {"window", "pane", "bar", "card", "input"}), kMark);
            rows(theme, "accent.text", below("bg", {"pane", "bar", "card", "selected", "hover"}), kText);
            rows(theme, "accent.text", {"accent.tint"}, kText);
            rows(theme, "accent.onFill", below("accent", {"fill", "fillHover", "fillPressed"}), kText);
            rows(theme, "accent.focus", below("bg", {"pane", "bar", "window"}), kMark);
            for (const QString &verdict : group(theme, "verdict")) {
                const QString own = QString(verdict).replace("verdict.", "verdictBg.");
                rows(theme, verdict, below("bg", {"pane", "bar", "card", "selected"}) << own, kText);
                rows(theme, "text.primary", {own}, kText);
                rows(theme, "text.secondary", {own}, kText);
            }
            // On white a hatched bar is told from its ground by its edge, which is the full colour.
            for (const QString &series : group(theme, "series"))
                row(theme, series, "bg.pane", !theme.isDark() && series.contains("Tf32") ? 1.5 : kMark);
            for (const QString &syntax : group(theme, "syntax")) {
                rows(theme, syntax, below("bg", {"pane", "line", "selected"}), kText);
                rows(theme, syntax, below("diff", {"addBg", "delBg", "addWord", "delWord"}), kText);
                row(theme, syntax, "verdictBg.inconclusive", kText); // hits of a search
            }
        }
    }

    void tellsInkFromGround() {
        QFETCH(QColor, ink);
        QFETCH(QColor, ground);
        QFETCH(double, least);
        QVERIFY(ink.isValid() && ground.isValid());
        const double ratio = contrast(ink, ground);
        QVERIFY2(ratio >= least, qPrintable(QStringLiteral("%1 on %2: %3, needs %4")
                                                .arg(ink.name(), ground.name())
                                                .arg(ratio, 0, 'f', 2)
                                                .arg(least)));
    }

    void heatReadsInGrey() {
        for (const Theme &theme : {Theme::light(), Theme::dark()}) {
            std::vector<double> steps;
            for (const QColor &color : theme.heat())
                steps.push_back(luminance(color));
            if (!theme.isDark())
                std::reverse(steps.begin(), steps.end());
            QVERIFY(std::is_sorted(steps.begin(), steps.end()));
        }
    }

    void bothSchemesHaveTheSameTokens() {
        QStringList light = Theme::light().tokens();
        QStringList dark = Theme::dark().tokens();
        light.sort();
        dark.sort();
        QCOMPARE(light, dark);
        QVERIFY(light.size() > 50);
    }
};

QObject *makeTestTheme() {
    return new TestTheme;
}

#include "tst_theme.moc"
