package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.kubernetes.ResourceType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The room that the quotas of a namespace leave for trials. A quota counts what its name says:
 * objects of a type, or what pods request or are limited to. Pure.
 */
final class QuotaRoom {
  private static final String WHAT = "quota";

  private QuotaRoom() {}

  /**
   * @param quotas the namespace's {@code ResourceQuota} objects
   * @param slots how many trials are to run at once
   */
  static List<Item> check(Blueprint blueprint, JsonNode quotas, long slots) {
    Map<String, BigDecimal> need = need(blueprint);
    List<Item> items = new ArrayList<>();
    for (JsonNode quota : quotas) {
      String name = quota.at("/metadata/name").asText();
      JsonNode used = quota.at("/status/used");
      for (Map.Entry<String, JsonNode> hard : quota.at("/status/hard").properties()) {
        String resource = hard.getKey();
        BigDecimal each = need.get(resource);
        if (each != null && each.signum() > 0) {
          BigDecimal left = amount(hard.getValue()).subtract(amount(used.path(resource)));
          long fit = Math.max(0, left.divide(each, 0, RoundingMode.DOWN).longValue());
          if (fit < slots) {
            items.add(tooLittle(name, resource, hard.getValue(), used.path(resource), fit, slots));
          }
        } else if (each == null && isOfPods(resource)) {
          items.add(
              Item.doubtful(
                  WHAT,
                  "the quota '%s' counts %s, which the pods of this file do not name"
                      .formatted(name, resource),
                  "set cpuNumber and memorySize, unless a LimitRange gives them a default"));
        }
      }
    }
    if (items.isEmpty()) {
      items.add(
          Item.good(
              WHAT,
              quotas.isEmpty()
                  ? "the namespace has none"
                  : "has room for %d %s at once"
                      .formatted(slots, slots == 1 ? "trial" : "trials")));
    }
    return items;
  }

  private static Item tooLittle(
      String name, String resource, JsonNode hard, JsonNode used, long fit, long slots) {
    String found =
        "'%s' has %s of %s %s in use: room for %d of %d trials"
            .formatted(name, used.asText("0"), hard.asText(), resource, fit, slots);
    String remedy = "raise the quota, or ask for less; trials wait for room meanwhile";
    return fit == 0 ? Item.bad(WHAT, found, remedy) : Item.doubtful(WHAT, found, remedy);
  }

  private static boolean isOfPods(String resource) {
    return resource.matches("((requests|limits)\\.)?(cpu|memory)");
  }

  /** The resources of one trial, by the names that quotas have for them. */
  private static Map<String, BigDecimal> need(Blueprint blueprint) {
    Map<String, BigDecimal> need = new TreeMap<>();
    long pods = 0;
    for (Role role : blueprint.roles()) {
      pods += role.pods();
      BigDecimal many = BigDecimal.valueOf(role.pods());
      Double cpus = role.cpus();
      if (cpus != null) {
        add(need, "cpu", many.multiply(BigDecimal.valueOf(cpus)));
      }
      Long megabytes = role.memory();
      if (megabytes != null) {
        add(need, "memory", many.multiply(BigDecimal.valueOf(megabytes << 20)));
      }
      Integer gpus = role.gpus();
      need.merge(
          "requests." + PodTemplate.GPU,
          many.multiply(BigDecimal.valueOf(gpus == null ? 0 : gpus)),
          BigDecimal::add);
    }
    long secrets = 1 + blueprint.roles().stream().filter(role -> role.pullSecret() != null).count();
    need.put("pods", BigDecimal.valueOf(pods));
    need.put("count/pods", BigDecimal.valueOf(pods));
    need.put("secrets", BigDecimal.valueOf(secrets));
    need.put("count/secrets", BigDecimal.valueOf(secrets));
    ResourceType job = blueprint.kind().resource();
    need.put("count/" + job.plural() + "." + job.group(), BigDecimal.ONE);
    return need;
  }

  /** Requests are limits, in our pods. */
  private static void add(Map<String, BigDecimal> need, String resource, BigDecimal amount) {
    for (String name : List.of(resource, "requests." + resource, "limits." + resource)) {
      need.merge(name, amount, BigDecimal::add);
    }
  }

  private static BigDecimal amount(JsonNode quantity) {
    return quantity.isMissingNode()
        ? BigDecimal.ZERO
        : Quantity.getAmountInBytes(Quantity.parse(quantity.asText()));
  }
}
