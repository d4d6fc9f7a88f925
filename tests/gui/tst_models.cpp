// SPDX-License-Identifier: GPL-3.0-or-later
// Language models as a person sets them up: in the settings, and where a run begins.
#include "agent/factory/agent_by_name.h"
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/layout/dock.h"
#include "app/ide/settings/models_table.h"
#include "app/ide/settings/profile_row.h"
#include "app/ide/settings/settings_page.h"
#include "tests/endpoints/model_server.h"
#include "tests/gui/model_world.h"
#include "tests/gui/profiles_world.h"
#include "tests/toolchain/run_test_classes.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTcpServer>
#include <QTest>

using namespace warpwright;

namespace {

constexpr const char *file = "config/warpwright/models.json";
constexpr const char *secret = "sk-never-to-be-seen";

/// A window, its settings page and a server of models.
struct ModelsWorld : ProfilesWorld {
    ModelsWorld() : ProfilesWorld("modelsTable", "model") {}

    [[nodiscard]] QByteArray stored() const { return bytesOf(window.cli.path(QString::fromLatin1(file))); }
    /// Stores such a model as another program does, and lets the window read it.
    [[nodiscard]] bool setUp(const ModelProfile &profile) const {
        const auto put = [&](ModelProfiles &models) {
            models.put(profile);
        };
        return ModelProfiles::change(window.cli.path(QString::fromLatin1(file)), put).hasValue();
    }
    [[nodiscard]] bool rename(const QString &name, const QString &to) const {
        const auto edit = [&](ModelProfiles &models) {
            ModelProfile profile = *models.find(name);
            models.remove(name);
            profile.name = to;
            models.put(profile);
        };
        return ModelProfiles::change(window.cli.path(QString::fromLatin1(file)), edit).hasValue();
    }
};

} // namespace

