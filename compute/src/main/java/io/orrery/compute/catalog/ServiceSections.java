package io.orrery.compute.catalog;

import io.orrery.compute.section.ServiceSection;
import io.orrery.compute.service.TrainingServiceFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The sections of the training services on the class path, in the order of their service-loader
 * file. Thread safe.
 */
public final class ServiceSections {
  private static final Map<String, ServiceSection> ALL = load();

  private ServiceSections() {}

  private static Map<String, ServiceSection> load() {
    Map<String, ServiceSection> all = new LinkedHashMap<>();
    for (TrainingServiceFactory factory : ServiceLoader.load(TrainingServiceFactory.class)) {
      ServiceSection section = factory.section();
      if (section != null) {
        all.put(section.platform(), section);
      }
    }
    return all;
  }

  /** The section of a service; null for one that declares options alone. */
  public static @Nullable ServiceSection of(@Nullable String platform) {
    return platform == null ? null : ALL.get(platform);
  }

  /** Whether a server without the service checks its keys too. */
  public static boolean checkedEverywhere(@Nullable String platform) {
    ServiceSection section = of(platform);
    return section != null && section.checkedEverywhere();
  }

  /** All of them. */
  public static List<ServiceSection> all() {
    return List.copyOf(ALL.values());
  }

  /** The names of the services. */
  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /** A service's own name for one of its spellings; unknown ones come back in lower case. */
  public static String canonical(String written) {
    String name = written.toLowerCase(Locale.ROOT);
    return ALL.values().stream()
        .filter(section -> section.aliases().contains(name))
        .map(ServiceSection::platform)
        .findFirst()
        .orElse(name);
  }
}
