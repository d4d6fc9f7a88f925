// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/setup/models_command.h"

#include "agent/endpoints/endpoint_trial.h"
#include "agent/endpoints/known_endpoints.h"
#include "agent/endpoints/model_profiles.h"
#include "app/cli/process/hidden_input.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/setup/models_options.h"
#include "toolchain/base/figures.h"
#include "toolchain/report/text_table.h"

#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

QString keyText(const KeySource &key) {
    switch (key.kind) {
    case KeySource::Kind::Environment:
        return QStringLiteral("$%1%2").arg(key.name,
                                           qEnvironmentVariableIsEmpty(key.name.toUtf8().constData())
                                               ? QStringLiteral(" (not set)")
                                               : QString());
    case KeySource::Kind::Keyring:
        return QStringLiteral("keyring");
    case KeySource::Kind::None:
        break;
    }
    return QStringLiteral("none");
}

void printJson(const Json &json) {
    print(STDOUT_FILENO, QString::fromUtf8(dumpJson(json, 2)) + QLatin1Char('\n'));
}

void printKnown(const Terminal &terminal) {
    TextTable table;
    table.heading({QStringLiteral("endpoint"), QStringLiteral("address"), QStringLiteral("key")});
    QString notes;
    for (const KnownEndpoint &endpoint : knownEndpoints()) {
        table.row({endpoint.name, endpoint.baseUrl.isEmpty() ? endpoint.addressForm : endpoint.baseUrl,
                   endpoint.keyVariable.isEmpty() ? QStringLiteral("none")
                                                  : QLatin1Char('$') + endpoint.keyVariable});
        if (!endpoint.toTurnOn.isEmpty())
            notes +=
                wrapped(QStringLiteral("%1: %2").arg(endpoint.name, endpoint.toTurnOn), terminal.columns, 2) +
                QLatin1Char('\n');
    }
    print(STDOUT_FILENO,
          QStringLiteral("No model is set up. Begin with one of these:\n\n%1\n%2\n"
                         "  wright models add NAME --like ENDPOINT --model MODEL\n  wright models try NAME\n")
              .arg(table.text(terminal, 0), notes));
}

int list(const CommandContext &context, const ModelProfiles &models) {
    if (context.asksJson) {
        Json list = Json::array();
        for (const ModelProfile &profile : models.profiles)
            list.push_back(modelProfileToJson(profile));
        printJson({{"schema", "warpwright.models/1"}, {"models", list}});
        return 0;
    }
    if (models.profiles.empty()) {
        printKnown(context.output);
        return 0;
    }
    TextTable table({4});
    table.heading({QStringLiteral("name"), QStringLiteral("model"), QStringLiteral("dialect"),
                   QStringLiteral("key"), QStringLiteral("context"), QStringLiteral("address")});
    for (const ModelProfile &profile : models.profiles) {
        const QString why = whyBadProfile(profile);
        table.row({printable(profile.name), printable(profile.model), dialectName(profile.dialect),
                   printable(keyText(profile.key)), numberText(static_cast<double>(profile.contextTokens)),
                   printable(why.isEmpty() ? profile.baseUrl : why)},
                  why.isEmpty() ? Ink::Plain : Ink::Bad);
    }
    print(STDOUT_FILENO, table.text(context.output, 0));
    return 0;
}

int tryOut(const CommandContext &context, const ModelProfile &profile) {
    QEventLoop loop;
    Interrupt interrupt;
    EndpointTrial trial(profile);
    int exitCode = 1;
    QObject::connect(&trial, &EndpointTrial::progress, &loop, [](const QString &words) {
        print(STDERR_FILENO, printable(words) + QLatin1Char('\n'));
    });
    QObject::connect(&trial, &EndpointTrial::finished, &loop, [&](const EndpointTrialOutcome &outcome) {
        if (context.asksJson) {
            Json json = trialToJson(outcome);
            json["schema"] = "warpwright.model-trial/1";
            json["model"] = toJson(profile.name);
            printJson(json);
        } else {
            print(STDOUT_FILENO,
                  inked(context.output, outcome.works ? Ink::Good : Ink::Bad, printable(outcome.line)) +
                      QLatin1Char('\n'));
        }
        exitCode = interrupt.hasStopped() ? 130 : outcome.works ? 0 : 1;
        loop.quit();
    });
    QObject::connect(&interrupt, &Interrupt::stopAsked, &trial, &EndpointTrial::cancel);
    // Not at once: the end may come before the loop turns.
    QMetaObject::invokeMethod(
        &trial, [&trial] { trial.start(); }, Qt::QueuedConnection);
    loop.exec();
    return exitCode;
}

