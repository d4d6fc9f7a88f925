// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/model_form.h"

#include "app/ide/setting_row.h"
#include "widgets/action_button.h"
#include "widgets/look.h"

#include <QComboBox>
#include <QLineEdit>

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
    qint64 tokens(const QLineEdit *field, const QString &name) {
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
    std::optional<double> number(const QLineEdit *field, const QString &name) {
        const QString text = field->text().trimmed();
        if (text.isEmpty())
            return std::nullopt;
        bool isNumber = false;
        const double value = text.toDouble(&isNumber);
        if (!isNumber)
            complain(field, name, ModelForm::tr("a number, or empty"));
        return value;
    }
    QMap<QString, QString> headers(const QLineEdit *field, const QString &name) {
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

private:
    void complain(const QLineEdit *field, const QString &name, const QString &wanted) {
        if (m_problem.isEmpty())
            m_problem =
                ModelForm::tr("%1 is «%2». It has to be %3.").arg(name, field->text().trimmed(), wanted);
    }

    QString m_problem;
};

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
    m_model = addField(QStringLiteral("Model"), tr("Model"), tr("As the endpoint calls it"),
                       QStringLiteral("qwen3-coder:30b"), profile.model);
    addKey();
    addNumbers();
    addButtons(tr("More: prices, temperature, effort, headers"));
    showKeyField();
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
    m_key->setPlaceholderText(tr("Type or paste the key"));
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
    m_effort = addField(QStringLiteral("Effort"), tr("Effort"), tr("How much it thinks; empty: as it likes"),
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
}

// setText() forgets what undo would bring back.
void ModelForm::takeKey() {
    const QString key = m_key->text().trimmed();
    m_key->setText({});
    if (key.isEmpty() || keySource().kind != KeySource::Kind::Keyring)
        return;
    if (entryName().isEmpty())
        return sayKey(false, tr("The key was not stored: give the model a name first, then type it again."));
    emit keyTyped(entryName(), key);
}

void ModelForm::sayKey(bool isStored, const QString &text) {
    m_keyRow->say({isStored, text});
    if (isStored)
        m_key->setPlaceholderText(tr("Stored; another one takes its place"));
}

QString ModelForm::entryName() const {
    const bool hasEntry = m_before.key.kind == KeySource::Kind::Keyring && !m_before.key.name.isEmpty();
    return hasEntry ? m_before.key.name : m_name->text().trimmed();
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

Result<ModelProfile> ModelForm::profile() const {
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
        return Result<ModelProfile>::error(reading.problem());
    if (const QString why = whyBadProfile(profile); !why.isEmpty())
        return Result<ModelProfile>::error(tr("This is no model yet: %1.").arg(why));
    return Result<ModelProfile>::ok(profile);
}

} // namespace warpwright
