// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/language/language_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

using namespace warpwright;

namespace {

using State = LanguageServer::State;

LanguageServerCommand fake(const Scratch &scratch, const QStringList &arguments = {}) {
    return {QStringLiteral("fake"),
            QCoreApplication::applicationDirPath() + QStringLiteral("/fake_language_server"), arguments,
            scratch.path()};
}

/// What was answered to one question.
struct Told {
    QStringList values;
    QStringList problems;

    LanguageAnswer<std::optional<HoverText>> hover() {
        return [this](const std::optional<HoverText> &value, const QString &problem) {
            values << (value ? value->markdown : QString());
            problems << problem;
        };
    }
};

} // namespace

/// Against a small server that behaves as it is told.
class TestLanguageServer : public QObject {
    Q_OBJECT

    Scratch m_scratch;
    QString m_file = m_scratch.path(QStringLiteral("a b.cu"));

private slots:
    void itsStartIsToldAndWhatItCanDo() {
        LanguageServer server(fake(m_scratch));
        QSignalSpy changes(&server, &LanguageServer::stateChanged);
        QCOMPARE(server.processId(), -1);
        server.start();
        QCOMPARE(server.state(), State::Starting);
        QTRY_COMPARE(server.state(), State::Ready);
        QCOMPARE(server.version(), QStringLiteral("fake 1.2.3"));
        QCOMPARE(server.completionTriggers(), (QStringList{QStringLiteral("."), QStringLiteral(">")}));
        QCOMPARE(server.signatureTriggers(), QStringList{QStringLiteral("(")});
        QVERIFY(server.processId() > 1);
        QCOMPARE(changes.count(), 2);
    }

    void diagnosticsComeAndGoAndAreOfTheNewestText() {
        LanguageServer server(fake(m_scratch));
        std::vector<std::vector<LanguageDiagnostic>> told;
        connect(&server, &LanguageServer::diagnosed, this,
                [&told, this](const QString &file, const std::vector<LanguageDiagnostic> &diagnostics) {
                    QCOMPARE(file, m_file);
                    told.push_back(diagnostics);
                });
        server.openDocument(m_file, QStringLiteral("cuda-cpp"), QStringLiteral("a\n wrong\n"));
        server.start();
        QTRY_COMPARE(told.size(), std::size_t(1));
        QCOMPARE(told[0].size(), std::size_t(1));
        QVERIFY((told[0][0].range == TextRange{{2, 2}, {2, 7}}));
        QCOMPARE(told[0][0].severity, LanguageDiagnostic::Severity::Warning);
        QCOMPARE(told[0][0].code, QStringLiteral("no-wrong"));
        server.changeDocument(m_file, QStringLiteral("right\n"));
        QTRY_COMPARE(told.size(), std::size_t(2)); // not the late ones of the text before
        QVERIFY(told[1].empty());
        server.stop();
        QCOMPARE(server.state(), State::Off);
    }

    void aStaleQuestionIsNotAnswered() {
        LanguageServer server(fake(m_scratch, {QStringLiteral("--slow")}));
        server.openDocument(m_file, QStringLiteral("cuda-cpp"), QStringLiteral("first"));
        server.start();
        QTRY_COMPARE(server.state(), State::Ready);
        Told earlier;
        Told later;
        Told changed;
        server.hover(m_file, {1, 1}, earlier.hover());
        server.hover(m_file, {1, 2}, later.hover());
        QTRY_COMPARE(later.values.size(), 1);
        server.hover(m_file, {1, 2}, changed.hover());
        server.changeDocument(m_file, QStringLiteral("second"));
        Told last;
        server.hover(m_file, {1, 1}, last.hover());
        QTRY_COMPARE(last.values, QStringList{QStringLiteral("second|[null,null]")});
        QVERIFY(earlier.values.isEmpty() && changed.values.isEmpty());
    }

    void filesAreLaidOutBesideEachOther() {
        LanguageServer server(fake(m_scratch, {QStringLiteral("--slow")}));
        const QString other = m_scratch.path(QStringLiteral("other.cu"));
        server.openDocument(m_file, QStringLiteral("cuda-cpp"), QStringLiteral("first"));
        server.openDocument(other, QStringLiteral("cuda-cpp"), QStringLiteral("second"));
        server.start();
        QTRY_COMPARE(server.state(), State::Ready);
        QStringList told;
        const auto take = [&told](const std::vector<TextReplacement> &edits, const QString &problem) {
            told << (edits.empty() ? problem : edits.front().text);
        };
        server.format(m_file, std::nullopt, take); // its place is taken by the next
        server.format(m_file, std::nullopt, take);
        server.format(other, std::nullopt, take);
        QTRY_COMPARE(told, (QStringList{QStringLiteral("first"), QStringLiteral("second")}));
    }

