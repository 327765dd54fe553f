package io.orrery.router.policy;

import io.orrery.router.route.Hedge;
import io.orrery.router.telemetry.Meters;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The hedge rules of one loop, each with its budget, by who was asked and who answers. */
final class HedgeRules {
  private record Pair(String service, String version) {}

  private final Meters meters;
  private final Map<Pair, HedgeRule> rules = new HashMap<>();

  HedgeRules(Meters meters) {
    this.meters = meters;
  }

  /** The rule of a pair; a new one when the table has another hedge for it. */
  HedgeRule of(String service, String version, Hedge hedge, long now) {
    Pair pair = new Pair(service, version);
    HedgeRule rule = rules.get(pair);
    if (rule == null || !rule.hedge().equals(hedge)) {
      rule = new HedgeRule(hedge, () -> meters.served(service, version).successTimes(), now);
      rules.put(pair, rule);
    }
    return rule;
  }

  void retain(Set<String> services) {
    rules
        .keySet()
        .removeIf(pair -> !services.contains(pair.service()) || !services.contains(pair.version()));
  }
}