class TestModels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_server = std::make_unique<ModelServer>();
    }
    void cleanupTestCase() { m_server.reset(); }

    void oneIsSetUpTriedChangedAndRemoved() {
        const ModelsWorld world;
        world.window.window->showSettings(QStringLiteral("Models"));
        QTRY_VERIFY(world.table().isVisible());
        takePictures(world.window, "models-none");
        world.table().findChild<QAction *>(QStringLiteral("add-llama.cpp"))->trigger();
        QVERIFY(world.form() != nullptr);
        takePictures(world.window, "models-new");
        // What is missing is said, and nothing is stored.
        world.press(world.form(), "saveForm");
        QVERIFY2(world.formSays(QStringLiteral("which model of the endpoint")), "nothing is said");
        QVERIFY(world.stored().isEmpty());
        world.type("modelName", QStringLiteral("qwen"));
        world.type("modelUrl", m_server->address(QStringLiteral("tool")));
        world.type("modelModel", QStringLiteral("qwen3-coder:30b"));
        world.type("modelContext", QStringLiteral("32k"));
        world.press(world.form(), "saveForm");
        QTRY_VERIFY(world.row(QStringLiteral("qwen")) != nullptr);
        QVERIFY2(world.stored().contains("32000"), world.stored());
        QTRY_VERIFY2(world.window.toasts().contains(QStringLiteral("qwen is set up")),
                     qPrintable(world.window.toasts()));
        // It is offered where a run begins.
        QCOMPARE(world.actions().tuneModels().size(), 1);
        QCOMPARE(world.actions().tuneModels().front()->text(), QStringLiteral("Let qwen tune"));
        const QString works = world.trial(QStringLiteral("qwen"));
        QVERIFY2(works.contains(QStringLiteral("tool"), Qt::CaseInsensitive), qPrintable(works));
        takePictures(world.window, "models-works");

        world.press(world.row(QStringLiteral("qwen")), "changeProfile");
        world.type("modelName", QStringLiteral("qwen-local"));
        world.press(world.form(), "saveForm");
        QTRY_VERIFY(world.row(QStringLiteral("qwen-local")) != nullptr);
        QVERIFY(world.row(QStringLiteral("qwen")) == nullptr);
        QCOMPARE(world.actions().tuneModels().front()->text(), QStringLiteral("Let qwen-local tune"));
        QVERIFY(world.form() == nullptr || !world.form()->isVisible());

        world.press(world.row(QStringLiteral("qwen-local")), "removeProfile");
        QTRY_VERIFY(world.row(QStringLiteral("qwen-local")) == nullptr);
        QVERIFY(world.actions().tuneModels().isEmpty());
        QTRY_VERIFY(world.window.toasts().contains(QStringLiteral("qwen-local removed")));
        world.pressUndoOf(QStringLiteral("removed"));
        QTRY_VERIFY(world.row(QStringLiteral("qwen-local")) != nullptr);
        QVERIFY(world.stored().contains("qwen-local"));
    }

    void aTrialSaysWhatIsWrong() {
        const ModelsWorld world;
        QTcpServer closed; // a port where nobody listens
        QVERIFY(closed.listen(QHostAddress::LocalHost));
        const auto port = closed.serverPort();
        closed.close();
        const auto named = [&](const char *name, const QString &script) {
            ModelProfile profile = m_server->profile(Dialect::OpenAiChat, script);
            profile.name = QString::fromLatin1(name);
            return profile;
        };
        ModelProfile away = named("away", {});
        away.baseUrl = QStringLiteral("http://127.0.0.1:%1/v1").arg(port);
        ModelProfile keyless = named("keyless", QStringLiteral("tool"));
        keyless.key = {KeySource::Kind::Environment, QStringLiteral("NOT_SET_ANYWHERE")};
        for (const ModelProfile &profile :
             {named("good", QStringLiteral("tool")), named("wrong-key", QStringLiteral("status-401")),
              named("no-model", QStringLiteral("status-404")), named("talks", QStringLiteral("plain")), away,
              keyless})
            QVERIFY(world.setUp(profile));
        world.window.window->showSettings(QStringLiteral("Models"));
        QTRY_VERIFY(world.row(QStringLiteral("away")) != nullptr);
        const auto says = [&](const char *name, const char *words) {
            const QString said = world.trial(QString::fromLatin1(name));
            QVERIFY2(said.contains(QString::fromUtf8(words), Qt::CaseInsensitive), qPrintable(said));
        };
        says("good", "tool");
        says("wrong-key", "key");
        says("no-model", "\"m\"");
        says("talks", "tool");
        says("away", "127.0.0.1");
        says("keyless", "NOT_SET_ANYWHERE");
        takePictures(world.window, "models-failed");
    }

    void aTrialCanBeStopped() {
        const ModelsWorld world;
        ModelProfile slow = m_server->profile(Dialect::OpenAiChat, QStringLiteral("slow"));
        slow.name = QStringLiteral("slow");
        slow.baseUrl = m_server->address(QStringLiteral("silent"));
        QVERIFY(world.setUp(slow));
        world.window.window->showSettings(QStringLiteral("Models"));
        QTRY_VERIFY(world.row(QStringLiteral("slow")) != nullptr);
        auto *button =
            world.row(QStringLiteral("slow"))->findChild<QAbstractButton *>(QStringLiteral("tryProfile"));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(button->text(), QStringLiteral("Stop"));
        QTest::qWait(100);
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(button->text(), QStringLiteral("Try it"), 5000);
    }

    // In no file of ours, in no word, and not in its field any more.
    void aKeyIsNeverShownAgain() {
        const ModelsWorld world;
        world.window.window->showSettings(QStringLiteral("Models"));
        QTRY_VERIFY(world.table().isVisible());
        world.table().findChild<QAction *>(QStringLiteral("add-OpenAI"))->trigger();
        auto *kind = world.form()->findChild<QComboBox *>(QStringLiteral("modelKeyKind"));
        kind->setCurrentIndex(kind->findData(static_cast<int>(KeySource::Kind::Keyring)));
        auto *key = world.form()->findChild<QLineEdit *>(QStringLiteral("modelKey"));
        QTRY_VERIFY(key->isVisible());
        QCOMPARE(key->echoMode(), QLineEdit::Password);
        QTest::keyClicks(key, QString::fromLatin1(secret));
        takePictures(world.window, "models-key");
        QTest::keyClick(key, Qt::Key_Return);
        QVERIFY(key->text().isEmpty());
        QVERIFY(!key->isUndoAvailable());
        // Stored, or why not: in either case it is said.
        auto *row = key->parentWidget();
        QTRY_VERIFY_WITH_TIMEOUT(!row->findChild<QLabel *>(QStringLiteral("said"))->text().isEmpty(), 30'000);
        world.type("modelModel", QStringLiteral("gpt"));
        world.press(world.form(), "saveForm");
        QTRY_VERIFY(world.stored().contains("keyring"));
        QVERIFY(!world.stored().contains(secret));
        for (const QWidget *widget : world.window.window->findChildren<QWidget *>()) {
            QVERIFY(!widget->accessibleName().contains(QString::fromLatin1(secret)));
            if (const auto *label = qobject_cast<const QLabel *>(widget))
                QVERIFY(!label->text().contains(QString::fromLatin1(secret)));
            if (const auto *field = qobject_cast<const QLineEdit *>(widget))
                QVERIFY(!field->text().contains(QString::fromLatin1(secret)));
        }
    }

    void theModelIsChosenFromWhatTheEndpointHas() {
        const ModelsWorld world;
        world.window.window->showSettings(QStringLiteral("Models"));
        QTRY_VERIFY(world.table().isVisible());
        world.table().findChild<QAction *>(QStringLiteral("add-Another endpoint"))->trigger();
        world.type("modelUrl", m_server->address(QStringLiteral("tool;models=one,other")));
        auto *model = world.form()->findChild<QLineEdit *>(QStringLiteral("modelModel"));
        model->setFocus();
        QTRY_COMPARE(model->completer()->model()->rowCount(), 2);
        takePictures(world.window, "models-list");
    }

    void whatWasTypedIsNotLostForAnotherPress() {
        const ModelsWorld world;
        QVERIFY(world.setUp(m_server->profile(Dialect::OpenAiChat, QStringLiteral("tool"))));
        world.window.window->showSettings(QStringLiteral("Models"));
        QTRY_VERIFY(world.row(QStringLiteral("tested")) != nullptr);
        world.table().findChild<QAction *>(QStringLiteral("add-Ollama"))->trigger();
        world.type("modelModel", QStringLiteral("half a na"));
        world.press(world.row(QStringLiteral("tested")), "changeProfile");
        QCOMPARE(world.form()->findChild<QLineEdit *>(QStringLiteral("modelModel"))->text(),
                 QStringLiteral("half a na"));
        world.press(world.form(), "cancelForm");
        QTRY_VERIFY(world.form() == nullptr);
        world.press(world.row(QStringLiteral("tested")), "changeProfile");
        QCOMPARE(world.form()->findChild<QLineEdit *>(QStringLiteral("modelModel"))->text(),
                 QStringLiteral("m"));
        world.type("modelContext", QStringLiteral("many"));
        world.press(world.form(), "saveForm");
        QVERIFY(world.formSays(QStringLiteral("Context is «many»")));
    }

    void aBrokenFileIsSaidAndKept() {
        const ModelsWorld world;
        world.window.cli.write(QString::fromLatin1(file), "{\"models\": [");
        world.window.window->showSettings(QStringLiteral("Models"));
        const auto isSaid = [&] {
            const QList<QLabel *> labels = world.table().findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
                return label->isVisible() && label->text().contains(QStringLiteral("models.json"));
            });
        };
        QTRY_VERIFY(isSaid());
        QCOMPARE(world.stored(), QByteArray("{\"models\": ["));
    }

    void oneIsChosenWhereARunBegins() {
        ModelsWorld world;
        // None is set up: the way to one is offered.
        QVERIFY(world.window.open(world.window.folder));
        QTRY_COMPARE(world.offered(), QStringList({"Let the playbook tune", "Set up a model",
                                                   "Set up another program's agent"}));
        takePictures(world.window, "models-offer-none");
        world.actions().setUpModel->trigger();
        QTRY_VERIFY(world.table().isVisible());
        ModelProfile profile = m_server->profile(Dialect::OpenAiChat, QStringLiteral("plain"));
        for (const char *name : {"qwen", "deepseek-coder-v3-instruct"}) {
            profile.name = QString::fromLatin1(name);
            QVERIFY(world.setUp(profile));
        }
        // A window that opens later knows them.
        world.window.reopen();
        QVERIFY(world.window.open(world.window.folder));
        QTRY_COMPARE(world.offered(),
                     QStringList({"Let the playbook tune", "Let qwen tune",
                                  "Let deepseek-coder-v3-instruct tune", "Set up another program's agent"}));
        takePictures(world.window, "models-offer");
        // The one before was closed from the settings: its docks were away for them alone.
        QVERIFY(world.window.find<Dock>("agentDock")->isVisible());
        QVERIFY(world.actions().tuneModels().front()->isEnabled());
        world.actions().commands->trigger();
        auto *list = world.window.find<QListView>("paletteRows");
        QTRY_VERIFY(list->isVisible());
        auto *field = world.window.find<QWidget>("paletteField");
        QTest::keyClicks(field, QStringLiteral("qwen"));
        QCOMPARE(list->model()->index(0, 0).data().toString(), QStringLiteral("Let qwen tune"));
        QTest::keyClick(field, Qt::Key_Escape);
        bool isInMenu = false;
        for (const QMenu *menu : world.window.window->findChildren<QMenu *>())
            isInMenu = isInMenu || menu->actions().contains(world.actions().tuneModels().front());
        QVERIFY(isInMenu);
    }

    // It would break off after the first answer that is paid for.
    void aLimitOfCostNeedsPrices() {
        ModelsWorld world;
        ModelProfile profile = m_server->profile(Dialect::OpenAiChat, QStringLiteral("silent"));
        for (const bool hasPrices : {false, true}) {
            profile.name = hasPrices ? QStringLiteral("priced") : QStringLiteral("free-of-words");
            if (hasPrices)
                profile.prices.in = profile.prices.out = 1;
            QVERIFY(world.setUp(profile));
        }
        world.window.reopen();
        QVERIFY(world.window.open(world.window.folder));
        QTRY_COMPARE(world.actions().tuneModels().size(), 2);
        RunBudgets budgets;
        budgets.cost = 5;
        world.agent().setNextBudgets(budgets);
        QTRY_VERIFY(world.actions().tuneModels().front()->isEnabled());
        world.trigger(world.actions().tuneModels().front());
        QTRY_VERIFY2(world.window.toasts().contains(QStringLiteral("No prices are set for the model")),
                     qPrintable(world.window.toasts()));
        QVERIFY(!world.agent().isRunning());
        // While one runs, the field says so.
        world.agent().setNextBudgets({});
        world.trigger(world.actions().tuneModels().front());
        QTRY_VERIFY(world.agent().isRunning());
        world.window.window->resize(1280, 720); // as in the picture
        world.trigger(world.actions().budgets);
        auto *cost = world.window.find<QLineEdit>("budgetCost");
        QVERIFY(cost->isVisible());
        QVERIFY(!cost->isEnabled());
        takePictures(world.window, "budgets-no-prices");
        QTest::keyClick(world.window.find<QLineEdit>("budgetTokens"), Qt::Key_Escape);
        QVERIFY(world.stop());
        world.agent().setNextBudgets(budgets);
        QTRY_VERIFY(world.actions().tuneModels().back()->isEnabled());
        world.trigger(world.actions().tuneModels().back());
        QTRY_VERIFY(world.agent().isRunning());
        QVERIFY(world.stop());
    }

    // The whole way: a model that is set up reads, edits and submits; what it did is reviewed, and goes on in
    // another window, also with another model where the first is not set up any more.
    void oneTunesTheWorkspace_data() {
        QTest::addColumn<bool>("isRenamed");
        QTest::newRow("goes on itself") << false;
        QTest::newRow("another goes on") << true;
    }
    void oneTunesTheWorkspace() {
        QFETCH(bool, isRenamed);
        if (!agentForms().contains(QStringLiteral("model:NAME")))
            QSKIP("this version makes no model agents");
        const auto call = [](const char *tool, const Json &arguments) {
            return Json{{"name", tool}, {"arguments", arguments.dump()}};
        };
        const Json changed = Json::array({Json{
            {"old", "#include <cmath>"}, {"new", "#include <cmath>\n// fake judge: times=80,220,150"}}});
        const ModelServer server(Json::array(
            {{{"thinking", "The gate is read twice."},
              {"text", "I read the kernel first."},
              {"calls", Json::array({call("read", {{"path", "kernels/gate.cpp"}})})}},
             {{"calls", Json::array({call("edit", {{"path", "kernels/gate.cpp"}, {"edits", changed}})})}},
             {{"calls",
               Json::array({call("submit", {{"title", "one pass"}, {"reason", "It is shorter."}})})}}}));
        ModelsWorld world;
        ModelProfile profile = server.profile(Dialect::OpenAiChat, QStringLiteral("turns"));
        profile.name = QStringLiteral("qwen");
        QVERIFY(world.setUp(profile));
        world.window.reopen();
        QVERIFY(world.window.open(world.window.folder));
        QTRY_COMPARE(world.actions().tuneModels().size(), 1);
        QTRY_VERIFY(world.actions().tuneModels().front()->isEnabled());
        world.trigger(world.actions().tuneModels().front());
        QVERIFY2(world.waitsForReview(), qPrintable(world.said() + world.window.toasts()));
        const Proposal first = world.session()->review()->proposal();
        QCOMPARE(first.author, (Author{AuthorKind::Model, QStringLiteral("qwen")}));
        QCOMPARE(first.title, QStringLiteral("one pass"));
        QVERIFY2(world.said().contains(QStringLiteral("qwen: I read the kernel first.")),
                 qPrintable(world.said()));
        QStringList called;
        for (int row = 0; row < world.panel().events().rowCount(); ++row)
            if (world.panel().events().event(row).kind == AgentEvent::Tool)
                called << world.panel().events().event(row).name;
        QCOMPARE(called, QStringList({"read", "edit", "submit"}));
        QVERIFY(world.isMeasured());
        takePictures(world.window, "model-run");
        // Left as it stands, another window offers to go on with it.
        QVERIFY(world.stop());
        QVERIFY(!isRenamed || world.rename(QStringLiteral("qwen"), QStringLiteral("other")));
        world.window.reopen();
        QVERIFY(world.window.open(world.window.folder));
        QTRY_VERIFY_WITH_TIMEOUT(world.actions().continueRun->isEnabled(), 30000);
        world.trigger(world.actions().continueRun);
        if (isRenamed) {
            const auto goOn = [&world] {
                return world.window.window->findChild<QAction *>(QStringLiteral("goOnWith-other"));
            };
            QTRY_VERIFY_WITH_TIMEOUT(goOn() != nullptr, 30000);
            QVERIFY2(world.window.toasts().contains(QStringLiteral("it was by model:qwen")),
                     qPrintable(world.window.toasts()));
            goOn()->trigger();
        }
        QVERIFY2(world.waitsForReview(), qPrintable(world.said() + world.window.toasts()));
        QCOMPARE(world.session()->review()->proposal().title, QStringLiteral("one pass"));
        QVERIFY(world.answerAllAndGoOn(world.actions().acceptAllHunks));
        QTRY_VERIFY_WITH_TIMEOUT(world.onDisk().contains("times=80"), 60000);
        QVERIFY(world.stop());
        // Below the conversation stands what comes next; who writes on is answered.
        const auto *choices = world.window.window->findChild<QWidget *>(QStringLiteral("runChoices"));
        QTRY_VERIFY(choices->isVisible());
        const auto offered = [choices] {
            QStringList words;
            for (const auto *button : choices->findChildren<QAbstractButton *>())
                words << button->text();
            return words;
        };
        QTRY_VERIFY2(offered().contains(QStringLiteral("Let %1 tune").arg(isRenamed ? "other" : "qwen")),
                     qPrintable(offered().join(u',')));
        takePictures(world.window, "model-ended");
        auto *box = world.window.window->findChild<QPlainTextEdit *>(QStringLiteral("messageBox"));
        QVERIFY2(box->placeholderText().contains(QStringLiteral("another run begins")),
                 qPrintable(box->placeholderText()));
        box->setPlainText(QStringLiteral("Try four rows at once."));
        QTest::keyClick(box, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(world.session() != nullptr, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(world.said().contains(QStringLiteral("you: Try four rows at once.")), 30000);
        QVERIFY(world.stop());
    }

private:
    std::unique_ptr<ModelServer> m_server;
};

QObject *makeTestModels() {
    return new TestModels;
}
#include "tst_models.moc"
