// SPDX-License-Identifier: GPL-3.0-or-later
// Forms of models and agents on the settings page: Escape, what is wrong and where, what stays where it is.
#include "app/ide/kit/actions.h"
#include "app/ide/settings/agents_table.h"
#include "app/ide/settings/finding_line.h"
#include "app/ide/settings/model_form.h"
#include "app/ide/settings/models_table.h"
#include "app/ide/settings/setting_row.h"
#include "app/ide/settings/settings_page.h"
#include "tests/ide/pages/page_world.h"
#include "tests/toolchain/scratch.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

constexpr const char *nowhere = "http://127.0.0.1:9/v1"; // nobody listens there

/// A settings page with the form of a new model.
struct FormWorld {
    explicit FormWorld(const char *endpoint = "OpenAI")
        : page(houseLook(), scratch.folders(), actions.all()) {
        showAt(page, 1280, 720);
        page.activateWindow();
        if (endpoint != nullptr)
            page.models().findChild<QAction *>(QStringLiteral("add-") + QLatin1String(endpoint))->trigger();
        QTest::qWait(20); // it is laid out, and in sight
    }
    [[nodiscard]] ModelForm *form() const { return page.findChild<ModelForm *>(); }
    [[nodiscard]] QLineEdit *field(const char *name) const {
        return page.findChild<QLineEdit *>(QLatin1String(name));
    }
    void type(const char *name, const QString &text) const {
        field(name)->setFocus();
        field(name)->selectAll();
        if (text.isEmpty())
            QTest::keyClick(field(name), Qt::Key_Delete);
        else
            QTest::keyClicks(field(name), text);
    }
    [[nodiscard]] QAbstractButton *button(const char *name) const {
        return form()->findChild<QAbstractButton *>(QLatin1String(name));
    }
    void press(const char *name) const { button(name)->click(); }
    [[nodiscard]] SettingRow *rowOf(const char *name) const {
        return qobject_cast<SettingRow *>(field(name)->parentWidget());
    }

    Scratch scratch;
    Actions actions;
    SettingsPage page;
};

} // namespace

