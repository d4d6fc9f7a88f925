// SPDX-License-Identifier: GPL-3.0-or-later
// What a workspace says to agents: SKILL.md, its pages, AGENTS.md. Workspaces come from anywhere.
#include "agent/tools/project_rules.h"
#include "agent/tools/skill_pages.h"
#include "tests/agent_tools/tools_world.h"
#include "tests/toolchain/places.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QStringEncoder>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace warpwright;

namespace {

const QString resources = sourceFolder("/resources");

QByteArray encoded(QStringConverter::Encoding encoding, const QString &text) {
    QStringEncoder encoder(encoding, QStringConverter::Flag::WriteBom);
    return encoder(text);
}

} // namespace

class TestGuides : public QObject {
    Q_OBJECT

private slots:
    void init() { m_world = std::make_unique<ToolsWorld>(); }

    void readsATextInWhateverEncoding_data() {
        QTest::addColumn<QByteArray>("bytes");
        const QString text = QStringLiteral("# für alle 漢\n");
        QTest::newRow("UTF-8") << text.toUtf8();
        QTest::newRow("UTF-8 with its mark") << encoded(QStringConverter::Utf8, text);
        QTest::newRow("UTF-16, little end first") << encoded(QStringConverter::Utf16LE, text);
        QTest::newRow("UTF-16, big end first") << encoded(QStringConverter::Utf16BE, text);
        QTest::newRow("UTF-32") << encoded(QStringConverter::Utf32LE, text);
    }
    void readsATextInWhateverEncoding() {
        QFETCH(QByteArray, bytes);
        m_world->scratch.write("work/SKILL.md", bytes);
        const auto read = readGuideFile(m_world->scratch.path("work"), "SKILL.md");
        QVERIFY(read && read->isRead());
        QCOMPARE(read->text, QStringLiteral("# für alle 漢\n"));
    }
    void takesWhatIsNoUtf8ForLatin1() {
        m_world->scratch.write("work/AGENTS.md", "tabs f\xfcr alle\n");
        QCOMPARE(readGuideFile(m_world->scratch.path("work"), "AGENTS.md")->text,
                 QStringLiteral("tabs für alle\n"));
    }

