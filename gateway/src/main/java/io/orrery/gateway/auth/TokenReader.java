package io.orrery.gateway.auth;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.UserRole;
import io.orrery.core.json.Document;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the list {@code auth.tokens} of the configuration. What is wrong is said without repeating
 * any value: a user may have written a token where its fingerprint belongs.
 */
public final class TokenReader {
  /** The roles of service accounts, which belong to no project. */
  private static final List<UserRole> ROLES = List.of(UserRole.ADMIN, UserRole.VIEWER);

  private static final List<String> WORDS = ROLES.stream().map(UserRole::word).toList();
  private static final List<String> KEYS = List.of("name", "role", "sha256");

  private final List<AccessToken> tokens = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  private TokenReader() {}

  /**
   * The tokens of a list, or of a text that holds one (an environment variable).
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with pointers from the list on
   */
  public static List<AccessToken> read(JsonNode value) {
    JsonNode list = value.isTextual() ? Document.read(value.textValue()).root() : value;
    TokenReader reader = new TokenReader();
    if (!list.isArray() || list.isEmpty()) {
      reader.wrong("", "auth.tokens is a list with at least one {name: …, role: admin, sha256: …}");
    }
    for (int i = 0; i < list.size(); i++) {
      reader.token(list.path(i), "/" + i);
    }
    if (!reader.findings.isEmpty()) {
      throw Problem.Refused.of(reader.findings).toException();
    }
    return List.copyOf(reader.tokens);
  }

  private void token(JsonNode entry, String at) {
    if (!entry.isObject()) {
      wrong(at, "a token is an object {name: …, role: admin, sha256: …}");
      return;
    }
    entry
        .fieldNames()
        .forEachRemaining(key -> {
          if (!KEYS.contains(key)) {
            wrong(Pointer.child(at, key), "a token has no key " + key + Nearest.hint(key, KEYS));
          }
        });
    String name = text(entry, "name");
    String role = text(entry, "role");
    String sha256 = text(entry, "sha256");
    if (name == null || name.isBlank()) {
      wrong(at + "/name", "a token has a name, which says who holds it");
    } else if (!names.add(name)) {
      wrong(at + "/name", "two tokens have this name");
    }
    UserRole known = role == null ? null : UserRole.of(role).filter(ROLES::contains).orElse(null);
    if (known == null) {
      wrong(
          at + "/role",
          "a role is one of "
              + String.join(", ", WORDS)
              + (role == null ? "" : Nearest.hint(role, WORDS)));
    }
    boolean digest = sha256 != null && sha256.matches("[0-9A-Fa-f]{64}");
    if (!digest) {
      wrong(
          at + "/sha256",
          "the SHA-256 of a token has 64 hexadecimal digits; 'orrery token create NAME' makes a"
              + " token and prints it");
    }
    if (name != null && known != null && digest) {
      tokens.add(new AccessToken(name, known, String.valueOf(sha256).toLowerCase(Locale.ROOT)));
    }
  }

  private static @Nullable String text(JsonNode entry, String key) {
    JsonNode value = entry.path(key);
    return value.isValueNode() && !value.isNull() ? value.asText() : null;
  }

  private void wrong(String at, String message) {
    findings.add(new Finding(at, message));
  }
}