class TestProfileForms : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void escapeInAnOpenListClosesThatAlone() {
        FormWorld world;
        const QSignalSpy closed(&world.page, &SettingsPage::closed);
        auto *box = child<QComboBox>(*world.form(), "modelDialect");
        box->setFocus();
        box->showPopup();
        QTRY_VERIFY(box->view()->isVisible());
        QTest::keyClick(box->view(), Qt::Key_Escape);
        QTRY_VERIFY(!box->view()->isVisible());
        QVERIFY(closed.isEmpty());
        QVERIFY(world.form() != nullptr && world.form()->isVisible());
    }

    void listsHaveRowsAsHighAsOtherControls() {
        FormWorld world;
        for (const auto *box : world.page.findChildren<QComboBox *>())
            QVERIFY2(box->view()->sizeHintForRow(0) >= houseLook().px(28), qPrintable(box->objectName()));
    }

    void escapeInAFormIsCancelAndAsksForWhatWasTyped() {
        FormWorld world;
        const QSignalSpy closed(&world.page, &SettingsPage::closed);
        world.field("modelName")->setFocus();
        QTest::keyClick(world.field("modelName"), Qt::Key_Escape);
        QTRY_VERIFY(world.form() == nullptr);
        QVERIFY(closed.isEmpty());
        world.page.models().findChild<QAction *>(QStringLiteral("add-OpenAI"))->trigger();
        world.type("modelModel", QStringLiteral("gpt"));
        QTest::keyClick(world.field("modelModel"), Qt::Key_Escape);
        QCOMPARE(world.field("modelModel")->text(), QStringLiteral("gpt"));
        QVERIFY(world.form()->finding().said().contains(QStringLiteral("not saved")));
        // Whoever types on does not want to drop it: it is asked anew.
        world.type("modelModel", QStringLiteral("gpt-5"));
        QVERIFY(world.form()->finding().said().isEmpty());
        QTest::keyClick(world.field("modelModel"), Qt::Key_Escape);
        QVERIFY(world.form() != nullptr);
        QTest::keyClick(world.field("modelModel"), Qt::Key_Escape);
        QTRY_VERIFY(world.form() == nullptr);
        QVERIFY(closed.isEmpty());
        QTest::keyClick(&world.page, Qt::Key_Escape);
        QCOMPARE(closed.size(), 1);
    }

    void enterPressesAButtonThatHasTheFocus() {
        FormWorld world;
        QTest::keyClick(world.button("cancelForm"), Qt::Key_Return);
        QTRY_VERIFY(world.form() == nullptr);
    }

    void whatIsWrongStandsAtItsField_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *text, const char *words) {
            QTest::addRow("%s=%s", name, text)
                << QString::fromLatin1(name) << QString::fromLatin1(text) << QString::fromUtf8(words);
        };
        row("modelName", "", "Name is empty");
        row("modelName", "two words", "\"two words\"");
        row("modelUrl", "", "Address is empty");
        row("modelUrl", "ftp://x", "ftp://x");
        row("modelModel", "", "Model is empty");
        row("modelKeyVariable", "", "The variable has no name");
        row("modelContext", "many", "Context is «many»");
        row("modelAnswer", "900000", "900000");
        row("modelPriceOut", "dear", "The price out is «dear»");
        row("modelTemperature", "7", "temperature 7");
        row("modelHeaders", "Authorization: me", "Authorization");
    }
    void whatIsWrongStandsAtItsField() {
        QFETCH(const QString, name);
        QFETCH(const QString, text);
        QFETCH(const QString, words);
        const QByteArray id = name.toLatin1();
        FormWorld world;
        world.press("moreOfProfile");
        for (const auto &[field, sound] : {std::pair{"modelName", "m"}, std::pair{"modelModel", "m"}})
            world.type(field, QString::fromLatin1(sound));
        world.type(id.constData(), text);
        world.press("moreOfProfile"); // folded again: the field comes into sight by itself
        for (const char *button : {"saveForm", "tryForm"}) {
            world.button("cancelForm")->setFocus();
            world.press(button);
            QVERIFY2(world.rowOf(id.constData())->said().contains(words),
                     qPrintable(world.rowOf(id.constData())->said()));
            QTRY_VERIFY(world.field(id.constData())->hasFocus());
            QVERIFY(world.field(id.constData())->isVisible());
            QVERIFY(world.field(id.constData())->property("isBad").toBool());
        }
        // It is no longer so.
        world.type(id.constData(), QStringLiteral("x"));
        QVERIFY(world.rowOf(id.constData())->said().isEmpty());
        QVERIFY(!world.field(id.constData())->property("isBad").toBool());
    }

    void buttonsStayWhereTheyAre() {
        FormWorld world;
        const auto place = [&world] {
            QTest::qWait(20);
            return world.button("saveForm")->mapTo(world.form(), QPoint()).y();
        };
        int before = place();
        world.form()->finding().say({false, QStringLiteral("long words ").repeated(40)});
        QCOMPARE(place(), before);
        auto *kind = child<QComboBox>(*world.form(), "modelKeyKind");
        kind->setCurrentIndex(kind->findData(static_cast<int>(KeySource::Kind::Keyring)));
        QVERIFY(world.form()->finding().said().isEmpty()); // it was of another key
        before = place();
        world.form()->sayKey(true, QStringLiteral("The key is in the keyring."));
        QCOMPARE(place(), before);
    }

    // Whatever became of it is said beside it; that none is there is no answer.
    void aTypedKeyIsStoredBeforeATrial() {
        FormWorld world;
        auto *kind = child<QComboBox>(*world.form(), "modelKeyKind");
        kind->setCurrentIndex(kind->findData(static_cast<int>(KeySource::Kind::Keyring)));
        world.type("modelName", QStringLiteral("warpwright-test"));
        world.type("modelUrl", QLatin1String(nowhere));
        world.type("modelModel", QStringLiteral("m"));
        world.type("modelKey", QStringLiteral("sk-typed"));
        QSignalSpy typed(world.form(), &ModelForm::keyTyped);
        world.press("tryForm");
        QCOMPARE(typed.size(), 1);
        QVERIFY(world.field("modelKey")->text().isEmpty());
        QCOMPARE(world.button("tryForm")->text(), QStringLiteral("Stop"));
        QTRY_VERIFY_WITH_TIMEOUT(!world.rowOf("modelKey")->said().isEmpty(), 30'000);
    }

    void aKeyThatWasStoredKeepsItsPlaceWhenTheNameChanges() {
        FormWorld world;
        auto *kind = child<QComboBox>(*world.form(), "modelKeyKind");
        kind->setCurrentIndex(kind->findData(static_cast<int>(KeySource::Kind::Keyring)));
        world.type("modelModel", QStringLiteral("m"));
        world.type("modelName", QString());
        world.type("modelKey", QStringLiteral("sk-typed"));
        // Kept until there is a name to store it under.
        const QSignalSpy typed(world.form(), &ModelForm::keyTyped);
        world.form()->disconnect(&world.page.models());
        world.press("storeKey");
        QVERIFY(world.field("modelName")->hasFocus());
        QCOMPARE(world.field("modelKey")->text(), QStringLiteral("sk-typed"));
        world.type("modelName", QStringLiteral("first"));
        world.press("storeKey");
        QCOMPARE(typed.size(), 1);
        QVERIFY(world.field("modelKey")->text().isEmpty());
        world.form()->sayKey(true, QStringLiteral("stored"));
        world.type("modelName", QStringLiteral("second"));
        QCOMPARE(world.form()->profile().value().key.name, QStringLiteral("first"));
    }

    void theModelIsOneOfTheEndpointsOrTyped() {
        FormWorld world("Another endpoint");
        auto *model = world.field("modelModel");
        QVERIFY(!model->placeholderText().isEmpty());
        // Here the test answers, and no server.
        QVERIFY(QObject::disconnect(world.form(), &ModelForm::modelsAsked, nullptr, nullptr));
        QSignalSpy asked(world.form(), &ModelForm::modelsAsked);
        world.type("modelUrl", QStringLiteral("https://api.anthropic.com/v1"));
        QVERIFY(model->placeholderText().startsWith(QStringLiteral("claude")));
        QVERIFY(asked.isEmpty()); // while it is typed nobody is asked
        world.type("modelUrl", QLatin1String(nowhere));
        QTest::keyClick(world.field("modelUrl"), Qt::Key_Tab);
        QCOMPARE(asked.size(), 1);
        const auto of = asked.front().front().value<ModelProfile>();
        QCOMPARE(of.baseUrl, QLatin1String(nowhere));
        ModelProfile other = of;
        other.baseUrl = QStringLiteral("http://127.0.0.1:8/v1");
        world.form()->offerModels(other, {QStringLiteral("late")});
        QCOMPARE(model->completer()->model()->rowCount(), 0);
        world.form()->offerModels(of, {QStringLiteral("big-coder"), QStringLiteral("small")});
        QVERIFY(model->placeholderText().contains(QStringLiteral("One of 2")));
        takePictures(world.page, QStringLiteral("model-choice"));
        model->setFocus();
        QTest::keyClick(model, Qt::Key_Down);
        QAbstractItemView *list = model->completer()->popup();
        QTRY_VERIFY(list->isVisible());
        QCOMPARE(list->model()->rowCount(), 2);
        QTest::keyClick(list, Qt::Key_Escape);
        QTRY_VERIFY(!list->isVisible());
        QVERIFY(world.form() != nullptr);
        QTest::keyClicks(model, QStringLiteral("code"));
        QTRY_VERIFY(list->isVisible());
        QCOMPARE(list->model()->rowCount(), 1);
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(model->text(), QStringLiteral("big-coder"));
    }

    void theListOfWhatCanBeSetUpOpensAtOnce() {
        FormWorld world(nullptr);
        for (ProfilesTable *table :
             std::initializer_list<ProfilesTable *>{&world.page.models(), &world.page.agents()}) {
            table->offerNew();
            auto *menu = table->findChild<QMenu *>();
            QTRY_VERIFY(menu->isVisible());
            menu->close();
        }
        world.page.models().findChild<QAction *>(QStringLiteral("add-Ollama"))->trigger();
        world.page.models().offerNew(); // what was begun comes first
        QTest::qWait(50);
        QVERIFY(!world.page.models().findChild<QMenu *>()->isVisible());
        QVERIFY(world.field("modelName")->hasFocus());
    }

    void looksAsItShould() {
        FormWorld world;
        world.type("modelModel", QString());
        world.press("saveForm");
        QTest::qWait(20);
        takePictures(world.page, QStringLiteral("model-form"));
    }
};

QObject *makeTestProfileForms() {
    return new TestProfileForms;
}

#include "tst_profile_forms.moc"
