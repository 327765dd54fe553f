package io.orrery.orchestrator.workload;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.WorkloadSpec;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Derives the tokens of guarded workloads. The router derives the same ones, so that they are in no
 * table.
 */
final class WorkloadTokens {
  private final OriginPasses passes;

  WorkloadTokens(OriginPasses passes) {
    this.passes = passes;
  }

  /** The token that the router injects for a workload; null when it injects none. */
  @Nullable String of(Want want) {
    if (want.route() == null) {
      return null;
    }
    JsonNode route = Json.parse(want.route());
    if (!route.path("inject").path("authorization").asText("").equals("derived")) {
      return null;
    }
    ServiceStage stage =
        ServiceStage.of(route.path("stage").asText(ServiceStage.PRODUCTION.word()))
            .orElse(ServiceStage.PRODUCTION);
    return passes.token(stage.prefix() + route.path("name").asText());
  }

  /** The specification with its token where it has a place for one. */
  WorkloadSpec fill(Want want, WorkloadSpec spec) {
    if (!spec.environment().containsValue(WorkloadSpec.DERIVED_TOKEN)) {
      return spec;
    }
    String token = of(want);
    Map<String, String> environment = new HashMap<>(spec.environment());
    environment.replaceAll((name, value) ->
        value.equals(WorkloadSpec.DERIVED_TOKEN) ? (token == null ? "" : token) : value);
    return spec.with(environment);
  }
}