    void aQuestionIsNeverAnsweredWithinTheCall() {
        LanguageServer server(fake(m_scratch));
        Told told;
        server.hover(m_file, {1, 1}, told.hover());
        QVERIFY(told.problems.isEmpty());
        QTRY_COMPARE(told.problems.size(), 1);
        QVERIFY2(told.problems[0].contains(QLatin1String("fake does not run")), qPrintable(told.problems[0]));
    }

    void whatTheServerCannotDoIsSaid() {
        LanguageServer server(fake(m_scratch));
        server.openDocument(m_file, QStringLiteral("cuda-cpp"), {});
        server.start();
        QTRY_COMPARE(server.state(), State::Ready);
        QStringList problems;
        server.symbols(m_file, [&problems](const std::vector<DocumentSymbol> &, const QString &problem) {
            problems << problem;
        });
        server.definition(
            m_file, {1, 1},
            [&problems](const std::vector<SourcePlace> &, const QString &problem) { problems << problem; });
        QTRY_COMPARE(problems.size(), 2);
        QVERIFY(problems[0].contains(QLatin1String("cannot")));
        QVERIFY(problems[1].contains(QLatin1String("not here")));
    }

    void manyItemsAreReadInThePool() {
        LanguageServer server(fake(m_scratch, {QStringLiteral("--many")}));
        server.openDocument(m_file, QStringLiteral("cuda-cpp"), QStringLiteral("it"));
        server.start();
        QTRY_COMPARE(server.state(), State::Ready);
        std::optional<Completion> told;
        server.complete(m_file, {1, 3}, {},
                        [&told](const Completion &value, const QString &) { told = value; });
        QTRY_VERIFY(told);
        QCOMPARE(told->items.size(), std::size_t(1000));
        QVERIFY((told->items[0].replaced == TextRange{{1, 1}, {1, 3}}));
        QCOMPARE(told->items[0].insertText, QStringLiteral("item0()"));
        QCOMPARE(told->items[0].cursorInside, 6);
    }

    void oneThatHangsIsGivenUpAfterTenSeconds() {
        LanguageServer server(fake(m_scratch, {QStringLiteral("--hang")}));
        server.openDocument(m_file, QStringLiteral("cuda-cpp"), QStringLiteral("text"));
        server.start();
        QTRY_COMPARE(server.state(), State::Ready);
        Told told;
        QElapsedTimer clock;
        clock.start();
        server.hover(m_file, {1, 1}, told.hover());
        QTRY_COMPARE_WITH_TIMEOUT(told.problems.size(), 1, 15000);
        QVERIFY(clock.elapsed() > 9000);
        QVERIFY(told.problems[0].contains(QLatin1String("has not answered within 10 s")));
        QCOMPARE(server.state(), State::Ready);
    }

    void rubbishBetweenMessagesIsReadOver() {
        LanguageServer server(fake(m_scratch, {QStringLiteral("--rubbish")}));
        server.openDocument(m_file, QStringLiteral("cuda-cpp"), QStringLiteral("text"));
        server.start();
        QTRY_COMPARE(server.state(), State::Ready);
        Told told;
        server.hover(m_file, {1, 1}, told.hover());
        QTRY_COMPARE(told.values.size(), 1);
        QVERIFY(told.values[0].startsWith(QLatin1String("text|")));
    }

    void oneThatOnlyPrintsIsEnded() {
        LanguageServer server(fake(m_scratch, {QStringLiteral("--noise")}));
        server.start();
        QTRY_COMPARE(server.state(), State::Restarting);
        QVERIFY2(server.why().contains(QLatin1String("no message of the Language Server Protocol")),
                 qPrintable(server.why()));
    }

    void aFloodEndsIt() {
        LanguageServer server(fake(m_scratch, {QStringLiteral("--flood")}));
        server.start();
        QTRY_COMPARE_WITH_TIMEOUT(server.state(), State::Restarting, 20000);
        QVERIFY2(server.why().contains(QLatin1String("MiB within 5 s")), qPrintable(server.why()));
    }

