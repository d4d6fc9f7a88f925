// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/model_form.h"

#include "app/ide/settings/setting_row.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QComboBox>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStringListModel>
#include <QUrl>

#include <cmath>

namespace warpwright {
namespace {

QString numberOf(const std::optional<double> &value) {
    return value ? QString::number(*value, 'g', 10) : QString();
}

QString headersText(const QMap<QString, QString> &headers) {
    QStringList lines;
    for (auto header = headers.cbegin(); header != headers.cend(); ++header)
        lines << header.key() + QStringLiteral(": ") + header.value();
    return lines.join(QStringLiteral("; "));
}

/// Reads fields one after the other, and keeps the first that cannot be read.
class Reading {
public:
    /// "128000", "128,000", "128k".
    qint64 tokens(QLineEdit *field, const QString &name) {
        QString text = field->text().trimmed().remove(u',').remove(u' ').toLower();
        qint64 unit = 1;
        if (text.endsWith(u'k') || text.endsWith(u'm')) {
            unit = text.endsWith(u'k') ? 1000 : 1'000'000;
            text.chop(1);
        }
        bool isNumber = false;
        const double value = text.toDouble(&isNumber) * static_cast<double>(unit);
        if (!isNumber || !(value >= 1 && value < 1e12)) {
            complain(field, name, ModelForm::tr("a number of tokens, as 128,000 or 128k"));
            return 0;
        }
        return std::llround(value);
    }
    std::optional<double> number(QLineEdit *field, const QString &name) {
        const QString text = field->text().trimmed();
        if (text.isEmpty())
            return std::nullopt;
        bool isNumber = false;
        const double value = text.toDouble(&isNumber);
        if (!isNumber)
            complain(field, name, ModelForm::tr("a number, or empty"));
        return value;
    }
    QMap<QString, QString> headers(QLineEdit *field, const QString &name) {
        QMap<QString, QString> headers;
        for (const QString &part : field->text().split(u';', Qt::SkipEmptyParts)) {
            const QString key = part.section(u':', 0, 0).trimmed();
            if (!part.contains(u':') || key.isEmpty())
                complain(field, name, ModelForm::tr("headers as «name: value; name: value», or empty"));
            else
                headers[key] = part.section(u':', 1).trimmed();
        }
        return headers;
    }
    [[nodiscard]] const QString &problem() const { return m_problem; }
    [[nodiscard]] QLineEdit *field() const { return m_field; }

private:
    void complain(QLineEdit *field, const QString &name, const QString &wanted) {
        if (!m_problem.isEmpty())
            return;
        m_problem = ModelForm::tr("%1 is «%2». It has to be %3.").arg(name, field->text().trimmed(), wanted);
        m_field = field;
    }

