// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/tool_arguments.h"
#include "agent/tools/toolbox.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace warpwright;

class TestToolArguments : public QObject {
    Q_OBJECT
private slots:
    void saysWhatIsRight_data() {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QString>("said"); // empty: nothing is wrong
        const auto row = [](const char *name, const char *tool, const char *arguments, const char *said) {
            QTest::newRow(name) << QString(tool) << QByteArray(arguments) << QString::fromUtf8(said);
        };
        row("right", "read", R"({"path": "model.py"})", "");
        row("all that it takes", "read", R"({"path": "model.py", "offset": 3, "limit": 10})", "");
        row("a whole number as a decimal", "read", R"({"path": "model.py", "offset": 3.0})", "");
        row("missing", "read", "{}", "\"path\" is missing: a text");
        row("wrong type", "read", R"({"path": 5})", "\"path\" is the number 5, and has to be a text");
        row("a number in a text", "read", R"({"path": "a", "offset": "3"})", "");
        row("a word for a number", "read", R"({"path": "a", "offset": "three"})",
            "\"offset\" is a text, and has to be a whole number from 1");
        row("null for what may be absent", "read", R"({"path": "a", "offset": null, "limit": null})", "");
        row("not whole", "read", R"({"path": "a", "offset": 3.5})", "has to be a whole number");
        row("too small", "read", R"({"path": "a", "offset": 0})", "from 1 to");
        row("too large", "bash", R"({"command": "a", "timeout_s": 601})", "from 1 to 600");
        row("huge", "bash", R"({"command": "a", "timeout_s": 1e300})", "from 1 to 600");
        row("unknown", "read", R"({"path": "a", "file": "b"})",
            "there is no \"file\". It takes limit?, offset?, path.");
        row("a list as a text", "edit",
            "{\"path\": \"a\", \"edits\": \"[{\\\"old\\\": \\\"a\\\", \\\"new\\\": \\\"b\\\"}]\"}", "");
        row("a member", "edit", R"({"path": "a", "edits": [{"old": "a"}]})", "\"edits[0].new\" is missing");
        row("a member's type", "edit", R"({"path": "a", "edits": [{"old": "a", "new": 1}]})",
            "\"edits[0].new\" is the number 1");
        row("one of", "todo", R"({"items": [{"text": "a", "state": "begun"}]})",
            "\"items[0].state\" is \"begun\", and has to be one of \"waiting\"");
        row("no object", "compile", "[1]", "what is given is a list");
        row("nothing is taken", "compile", R"({"a": 1})", "It takes nothing.");
        row("null", "read", R"({"path": null})", "\"path\" is null");
    }
    void takesWhatWasMeant() {
        const auto &specs = Toolbox::specs();
        const auto edit =
            std::find_if(specs.begin(), specs.end(), [](const ToolSpec &one) { return one.name == "edit"; });
        const Json edits = Json::array({{{"old", "[1]"}, {"new", "3"}, {"all", true}}});
        const Json meant = argumentsAsMeant(
            edit->parameters,
            Json{{"path", "3"},
                 {"edits", Json::array({{{"old", "[1]"}, {"new", "3"}, {"all", "true"}}}).dump()}});
        QCOMPARE(meant.dump(), Json({{"path", "3"}, {"edits", edits}}).dump()); // a text stays a text
        const Json null = argumentsAsMeant(edit->parameters, Json());
        QVERIFY(null.is_object() && null.empty());
    }
    void saysWhatIsRight() {
        QFETCH(QString, tool);
        QFETCH(QByteArray, arguments);
        QFETCH(QString, said);
        const auto &specs = Toolbox::specs();
        const auto spec =
            std::find_if(specs.begin(), specs.end(), [&](const ToolSpec &one) { return one.name == tool; });
        QVERIFY(spec != specs.end());
        const QString why = whyBadArguments(tool, spec->parameters,
                                            argumentsAsMeant(spec->parameters, parseJson(arguments).value()));
        if (said.isEmpty())
            QCOMPARE(why, QString());
        else
            QVERIFY2(why.contains(said), qPrintable(why));
    }

    void offersToolsThatModelsTake() {
        QStringList names;
        static const QRegularExpression form("^[a-z_]{1,64}$");
        for (const ToolSpec &spec : Toolbox::specs()) {
            QVERIFY2(form.match(spec.name).hasMatch(), qPrintable(spec.name));
            QVERIFY2(!spec.title.isEmpty() && spec.description.size() < 700, qPrintable(spec.name));
            QCOMPARE(stringIn(spec.parameters, "type"), QString("object"));
            QVERIFY(spec.parameters.contains("properties"));
            names << spec.name;
        }
        QCOMPARE(
            names.join(' '),
            QString("bash read write edit restore glob grep todo compile verify profile inspect counters "
                    "timeline findings sanitize sweep device_facts history expert submit skill"));
    }
};

QObject *makeTestToolArguments() {
    return new TestToolArguments;
}

#include "tst_tool_arguments.moc"