int noSuchModel(const CommandContext &context, const QString &name) {
    return refuse(context, QStringLiteral("There is no model \"%1\": wright models lists those that are set "
                                          "up, wright models add sets one up.")
                               .arg(name));
}

int change(const CommandContext &context, const QString &file, const QString &words,
           const std::function<void(ModelProfiles &)> &edit) {
    const Result<ModelProfiles> changed = ModelProfiles::change(file, edit);
    if (!changed.hasValue())
        return refuse(context, changed.message());
    print(STDOUT_FILENO, words + QLatin1Char('\n'));
    return 0;
}

int add(const CommandContext &context, const ModelProfile &profile, const QString &file) {
    QString words = QStringLiteral("\"%1\" is set up.").arg(profile.name);
    if (profile.key.kind == KeySource::Kind::Keyring)
        words += QStringLiteral(" Now its key: wright models key %1").arg(profile.name);
    else
        words += QStringLiteral(" Try it: wright models try %1").arg(profile.name);
    for (const KnownEndpoint &endpoint : knownEndpoints())
        if (!endpoint.baseUrl.isEmpty() && endpoint.baseUrl == profile.baseUrl &&
            !endpoint.toTurnOn.isEmpty())
            words += QLatin1Char('\n') + endpoint.toTurnOn;
    return change(context, file, words, [&profile](ModelProfiles &models) { models.put(profile); });
}

/// Into the keyring, or out of it.
int key(const CommandContext &context, const ModelsOptions &asked, const QString &entry) {
    QString secret;
    if (!asked.removesKey) {
        const std::optional<QString> typed =
            readHiddenLine(QStringLiteral("Key of \"%1\" (not shown): ").arg(asked.name));
        if (!typed)
            return 130;
        secret = *typed;
    }
    QEventLoop loop;
    KeyStore keys;
    int exitCode = 0;
    const auto end = [&](const QString &words) {
        print(STDOUT_FILENO, words + QLatin1Char('\n'));
        loop.quit();
    };
    QObject::connect(&keys, &KeyStore::stored, &loop, [&] {
        end(QStringLiteral("The key is in the keyring. Try it: wright models try %1").arg(asked.name));
    });
    QObject::connect(&keys, &KeyStore::removed, &loop,
                     [&] { end(QStringLiteral("The key was removed from the keyring.")); });
    QObject::connect(&keys, &KeyStore::failed, &loop, [&](const QString &message) {
        exitCode = refuse(context, message);
        loop.quit();
    });
    if (asked.removesKey)
        keys.remove(entry);
    else
        keys.write(entry, secret);
    loop.exec();
    return exitCode;
}

int runModels(const CommandContext &context, const ModelsOptions &asked) {
    const QString file = ModelProfiles::fileIn(context.folders);
    const Result<ModelProfiles> models = ModelProfiles::load(file);
    if (!models.hasValue())
        return refuse(context, models.message());
    const ModelProfile *profile = models.value().find(asked.name);
    switch (asked.act) {
    case ModelsOptions::Act::List:
        return list(context, models.value());
    case ModelsOptions::Act::Add:
        return add(context, asked.profile, file);
    case ModelsOptions::Act::Key:
        // A key may be left of a model that is gone.
        if (asked.removesKey && profile == nullptr)
            return key(context, asked, asked.name);
        break;
    case ModelsOptions::Act::Try:
    case ModelsOptions::Act::Remove:
        break;
    }
    if (profile == nullptr)
        return noSuchModel(context, asked.name);
    const bool isInKeyring = profile->key.kind == KeySource::Kind::Keyring;
    if (asked.act == ModelsOptions::Act::Try)
        return tryOut(context, *profile);
    if (asked.act == ModelsOptions::Act::Remove)
        return change(context, file,
                      isInKeyring
                          ? QStringLiteral("\"%1\" was removed. Its key is still in the keyring: wright "
                                           "models key %1 --remove")
                                .arg(asked.name)
                          : QStringLiteral("\"%1\" was removed.").arg(asked.name),
                      [&asked](ModelProfiles &all) { all.remove(asked.name); });
    if (!isInKeyring)
        return refuse(context, QStringLiteral("\"%1\" does not take its key from the keyring (%2): set it up "
                                              "anew with wright models add %1 --keyring …")
                                   .arg(asked.name, keyText(profile->key)));
    return key(context, asked, profile->key.name);
}

} // namespace

Command modelsCommand() {
    return commandWith("models", "The language models that agents are run by: list, try, add", runModels);
}

} // namespace warpwright