    QString m_problem;
    QLineEdit *m_field = nullptr;
};

/// As such an endpoint calls one of its models.
QString exampleOf(const QString &url, Dialect dialect) {
    const QUrl address(url);
    for (const auto &[host, name] :
         {std::pair{"api.openai.com", "gpt-5"}, std::pair{"api.anthropic.com", "claude-sonnet-4-5"},
          std::pair{"openrouter.ai", "qwen/qwen3-coder"}})
        if (address.host() == QLatin1String(host))
            return QString::fromLatin1(name);
    if (dialect == Dialect::Anthropic)
        return QStringLiteral("claude-sonnet-4-5");
    const bool isOllama = address.port() == 11434;
    return isOllama ? QStringLiteral("qwen3-coder:30b") : QStringLiteral("Qwen/Qwen3-Coder-30B-A3B-Instruct");
}

} // namespace

ModelForm::ModelForm(const Look &look, const ModelProfile &profile, QWidget *parent)
    : ProfileForm(look, QStringLiteral("model"), parent), m_before(profile) {
    m_name = addField(QStringLiteral("Name"), tr("Name"), tr("As it is offered: «Let NAME tune»"),
                      QStringLiteral("qwen"), profile.name);
    m_url = addField(QStringLiteral("Url"), tr("Address"), tr("With its version, without what follows"),
                     QStringLiteral("https://api.example.com/v1"), profile.baseUrl);
    m_dialect = new QComboBox;
    m_dialect->setFocusPolicy(Qt::StrongFocus);
    for (const Dialect dialect : {Dialect::OpenAiChat, Dialect::OpenAiResponses, Dialect::Anthropic})
        m_dialect->addItem(dialect == Dialect::OpenAiChat        ? tr("Chat Completions: most servers")
                           : dialect == Dialect::OpenAiResponses ? tr("Responses: OpenAI")
                                                                 : tr("Messages: Anthropic"),
                           static_cast<int>(dialect));
    m_dialect->setCurrentIndex(m_dialect->findData(static_cast<int>(profile.dialect)));
    addRow(QStringLiteral("Dialect"), tr("Dialect"), tr("How it is spoken to"), m_dialect);
    addModel();
    addKey();
    addNumbers();
    addButtons(tr("More: prices, temperature, effort, headers"));
    showKeyField();
}

void ModelForm::addModel() {
    m_model =
        addField(QStringLiteral("Model"), tr("Model"), tr("As the endpoint calls it"), {}, m_before.model);
    m_models = new QStringListModel(this);
    auto *completer = new QCompleter(m_models, m_model);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    m_model->setCompleter(completer);
    m_model->installEventFilter(this);
    connect(completer, qOverload<const QString &>(&QCompleter::activated), this, &ModelForm::forgetWords);
    connect(m_dialect, &QComboBox::currentIndexChanged, this, &ModelForm::showExample);
    connect(m_url, &QLineEdit::textChanged, this, &ModelForm::showExample);
    connect(m_url, &QLineEdit::editingFinished, this, [this] { askForModels(); });
    showExample();
}

void ModelForm::showExample() {
    m_model->setPlaceholderText(
        exampleOf(m_url->text().trimmed(), static_cast<Dialect>(m_dialect->currentData().toInt())));
}

// `mayUnlock`: the keyring may ask the person to unlock it, so it is read where the model is to be named.
void ModelForm::askForModels(bool mayUnlock) {
    ModelProfile asked;
    asked.baseUrl = m_url->text().trimmed();
    asked.dialect = static_cast<Dialect>(m_dialect->currentData().toInt());
    asked.key = keySource();
    asked.name = asked.model = QStringLiteral("m");
    const QString &entry = asked.key.name;
    const bool hasKey = asked.key.kind == KeySource::Kind::None ||
                        (asked.key.kind == KeySource::Kind::Environment &&
                         !qEnvironmentVariableIsEmpty(entry.toUtf8().constData())) ||
                        (asked.key.kind == KeySource::Kind::Keyring && !entry.isEmpty() &&
                         (entry == m_entry || (mayUnlock && asked.key == m_before.key)));
    if (!hasKey || asked == m_asked || !whyBadProfile(asked).isEmpty())
        return;
    showModels({});
    m_asked = asked;
    emit modelsAsked(asked);
}

void ModelForm::offerModels(const ModelProfile &of, const QStringList &models) {
    if (of != m_asked)
        return; // address or key are others now
    showModels(models);
    if (models.isEmpty())
        m_asked = {}; // its server may be started meanwhile
    else if (m_model->hasFocus() && m_model->text().isEmpty())
        m_showModels->trigger();
}

void ModelForm::showModels(const QStringList &models) {
    m_models->setStringList(models);
    delete m_showModels;
    m_showModels = nullptr;
    if (models.isEmpty())
        return showExample();
    m_model->setPlaceholderText(tr("One of %1: choose, or type").arg(models.size()));
    m_showModels =
        m_model->addAction(look().icon(QStringLiteral("chevron-down")), QLineEdit::TrailingPosition);
    m_showModels->setToolTip(tr("What this endpoint has"));
    connect(m_showModels, &QAction::triggered, this, [this] {
        m_model->setFocus(Qt::OtherFocusReason);
        m_model->completer()->setCompletionPrefix({});
        m_model->completer()->complete();
    });
}

bool ModelForm::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::FocusIn)
        askForModels(true);
    // As in a drop-down list; what is typed narrows it.
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Down &&
        m_showModels != nullptr) {
        m_showModels->trigger();
        return true;
    }
    return ProfileForm::eventFilter(watched, event);
}

