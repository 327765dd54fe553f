package io.orrery.gateway.auth;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import org.jspecify.annotations.Nullable;

/**
 * A request to set the first password of an account.
 *
 * @param user the name that the first administrator chooses; null for an account that exists
 */
record SetUpRequest(String code, @Nullable String user, String password) {
  /** Reads {@code {"code": …, "user": …, "password": …}}; Refused for anything else. */
  static SetUpRequest ofJson(String text) {
    JsonNode json = Json.parse(text);
    JsonNode user = json.path("user");
    if (!json.path("code").isTextual() || !json.path("password").isTextual()) {
      throw new Problem.Refused(
              new Finding(
                  "/code",
                  "a set-up is a JSON object such as {\"code\": \"orrery_…\", \"user\": \"ann\","
                      + " \"password\": \"…\"}"))
          .toException();
    }
    return new SetUpRequest(
        json.path("code").textValue(),
        user.isTextual() ? user.textValue() : null,
        json.path("password").textValue());
  }

  static SetUpRequest ofForm(String text) {
    String user = FormText.field(text, "user").strip();
    return new SetUpRequest(
        FormText.field(text, "code").strip(),
        user.isEmpty() ? null : user,
        FormText.field(text, "password"));
  }

  /** Never the code, nor the password. */
  @Override
  public String toString() {
    return "SetUpRequest[" + user + "]";
  }
}
