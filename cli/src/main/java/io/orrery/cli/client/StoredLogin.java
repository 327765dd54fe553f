package io.orrery.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.file.DurableFile;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The personal token that {@code orrery login} has left in the home: {@code login.json}, readable
 * by its owner alone. It goes to its own server and to no other.
 *
 * @param name of the token at the server, by which it is revoked
 */
public record StoredLogin(URI url, String user, @Nullable String name, String token) {
  private static final String FILE = "login.json";

  /** The login of a home; empty when there is none that can be read. */
  public static Optional<StoredLogin> read(Path home) {
    try {
      JsonNode json = Json.parse(Files.readString(home.resolve(FILE)));
      String token = json.path("token").asText("");
      String name = json.path("name").textValue();
      return token.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new StoredLogin(
                  URI.create(json.path("url").asText()), json.path("user").asText(), name, token));
    } catch (IOException | ProblemException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Keeps it in a home, in place of the one before. */
  public void write(Path home) {
    try {
      Files.createDirectories(home);
      DurableFile.write(
          home.resolve(FILE),
          Json.MAPPER
              .createObjectNode()
              .put("url", url.toString())
              .put("user", user)
              .put("name", name)
              .put("token", token)
              .toString()
              .getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw CommandFailure.failed("could not write " + home.resolve(FILE) + ": " + e.getMessage());
    }
  }

  /** Forgets the login of a home. */
  public static void delete(Path home) {
    try {
      Files.deleteIfExists(home.resolve(FILE));
    } catch (IOException e) {
      throw CommandFailure.failed("could not delete " + home.resolve(FILE) + ": " + e.getMessage());
    }
  }

  /** Never the token. */
  @Override
  public String toString() {
    return "StoredLogin[" + user + " at " + url + "]";
  }
}