void ModelForm::addKey() {
    m_keyKind = new QComboBox;
    m_keyKind->setFocusPolicy(Qt::StrongFocus);
    m_keyKind->addItem(tr("No key"), static_cast<int>(KeySource::Kind::None));
    m_keyKind->addItem(tr("In an environment variable"), static_cast<int>(KeySource::Kind::Environment));
    m_keyKind->addItem(tr("In the desktop's keyring"), static_cast<int>(KeySource::Kind::Keyring));
    m_keyKind->setCurrentIndex(m_keyKind->findData(static_cast<int>(m_before.key.kind)));
    m_keyRow = addRow(QStringLiteral("KeyKind"), tr("Key"), tr("Where it is; in no file of ours"), m_keyKind);
    m_variable = new QLineEdit(m_keyRow);
    m_variable->setObjectName(QStringLiteral("modelKeyVariable"));
    m_variable->setPlaceholderText(QStringLiteral("OPENAI_API_KEY"));
    m_variable->setAccessibleName(tr("Name of the variable that holds the key"));
    m_variable->setTextMargins(look().px(4), 0, look().px(4), 0);
    if (m_before.key.kind == KeySource::Kind::Environment)
        m_variable->setText(m_before.key.name);
    m_key = new QLineEdit(m_keyRow);
    m_key->setObjectName(QStringLiteral("modelKey"));
    m_key->setEchoMode(QLineEdit::Password);
    const bool hasEntry = m_before.key.kind == KeySource::Kind::Keyring;
    m_key->setPlaceholderText(hasEntry ? tr("Type to replace it") : tr("Type or paste the key"));
    m_key->setAccessibleName(tr("Key, to be stored in the keyring"));
    m_key->setTextMargins(look().px(4), 0, look().px(4), 0);
    m_storeKey = new ActionButton(look(), ActionButton::Kind::Plain, m_keyRow);
    m_storeKey->setObjectName(QStringLiteral("storeKey"));
    m_storeKey->setText(tr("Store"));
    for (QLineEdit *field : {m_variable, m_key})
        field->setMinimumWidth(look().px(220));
    for (QWidget *part : std::initializer_list<QWidget *>{m_variable, m_key, m_storeKey})
        m_keyRow->addBeside(part);
    connect(m_keyKind, &QComboBox::currentIndexChanged, this, &ModelForm::showKeyField);
    connect(m_key, &QLineEdit::returnPressed, this, &ModelForm::takeKey);
    connect(m_storeKey, &QAbstractButton::clicked, this, &ModelForm::takeKey);
    connect(m_key, &QLineEdit::textEdited, this, [this] { m_keyRow->say({}); });
    connect(m_variable, &QLineEdit::editingFinished, this, [this] { askForModels(); });
}