    void saysWhatIsWrongAndUsesOurs_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("why");
        QTest::newRow("empty") << "empty"
                               << "is empty";
        QTest::newRow("blank") << "blank"
                               << "is empty";
        QTest::newRow("a program") << "binary"
                                   << "is no text";
        QTest::newRow("UTF-16 without a mark") << "utf16"
                                               << "is no text";
        QTest::newRow("a folder") << "folder"
                                  << "is a folder";
        QTest::newRow("a pipe") << "pipe"
                                << "is a pipe, a socket or a device";
        QTest::newRow("a link out") << "link out"
                                    << "is a link out of the workspace";
        QTest::newRow("a link to a device") << "link to device"
                                            << "is a link out of the workspace";
        QTest::newRow("a link to nowhere") << "dangling"
                                           << "is a link that leads nowhere";
        QTest::newRow("unreadable") << "unreadable"
                                    << "cannot be read (Permission denied)";
    }
    void saysWhatIsWrongAndUsesOurs() {
        QFETCH(QString, kind);
        QFETCH(QString, why);
        if (kind == "unreadable" && ::geteuid() == 0)
            QSKIP("the administrator may read everything");
        for (const char *name : {"SKILL.md", "AGENTS.md"})
            lay(QString("work/") + name, kind);
        m_world->open(); // the run does not end
        QVERIFY(!QFile::exists(m_world->inWork("SKILL.md")));
        QVERIFY(!QFile::exists(m_world->inWork("AGENTS.md")));
        const QString workspace = m_world->scratch.path("work");
        const Skill skill = readSkill(workspace, resources);
        QVERIFY(!skill.isOwn);
        QCOMPARE(skill.remarks, QStringList{"The workspace's own SKILL.md " + why +
                                            ", and is not read: the built-in skill is used."});
        QVERIFY2(skill.text.startsWith("# Writing kernels"), qPrintable(skill.text));
        const std::vector<ProjectRules> rules = readProjectRules(workspace);
        QCOMPARE(rules.size(), std::size_t(1));
        QCOMPARE(rules.front().remarks(),
                 QStringList{'"' + workspace + "/AGENTS.md\" " + why +
                             ", and is not read: the run goes on without its rules."});
        const QString words = m_world->call("skill").text;
        QVERIFY2(!words.contains("the-marked-secret"), qPrintable(words));
    }

    void followsALinkInside() {
        m_world->scratch.write("work/docs/s.md", "# Mine\n");
        QVERIFY(QFile::link("docs/s.md", m_world->scratch.path("work/SKILL.md")));
        const Skill skill = readSkill(m_world->scratch.path("work"), resources);
        QVERIFY(skill.isOwn && skill.remarks.isEmpty());
        QVERIFY(skill.text.startsWith("# Mine"));
    }

    void cutsALongOne() {
        const QByteArray lines = QByteArray("one line of the rules\n").repeated(200'000);
        m_world->scratch.write("work/SKILL.md", "# Mine\n" + lines);
        m_world->scratch.write("work/AGENTS.md", lines);
        const QString workspace = m_world->scratch.path("work");
        const Skill skill = readSkill(workspace, resources);
        QVERIFY(skill.isOwn);
        QVERIFY2(skill.text.size() < 70'000, qPrintable(QString::number(skill.text.size())));
        QVERIFY(
            skill.text.contains("rules\n\n(Cut here: SKILL.md has 4,400,007 bytes, and its beginning is all "
                                "that is shown.)"));
        QCOMPARE(skill.remarks,
                 QStringList{"The workspace's own SKILL.md has 4,400,007 bytes: its first 65,536 "
                             "are the skill."});
        QCOMPARE(readProjectRules(workspace).front().remarks().last(),
                 '"' + workspace + "/AGENTS.md\" has 4,400,000 bytes: the rules are in its first 65,536.");
    }

    void theRulesStandBesideAnOwnSkill() {
        m_world->scratch.write("work/SKILL.md", "# Mine\nAlways float4.\n");
        for (const bool isOwn : {true, false}) {
            if (!isOwn)
                QVERIFY(QFile::remove(m_world->scratch.path("work/SKILL.md")));
            const QString words = readSkill(m_world->scratch.path("work"), resources).words();
            QCOMPARE(words.startsWith("# Mine"), isOwn);
            QCOMPARE(words.count("## Not allowed in the candidate"), 1);
            QVERIFY(words.contains("Operators of torch"));
            QVERIFY2(words.contains(
                         isOwn ? "these pages by their names: SKILL.md, cuda-kernels/SKILL.md, RULES.md,"
                               : "these pages by their names: SKILL.md, RULES.md,"),
                     qPrintable(words.right(400)));
        }
    }

    void givesThePagesBesideAnOwnSkill() {
        m_world->scratch.write("outside.md", "the-marked-secret");
        m_world->scratch.write("work/SKILL.md",
                               "# Mine\nSee [more](more.md), `notes/hints.txt`, ../outside.md.\n");
        m_world->scratch.write("work/more.md", "# More\n");
        m_world->scratch.write("work/notes/hints.txt", "hints of mine\n");
        m_world->scratch.write("work/notes/unnamed.txt", "nobody names it\n");
        m_world->scratch.write("work/sub/x.md", "# Deep\n");
        m_world->scratch.write("work/reductions.md", "# My reductions\n");
        m_world->scratch.write("work/.git/y.md", "# Hidden\n");
        m_world->scratch.write("work/long.md",
                               "# Long\n" + QByteArray("a line of a long page\n").repeated(2000));
        QVERIFY(QFile::link("../outside.md", m_world->scratch.path("work/lnk.md")));
        m_world->open();
        const QString pages = m_world->call("skill").text.section("(pages: ", 1);
        QVERIFY2(pages.startsWith(
                     "SKILL.md, lnk.md, long.md, more.md, notes/hints.txt, reductions.md, sub/x.md, "),
                 qPrintable(pages));
        QVERIFY(!pages.contains("outside") && !pages.contains("unnamed") && !pages.contains("y.md"));
        for (const auto &[page, words] :
             std::vector<std::pair<const char *, const char *>>{{"more.md", "# More"},
                                                                {"more", "# More"},
                                                                {"notes/hints.txt", "hints of mine"},
                                                                {"sub/x", "# Deep"},
                                                                {"reductions", "# My reductions"}})
            QVERIFY2(pageOf(page).startsWith(words), page);
        QVERIFY(pageOf("cuda-kernels/reductions").startsWith("# "));
        QVERIFY(!pageOf("cuda-kernels/reductions").startsWith("# My"));
        QCOMPARE(pageOf("lnk.md"), QString("The page \"lnk.md\" is a link out of the workspace."));
        QVERIFY(pageOf("../outside.md").startsWith("There is no page"));
        QVERIFY2(pageOf("long").contains("The whole is in long.md: use read."), qPrintable(pageOf("long")));
        QVERIFY(m_world->read("long.md").text.contains("# Long"));
        // To be read there, and not the candidate's.
        QVERIFY(QFile::exists(m_world->inWork("sub/x.md")));
        QVERIFY(!QFile::exists(m_world->inWork("lnk.md")));
        QCOMPARE(m_world->box->texts().value(), m_world->request.texts);
        QVERIFY(m_world->call("write", {{"path", "more.md"}, {"content", "mine"}}).outcome !=
                ToolAnswer::Outcome::Ok);
    }

    void hasALimitOfPages() {
        m_world->scratch.write("work/SKILL.md", "# Mine\n");
        for (int i = 0; i < 80; ++i)
            m_world->scratch.write(QStringLiteral("work/p/%1.md").arg(i), "x\n");
        QCOMPARE(ownPages(m_world->scratch.path("work"), {}).size(), 50);
    }

    void findsOurPages_data() {
        QTest::addColumn<QString>("asked");
        for (const char *name : {"reductions", "reductions.md", "cuda-kernels/reductions",
                                 "cuda-kernels/reductions.md", "Reductions", " reductions "})
            QTest::newRow(name) << name;
    }
    void findsOurPages() {
        QFETCH(QString, asked);
        const Skill skill = readSkill(m_world->scratch.path("work"), resources);
        QVERIFY(skill.page(asked) != nullptr);
        QCOMPARE(skill.page(asked)->file, QString("reductions.md"));
    }
    /// As the built-in skill itself writes them.
    void everyPageThatIsNamedIsThere() {
        const Skill skill = readSkill(m_world->scratch.path("work"), resources);
        static const QRegularExpression named(QStringLiteral("`skill ([a-z/]+)`"));
        int count = 0;
        for (auto match = named.globalMatch(skill.text); match.hasNext(); ++count) {
            const QString name = match.next().captured(1);
            QVERIFY2(skill.page(name) != nullptr, qPrintable(name));
        }
        QVERIFY(count >= 8);
    }

    void theProjectsRulesLieInTheCopy() {
        m_world->scratch.write("work/AGENTS.md", "use tabs\n");
        m_world->scratch.write("CLAUDE.md", "of the folder above\n");
        m_world->open();
        QCOMPARE(textOf(m_world->inWork("AGENTS.md")), QByteArray("use tabs\n"));
        QCOMPARE(textOf(m_world->inWork("CLAUDE.md")), QByteArray("of the folder above\n"));
        QVERIFY(!QFile::exists(m_world->inWork("GEMINI.md")));
        m_world->scratch.write("AGENTS.md", "of the folder above\n");
        QFile::remove(m_world->scratch.path("work/AGENTS.md"));
        lay("work/AGENTS.md", "empty");
        const std::vector<ProjectRules> rules = readProjectRules(m_world->scratch.path("work"));
        QCOMPARE(rules.size(), std::size_t(3)); // the empty one, and those above
        QCOMPARE(rules[1].remarks().first(),
                 "The rules of \"" + m_world->scratch.path("AGENTS.md") + "\" are followed.");
    }

    void findsTheRulesOfARepository() {
        const QString deep = m_world->scratch.path("kernels/mine/work");
        m_world->scratch.write("kernels/mine/work/model.py", "");
        m_world->scratch.write("AGENTS.md", "of the root\n");
        QVERIFY(readProjectRules(deep).empty()); // in no repository: the folder above alone
        QDir().mkpath(m_world->scratch.path(".git"));
        QCOMPARE(readProjectRules(deep).size(), std::size_t(1));
        QCOMPARE(readProjectRules(deep).front().file.text, QString("of the root\n"));
    }

private:
    void lay(const QString &name, const QString &kind) const {
        const QString path = m_world->scratch.path(name);
        if (kind == "empty")
            m_world->scratch.write(name, "");
        else if (kind == "blank")
            m_world->scratch.write(name, " \n\n\t\n");
        else if (kind == "binary")
            m_world->scratch.write(name, QByteArray("\x7f"
                                                    "ELF\x02\x01\x00\x00",
                                                    8)
                                             .repeated(50));
        else if (kind == "utf16")
            m_world->scratch.write(name, QByteArray("#\0 \0M\0\n\0", 8));
        else if (kind == "folder")
            QVERIFY(QDir().mkpath(path));
        else if (kind == "pipe")
            QVERIFY(::mkfifo(QFile::encodeName(path).constData(), 0600) == 0);
        else if (kind == "link out")
            QVERIFY(QFile::link(m_world->scratch.write("secret", "the-marked-secret"), path));
        else if (kind == "link to device")
            QVERIFY(QFile::link("/dev/zero", path));
        else if (kind == "dangling")
            QVERIFY(QFile::link("nosuch", path));
        else
            QVERIFY(QFile::setPermissions(m_world->scratch.write(name, "x\n"), {}));
    }
    [[nodiscard]] QString pageOf(const char *name) { return m_world->call("skill", {{"page", name}}).text; }

    std::unique_ptr<ToolsWorld> m_world;
};

QObject *makeTestGuides() {
    return new TestGuides;
}
#include "tst_guides.moc"
