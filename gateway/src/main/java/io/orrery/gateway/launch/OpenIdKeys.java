package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.auth.openid.OpenIdConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys of the configuration for an OpenID provider. */
final class OpenIdKeys {
  private static final int MOST = 100;

  static final ConfigKey<String> ISSUER =
      ConfigKey.text(
          "auth.openId.issuer",
          null,
          "an https address",
          "The OpenID provider at which people sign in, by the name that it has for itself.");

  static final ConfigKey<String> CLIENT_ID =
      ConfigKey.text(
          "auth.openId.clientId",
          null,
          "a text",
          "The id under which this server is registered there; the redirect address is"
              + " URL/api/v1/session/openid/callback.");

  static final ConfigKey<String> CLIENT_SECRET =
      new ConfigKey<>(
          "auth.openId.clientSecret",
          null,
          "a text",
          "The secret that belongs to it; none for a public client. An environment variable is a"
              + " better place than the file.",
          OpenIdKeys::secret);

  static final ConfigKey<List<String>> SCOPES =
      new ConfigKey<>(
          "auth.openId.scopes",
          List.of("openid", "profile", "email"),
          "a list of words, openid among them",
          "What the provider is asked for; it may need one more to tell groups.",
          OpenIdKeys::words);

  static final ConfigKey<String> USER =
      ConfigKey.text(
          "auth.openId.user",
          "preferred_username",
          "the name of a claim",
          "The claim that a new account gets its name from.");

  static final ConfigKey<String> GROUPS =
      ConfigKey.text(
          "auth.openId.groups",
          "groups",
          "the name of a claim",
          "The claim that lists the groups of a user.");

  static final ConfigKey<List<String>> ADMINS =
      new ConfigKey<>(
          "auth.openId.admins",
          List.of(),
          "a list of groups",
          "The groups whose members are administrators, at each sign-in anew; without it roles are"
              + " given on this server.",
          OpenIdKeys::words);

  static final List<ConfigKey<?>> KEYS =
      List.of(ISSUER, CLIENT_ID, CLIENT_SECRET, SCOPES, USER, GROUPS, ADMINS);

  private OpenIdKeys() {}

  /** Reads the registration; null when there is none. */
  static @Nullable OpenIdConfig read(Config config) {
    String issuer = config.find(ISSUER);
    String client = config.find(CLIENT_ID);
    String secret = config.find(CLIENT_SECRET);
    if (issuer == null && client == null && secret == null) {
      return null;
    }
    if (issuer == null || client == null) {
      throw refused("", "auth.openId needs both: issuer and clientId");
    }
    if (!OpenIdConfig.isSafe(issuer)) {
      throw refused(
          "/issuer",
          "auth.openId.issuer is '%s': it must be an https address (http on this machine alone)"
              .formatted(issuer));
    }
    List<String> scopes = config.get(SCOPES);
    if (!scopes.contains("openid")) {
      throw refused("/scopes", "auth.openId.scopes has the word openid");
    }
    return new OpenIdConfig(
        issuer,
        client,
        secret == null ? "" : secret,
        scopes,
        config.get(USER),
        config.get(GROUPS),
        Set.copyOf(config.get(ADMINS)));
  }

  /** A refusal does not repeat it. */
  private static String secret(JsonNode value) {
    if (!value.isValueNode() || value.asText().isBlank()) {
      throw new Problem.Refused(new Finding("", "auth.openId.clientSecret is a text"))
          .toException();
    }
    return value.asText().strip();
  }

  /** A list, or a text with commas between. */
  static List<String> words(JsonNode value) {
    List<String> words = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(word -> words.add(word.asText("")));
    } else if (value.isTextual()) {
      words.addAll(List.of(value.textValue().replaceAll("[\\[\\]]", "").split(",")));
    }
    List<String> plain = words.stream().map(String::strip).toList();
    if (plain.size() > MOST || plain.stream().anyMatch(String::isEmpty)) {
      throw new IllegalArgumentException();
    }
    return plain;
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding("/auth/openId" + pointer, message)).toException();
  }
}