void ModelForm::addNumbers() {
    m_context = addField(QStringLiteral("Context"), tr("Context"), tr("Tokens that fit into its window"),
                         QStringLiteral("128000"), QString::number(m_before.contextTokens));
    m_answer = addField(QStringLiteral("Answer"), tr("Answer"), tr("Tokens of one answer, at most"),
                        QStringLiteral("16384"), QString::number(m_before.answerTokens));
    m_priceIn = addField(QStringLiteral("PriceIn"), tr("Prices"),
                         tr("A million tokens in, cached, out; the currency"), tr("in"),
                         numberOf(m_before.prices.in));
    auto *prices = static_cast<SettingRow *>(m_priceIn->parentWidget());
    const auto beside = [&](const QString &id, const QString &placeholder, const QString &text) {
        auto *field = new QLineEdit(text, prices);
        field->setObjectName(QStringLiteral("model") + id);
        field->setPlaceholderText(placeholder);
        field->setAccessibleName(tr("Price, %1").arg(placeholder));
        field->setTextMargins(look().px(4), 0, look().px(4), 0);
        prices->addBeside(field);
        return field;
    };
    m_priceCached = beside(QStringLiteral("PriceCached"), tr("cached"), numberOf(m_before.prices.cached));
    m_priceOut = beside(QStringLiteral("PriceOut"), tr("out"), numberOf(m_before.prices.out));
    m_currency = beside(QStringLiteral("Currency"), tr("currency"), m_before.prices.currency);
    foldAway(m_priceIn);
    m_temperature = addField(QStringLiteral("Temperature"), tr("Temperature"), tr("0 to 2; empty: its own"),
                             {}, numberOf(m_before.temperature));
    foldAway(m_temperature);
    m_effort = addField(QStringLiteral("Effort"), tr("Effort"), tr("Reasoning effort; empty: its default"),
                        tr("low, medium, high"), m_before.effort);
    foldAway(m_effort);
    m_headers = addField(QStringLiteral("Headers"), tr("Headers"), tr("Besides ours; never a key"),
                         QStringLiteral("X-Title: Warpwright"), headersText(m_before.headers));
    foldAway(m_headers);
}

void ModelForm::showAddressForm(const QString &form) {
    m_url->setPlaceholderText(form);
}

void ModelForm::showKeyField() {
    const auto kind = static_cast<KeySource::Kind>(m_keyKind->currentData().toInt());
    m_variable->setVisible(kind == KeySource::Kind::Environment);
    m_key->setVisible(kind == KeySource::Kind::Keyring);
    m_storeKey->setVisible(kind == KeySource::Kind::Keyring);
    m_keyRow->say({});
    // What is said of it comes a moment later: the buttons stay where they are.
    m_keyRow->setKeepsRoom(kind == KeySource::Kind::Keyring);
    askForModels();
}

// setText() forgets what undo would bring back.
void ModelForm::takeKey() {
    const QString key = m_key->text().trimmed();
    if (key.isEmpty() || keySource().kind != KeySource::Kind::Keyring)
        return;
    if (entryName().isEmpty())
        return sayWrong(m_name, tr("Name is empty, and the key is stored under it. Give one first."));
    m_key->setText({});
    m_entryAsked = entryName();
    emit keyTyped(m_entryAsked, key);
}

void ModelForm::sayKey(bool isStored, const QString &text) {
    if (isStored) {
        forgetWords(); // they may be of the key that was missing
        m_entry = m_entryAsked;
        m_key->setPlaceholderText(tr("Stored; type to replace it"));
    }
    m_keyRow->say({isStored, text});
    if (isStored)
        askForModels();
}

// A key that was stored here stays where it is when the model's name changes.
QString ModelForm::entryName() const {
    const bool hasEntry = m_before.key.kind == KeySource::Kind::Keyring && !m_before.key.name.isEmpty();
    return hasEntry ? m_before.key.name : m_entry.isEmpty() ? m_name->text().trimmed() : m_entry;
}

KeySource ModelForm::keySource() const {
    const auto kind = static_cast<KeySource::Kind>(m_keyKind->currentData().toInt());
    switch (kind) {
    case KeySource::Kind::Environment:
        return {kind, m_variable->text().trimmed()};
    case KeySource::Kind::Keyring:
        return {kind, entryName()};
    case KeySource::Kind::None:
        break;
    }
    return {};
}

struct ModelForm::Read {
    ModelProfile profile;
    QString problem;
    QLineEdit *wrong = nullptr; ///< none: it is right, or not one field alone
};

