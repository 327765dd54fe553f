package io.orrery.orchestrator.spec;

import io.orrery.compute.catalog.ServiceSections;
import io.orrery.compute.section.CommonKeys;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.schema.Schema;
import io.orrery.core.text.Nearest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The names of all platforms, and the schemas of those that can be read. */
final class PlatformSchemas {
  /** The names of all platforms. */
  static final List<String> NAMES = ServiceSections.names();

  private PlatformSchemas() {}

  /** The keys of a platform; null when it is none of ours. */
  static @Nullable Schema of(@Nullable String platform) {
    ServiceSection section = ServiceSections.of(platform);
    return section == null ? null : section.schema();
  }

  /** The same of any platform: one that is not ours takes what all take, and what it declares. */
  static Schema of(String platform, List<Option> brought) {
    Schema own = of(platform);
    return own == null ? CommonKeys.SCHEMA.and(BroughtSchema.of(brought)) : own;
  }

  /** The platform of a name, or of one that is nearly it; null when it is like none. */
  static @Nullable String nearest(String name) {
    return NAMES.contains(name) ? name : Nearest.to(name, NAMES).orElse(null);
  }

  /** Why a platform cannot be had. */
  static String refusal(String platform, List<String> running) {
    String offer = "this version runs trials on: " + String.join(", ", running);
    return NAMES.contains(platform)
        ? "is " + platform + ", which is not available: " + offer
        : "is '"
            + platform
            + "', which is no platform"
            + Nearest.hint(platform, NAMES)
            + "; "
            + offer;
  }
}
