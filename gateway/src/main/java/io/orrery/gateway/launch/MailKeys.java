package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.MailAddress;
import io.orrery.orchestrator.alert.MailSettings;
import io.orrery.orchestrator.alert.MailSettings.Security;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The keys for the server that takes the mails of alerts. */
final class MailKeys {
  private static final int MOST_DOMAINS = 100;

  static final ConfigKey<String> HOST =
      ConfigKey.text(
          "mail.host",
          null,
          "the name or address of a host",
          "The SMTP server that takes alerts as mails; without it none are sent.");

  static final ConfigKey<Integer> PORT =
      ConfigKey.integer(
          "mail.port", 587, 1, 65535, "Its port: 587 for starttls, mostly 465 for tls.");

  static final ConfigKey<Security> SECURITY =
      new ConfigKey<>(
          "mail.security",
          Security.STARTTLS,
          "starttls, tls or none",
          "How the connection is protected. none is for a server beside this one: it sends no"
              + " password.",
          value ->
              switch (value.asText("").strip()) {
                case "starttls" -> Security.STARTTLS;
                case "tls" -> Security.TLS;
                case "none" -> Security.NONE;
                default -> throw new IllegalArgumentException();
              });

  static final ConfigKey<String> USER =
      ConfigKey.text(
          "mail.user",
          null,
          "a text",
          "The user that signs in there; without it no login is sent.");

  static final ConfigKey<String> PASSWORD =
      new ConfigKey<>(
          "mail.password",
          null,
          "file:/path, env:NAME, a sealed secret, or the password",
          "The password of that user, read for each mail; it is never shown.",
          MailKeys::secret);

  static final ConfigKey<String> FROM =
      ConfigKey.text(
          "mail.from",
          null,
          "an address such as orrery@example.com",
          "The address that mails come from.");

  static final ConfigKey<List<String>> DOMAINS =
      new ConfigKey<>(
          "mail.domains",
          List.of(),
          "a list of domains",
          "The domains that users may have alerts sent to; without it any.",
          MailKeys::domains);

  static final ConfigKey<String> CERTIFICATES =
      ConfigKey.text(
          "mail.certificates",
          null,
          "a PEM file",
          "The certificates that its own is checked against; those of Java when it is not set.");

  static final List<ConfigKey<?>> KEYS =
      List.of(HOST, PORT, SECURITY, USER, PASSWORD, FROM, DOMAINS, CERTIFICATES);

  private MailKeys() {}

  /** Reads the server; null when there is none. */
  static @Nullable MailSettings read(Config config) {
    String host = config.find(HOST);
    String from = config.find(FROM);
    String user = config.find(USER);
    String password = config.find(PASSWORD);
    String certificates = config.find(CERTIFICATES);
    if (host == null) {
      if (from != null || user != null || password != null) {
        throw refused("/host", "mail needs host as well");
      }
      return null;
    }
    if (from == null || !MailAddress.isOne(from)) {
      throw refused("/from", "mail.from is an address such as orrery@example.com");
    }
    if ((user == null) != (password == null)) {
      throw refused("/user", "mail needs both or none: user and password");
    }
    Security security = config.get(SECURITY);
    if (security == Security.NONE && user != null) {
      throw refused(
          "/security", "mail.security none would send the password in the clear: use starttls");
    }
    return new MailSettings(
        host,
        config.get(PORT),
        security,
        user,
        password,
        from,
        config.get(DOMAINS),
        certificates == null ? null : Path.of(certificates));
  }

  /** A refusal does not repeat it. */
  private static String secret(JsonNode value) {
    if (!value.isValueNode() || value.asText().isBlank()) {
      throw new Problem.Refused(new Finding("", "mail.password is a text")).toException();
    }
    return value.asText().strip();
  }

  private static List<String> domains(JsonNode value) {
    List<String> all = OpenIdKeys.words(value);
    if (all.size() > MOST_DOMAINS
        || all.stream().anyMatch(each -> !each.matches("[A-Za-z0-9.-]{1,253}"))) {
      throw new IllegalArgumentException();
    }
    return all.stream().map(each -> each.toLowerCase(Locale.ROOT)).toList();
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding("/mail" + pointer, message)).toException();
  }
}
