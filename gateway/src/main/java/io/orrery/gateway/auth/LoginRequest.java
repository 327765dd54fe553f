package io.orrery.gateway.auth;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;

/** The credentials of a login. */
sealed interface LoginRequest {
  /** A token of the configuration. */
  record Token(String token) implements LoginRequest {
    /** Never the token. */
    @Override
    public String toString() {
      return "Token[…]";
    }
  }

  /** The name and password of a user. */
  record Password(String user, String password) implements LoginRequest {
    /** Never the password. */
    @Override
    public String toString() {
      return "Password[" + user + "]";
    }
  }

  /**
   * Reads {@code {"token": …}} or {@code {"user": …, "password": …}}; Refused for anything else.
   */
  static LoginRequest ofJson(String text) {
    JsonNode json = Json.parse(text);
    if (json.path("token").isTextual()) {
      return new Token(json.path("token").textValue());
    }
    if (json.path("user").isTextual() && json.path("password").isTextual()) {
      return new Password(json.path("user").textValue(), json.path("password").textValue());
    }
    throw new Problem.Refused(
            new Finding(
                "/token",
                "a login is a JSON object such as {\"user\": \"ann\", \"password\": \"…\"} or"
                    + " {\"token\": \"orrery_…\"}"))
        .toException();
  }

  /** Reads the fields of the form; a token when no user is named. */
  static LoginRequest ofForm(String text) {
    String user = FormText.field(text, "user").strip();
    return user.isEmpty()
        ? new Token(FormText.field(text, "token").strip())
        : new Password(user, FormText.field(text, "password"));
  }
}
