package io.orrery.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.Unreachable;
import java.util.ArrayList;
import java.util.List;

/** Has the server that runs log in to the image registries that it has accounts at. */
final class ServerChecks {
  private static final String ALL = "registries";
  private static final int MOST = 100;

  private final Session session;

  ServerChecks(Session session) {
    this.session = session;
  }

  /** Runs them; none where no server runs. */
  List<CheckResult> run() {
    List<CheckResult> results = new ArrayList<>();
    try {
      Api api = session.api();
      for (JsonNode account : api.list(Resource.of(ALL), MOST)) {
        results.add(registry(api, account.path("name").asText()));
      }
    } catch (Unreachable | CommandFailure absent) {
      return List.of();
    } catch (ProblemResponse e) {
      return List.of(
          CheckResult.warn(
              ALL, "the server does not say: " + e.text(), "give --token of an administrator"));
    }
    return results;
  }

  private static CheckResult registry(Api api, String name) {
    String check = "registry " + name;
    try {
      JsonNode found = api.post(Resource.of(ALL, name, "check"), "{}", "application/json");
      String reason = found.path("reason").asText();
      return found.path("ok").asBoolean()
          ? CheckResult.ok(check, reason)
          : CheckResult.fail(check, reason, "`orrery registry add` takes another password");
    } catch (ProblemResponse e) {
      return CheckResult.warn(check, e.text(), "");
    }
  }
}