ModelForm::Read ModelForm::read() const {
    ModelProfile profile = m_before; // with what a newer version has in it
    Reading reading;
    profile.name = m_name->text().trimmed();
    profile.baseUrl = m_url->text().trimmed();
    profile.dialect = static_cast<Dialect>(m_dialect->currentData().toInt());
    profile.model = m_model->text().trimmed();
    profile.key = keySource();
    profile.contextTokens = reading.tokens(m_context, tr("Context"));
    profile.answerTokens = reading.tokens(m_answer, tr("Answer"));
    profile.prices.in = reading.number(m_priceIn, tr("The price in"));
    profile.prices.cached = reading.number(m_priceCached, tr("The cached price"));
    profile.prices.out = reading.number(m_priceOut, tr("The price out"));
    profile.prices.currency = m_currency->text().trimmed();
    profile.temperature = reading.number(m_temperature, tr("Temperature"));
    profile.effort = m_effort->text().trimmed();
    profile.headers = reading.headers(m_headers, tr("Headers"));
    if (!reading.problem().isEmpty())
        return {profile, reading.problem(), reading.field()};
    if (whyBadProfile(profile).isEmpty())
        return {profile, {}, nullptr};
    QLineEdit *wrong = fieldOf(profile);
    return {profile, whyBad(profile, wrong), wrong};
}

Result<ModelProfile> ModelForm::profile() const {
    const Read now = read();
    return now.problem.isEmpty() ? Result<ModelProfile>::ok(now.profile)
                                 : Result<ModelProfile>::error(now.problem);
}

QLineEdit *ModelForm::wrongField() const {
    return read().wrong;
}

// The first that spoils a model which is sound otherwise.
QLineEdit *ModelForm::fieldOf(const ModelProfile &bad) const {
    ModelProfile sound;
    sound.name = sound.model = QStringLiteral("m");
    sound.baseUrl = QStringLiteral("http://127.0.0.1/v1");
    sound.answerTokens = 16;
    using Take = void (*)(ModelProfile & to, const ModelProfile &from);
    const std::pair<QLineEdit *, Take> fields[] = {
        {m_name,
         [](ModelProfile &to, const ModelProfile &from) {
             to.name = from.name;
         }},
        {m_url,
         [](ModelProfile &to, const ModelProfile &from) {
             to.baseUrl = from.baseUrl;
         }},
        {m_model,
         [](ModelProfile &to, const ModelProfile &from) {
             to.model = from.model;
         }},
        {bad.key.kind == KeySource::Kind::Environment ? m_variable : m_name,
         [](ModelProfile &to, const ModelProfile &from) {
             to.key = from.key;
         }},
        {m_context,
         [](ModelProfile &to, const ModelProfile &from) {
             to.contextTokens = from.contextTokens;
         }},
        {m_answer,
         [](ModelProfile &to, const ModelProfile &from) {
             to.contextTokens = from.contextTokens;
             to.answerTokens = from.answerTokens;
         }},
        {m_priceIn,
         [](ModelProfile &to, const ModelProfile &from) {
             to.prices.in = from.prices.in;
         }},
        {m_priceCached,
         [](ModelProfile &to, const ModelProfile &from) {
             to.prices.cached = from.prices.cached;
         }},
        {m_priceOut,
         [](ModelProfile &to, const ModelProfile &from) {
             to.prices.out = from.prices.out;
         }},
        {m_temperature,
         [](ModelProfile &to, const ModelProfile &from) {
             to.temperature = from.temperature;
         }},
        {m_headers,
         [](ModelProfile &to, const ModelProfile &from) {
             to.headers = from.headers;
         }},
    };
    for (const auto &[field, take] : fields) {
        ModelProfile one = sound;
        take(one, bad);
        if (!whyBadProfile(one).isEmpty())
            return field;
    }
    return nullptr;
}

QString ModelForm::whyBad(const ModelProfile &bad, const QLineEdit *field) const {
    if (field != nullptr && field->text().trimmed().isEmpty())
        for (const auto &[empty, words] :
             {std::pair{
                  m_name,
                  tr("Name is empty. It has to be 1 to 64 letters, digits, dots, dashes, underscores.")},
              std::pair{m_url, tr("Address is empty. It has to be one like https://api.openai.com/v1.")},
              std::pair{m_model, tr("Model is empty: it does not say which model of the endpoint is meant.")},
              std::pair{m_variable, tr("The variable has no name. It has to be one like OPENAI_API_KEY.")}})
            if (field == empty)
                return words;
    return tr("This is no model yet: %1.").arg(whyBadProfile(bad));
}

} // namespace warpwright
