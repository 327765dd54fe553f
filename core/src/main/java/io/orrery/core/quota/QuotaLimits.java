package io.orrery.core.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.problem.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The limits of a project, and of each of its members in it.
 *
 * @param project what is missing has no limit
 * @param member the same for each member alone
 */
public record QuotaLimits(Map<QuotaResource, Long> project, Map<QuotaResource, Long> member) {
  public static final QuotaLimits UNLIMITED = new QuotaLimits(Map.of(), Map.of());

  private static final String MEMBER = "member";

  public QuotaLimits {
    project = Collections.unmodifiableMap(new EnumMap<>(copy(project)));
    member = Collections.unmodifiableMap(new EnumMap<>(copy(member)));
  }

  private static EnumMap<QuotaResource, Long> copy(Map<QuotaResource, Long> map) {
    EnumMap<QuotaResource, Long> copy = new EnumMap<>(QuotaResource.class);
    copy.putAll(map);
    return copy;
  }

  /**
   * The limits of a document, and what is wrong with it.
   *
   * @param limits without those that are wrong
   */
  public record Reading(QuotaLimits limits, List<Finding> findings) {
    public Reading {
      findings = List.copyOf(findings);
    }
  }

  /** Reads {@code {gpu: 8, memory: "64G", member: {gpu: 2}}}. */
  public static Reading read(ObjectNode quota, String pointer) {
    List<Finding> findings = new ArrayList<>();
    Map<QuotaResource, Long> project = limits(quota, pointer, true, findings);
    Map<QuotaResource, Long> member = Map.of();
    JsonNode ofMember = quota.get(MEMBER);
    if (ofMember instanceof ObjectNode object) {
      member = limits(object, pointer + "/" + MEMBER, false, findings);
    } else if (ofMember != null && !ofMember.isNull()) {
      findings.add(new Finding(pointer + "/" + MEMBER, "must be an object such as {\"gpu\": 2}"));
    }
    return new Reading(new QuotaLimits(project, member), findings);
  }

  private static Map<QuotaResource, Long> limits(
      ObjectNode quota, String pointer, boolean whole, List<Finding> findings) {
    EnumMap<QuotaResource, Long> limits = new EnumMap<>(QuotaResource.class);
    quota
        .properties()
        .forEach(entry -> {
          String key = entry.getKey();
          JsonNode value = entry.getValue();
          if (value.isNull() || (whole && key.equals(MEMBER))) {
            return;
          }
          String place = pointer + "/" + key;
          Optional<QuotaResource> resource = QuotaResource.of(key);
          if (resource.isEmpty()) {
            findings.add(new Finding(place, "is not limited: the resources are " + words()));
            return;
          }
          Optional<Long> amount =
              value.isValueNode() ? resource.get().read(value.asText()) : Optional.empty();
          if (amount.isEmpty()) {
            findings.add(
                new Finding(
                    place,
                    "'%s' is no amount %s".formatted(value.asText(), QuotaResource.EXAMPLES)));
          } else {
            limits.put(resource.get(), amount.get());
          }
        });
    return limits;
  }

  private static String words() {
    return Arrays.stream(QuotaResource.values())
        .map(QuotaResource::word)
        .collect(Collectors.joining(", "));
  }
}