    void aProgramThatIsNotThereFailsAtOnce() {
        LanguageServerCommand command = fake(m_scratch);
        command.program = m_scratch.path(QStringLiteral("nothing"));
        LanguageServer server(command);
        server.start();
        QTRY_COMPARE(server.state(), State::Failed);
        QVERIFY2(server.why().contains(QLatin1String("Cannot start")), qPrintable(server.why()));
    }

    void fiveDeathsWithinAMinuteEndIt() {
        LanguageServer server(fake(m_scratch, {QStringLiteral("--crash")}));
        server.openDocument(m_file, QStringLiteral("cuda-cpp"), QStringLiteral("text"));
        server.start();
        Told told;
        for (int death = 1; death <= 5; ++death) {
            QTRY_COMPARE_WITH_TIMEOUT(server.state(), State::Ready, 10000);
            server.hover(m_file, {1, 1}, told.hover());
            QTRY_COMPARE(told.problems.size(), death);
            QVERIFY2(told.problems.last().contains(QLatin1String("cannot go on")),
                     qPrintable(told.problems.last()));
        }
        QCOMPARE(server.state(), State::Failed);
        QVERIFY2(server.why().contains(QLatin1String("5 times within a minute")), qPrintable(server.why()));
        server.start();
        QTRY_COMPARE(server.state(), State::Ready);
    }

    void tenKillsLoseNothing() {
        LanguageServer server(fake(m_scratch));
        const QString other = m_scratch.path(QStringLiteral("other.cu"));
        server.openDocument(m_file, QStringLiteral("cuda-cpp"), QStringLiteral("0"));
        server.openDocument(other, QStringLiteral("cuda-cpp"), QStringLiteral("unchanged"));
        server.start();
        QString text;
        for (int kill = 1; kill <= 10; ++kill) {
            if (server.state() == State::Failed)
                server.start(); // five within a minute are enough for it
            QTRY_COMPARE_WITH_TIMEOUT(server.state(), State::Ready, 10000);
            const qint64 before = server.processId();
            ::kill(static_cast<pid_t>(before), SIGKILL);
            text += QString::number(kill % 10);
            server.changeDocument(m_file, text); // before its end is known, or after
            QTRY_VERIFY(server.state() != State::Ready);
            QCOMPARE(server.processId(), -1);
        }
        QTRY_VERIFY_WITH_TIMEOUT(server.state() == State::Ready || server.state() == State::Failed, 10000);
        if (server.state() == State::Failed)
            server.start();
        QTRY_COMPARE(server.state(), State::Ready);
        Told told;
        server.hover(m_file, {1, 1}, told.hover());
        QTRY_COMPARE(told.values, QStringList{QStringLiteral("1234567890|[null,null]")});
        server.hover(other, {1, 1}, told.hover());
        QTRY_COMPARE(told.values.size(), 2);
        QVERIFY(told.values[1].startsWith(QLatin1String("unchanged|")));
    }

    void theProcessIsGoneASecondAfterItsServer_data() {
        QTest::addColumn<QString>("switched");
        QTest::newRow("polite") << QString();
        QTest::newRow("hangs") << QStringLiteral("--hang");
    }
    void theProcessIsGoneASecondAfterItsServer() {
        QFETCH(QString, switched);
        auto server = std::make_unique<LanguageServer>(fake(m_scratch, {switched}));
        server->start();
        QTRY_COMPARE(server->state(), State::Ready);
        const qint64 pid = server->processId();
        QVERIFY(isAlive(pid));
        QElapsedTimer clock;
        clock.start();
        server.reset();
        QVERIFY(clock.elapsed() < 500);
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), 10000);
    }

    void whoeverHearsOfADeathMayDeleteIt() {
        auto *server = new LanguageServer(fake(m_scratch, {QStringLiteral("--crash")}));
        server->openDocument(m_file, QStringLiteral("cuda-cpp"), QStringLiteral("text"));
        server->start();
        QTRY_COMPARE(server->state(), State::Ready);
        bool isGone = false;
        server->hover(m_file, {1, 1}, [&server, &isGone](const std::optional<HoverText> &, const QString &) {
            delete std::exchange(server, nullptr);
            isGone = true;
        });
        QTRY_VERIFY(isGone);
    }
};

QObject *makeTestLanguageServer() {
    return new TestLanguageServer;
}
#include "tst_language_server.moc"
