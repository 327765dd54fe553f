package io.orrery.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.server.StatusCommand;
import io.orrery.core.check.CheckResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the server that runs for its own checks, and has it log in to the image registries that it
 * has accounts at.
 */
final class ServerChecks {
  private static final String ALL = "registries";
  private static final String REGISTRY = "registry ";
  private static final int MOST = 100;

  private final Session session;

  ServerChecks(Session session) {
    this.session = session;
  }

  /**
   * The outcomes of a server.
   *
   * @param own of its own checks
   * @param registries of the registries, whichever server asks them
   */
  record Results(List<CheckResult> own, List<CheckResult> registries) {}

  /** Runs them; none where no server runs. */
  Results run() {
    try {
      Api api = session.api();
      return new Results(own(api), registries(api));
    } catch (Unreachable | CommandFailure absent) {
      return new Results(List.of(), List.of());
    }
  }

  /** The results of the page Status, less those of registries, which are asked anew. */
  private static List<CheckResult> own(Api api) {
    try {
      JsonNode status = api.get(Resource.of("status"));
      if (!status.has("checks")) {
        return List.of(
            CheckResult.warning(
                "server",
                "it is " + status.path("status").asText() + ", and does not say more to you",
                "give --token of an administrator"));
      }
      List<CheckResult> results = new ArrayList<>();
      for (JsonNode check : status.path("checks")) {
        if (!check.path("name").asText().startsWith(REGISTRY)) {
          results.add(read(check));
        }
      }
      return results;
    } catch (ProblemResponse older) {
      return List.of();
    }
  }

  private static CheckResult read(JsonNode check) {
    return new CheckResult(
        StatusCommand.name(check),
        CheckResult.State.of(check.path("state").asText()),
        check.path("found").asText(),
        check.path("hint").asText(""));
  }

  private static List<CheckResult> registries(Api api) {
    try {
      List<CheckResult> results = new ArrayList<>();
      for (JsonNode account : api.list(Resource.of(ALL), MOST)) {
        results.add(registry(api, account.path("name").asText()));
      }
      return results;
    } catch (ProblemResponse e) {
      return List.of(
          CheckResult.warning(
              ALL, "the server does not say: " + e.text(), "give --token of an administrator"));
    }
  }

  private static CheckResult registry(Api api, String name) {
    String check = REGISTRY + name;
    try {
      JsonNode found = api.post(Resource.of(ALL, name, "check"), "{}", "application/json");
      String reason = found.path("reason").asText();
      return found.path("ok").asBoolean()
          ? CheckResult.ok(check, reason)
          : CheckResult.failed(check, reason, "`orrery registry add` takes another password");
    } catch (ProblemResponse e) {
      return CheckResult.warning(check, e.text(), "");
    }
  }
}
