package io.orrery.router.route;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The guard of a service: its requests need a pass.
 *
 * @param audience of the passes; part of the name of their cookie
 * @param epoch of the passes; those of another one are refused
 * @param injects whether endpoints get the token of their workload as Authorization
 */
public record OriginAccess(String audience, int epoch, boolean injects) {
  private static final String AUDIENCE = "[a-z0-9]([-a-z0-9_.]{0,61}[a-z0-9])?";

  /** Reads {@code access} and {@code inject} of a service; null when it has no guard. */
  static @Nullable OriginAccess read(Section service) {
    Section inject = service.section("inject", "authorization");
    boolean injects =
        inject.oneOf("authorization", List.of("derived"), List.of(Boolean.TRUE), Boolean.FALSE);
    if (!service.has("access")) {
      if (injects) {
        service.refuse("inject", "a service with inject needs access: {audience, epoch}");
      }
      return null;
    }
    Section access = service.section("access", "audience", "epoch");
    String audience = access.text("audience", "");
    if (!audience.matches(AUDIENCE)) {
      access.refuse(
          "audience",
          "an audience is up to 63 lower-case letters, digits, dots, dashes and underscores, with a"
              + " letter or digit at both ends; not '"
              + audience
              + "'");
    }
    for (String key : List.of("split", "mirror")) {
      if (service.has(key)) {
        service.refuse(key, "a service with access has no " + key);
      }
    }
    return new OriginAccess(audience, access.integer("epoch", 0, 0, Integer.MAX_VALUE), injects);
  }
}
