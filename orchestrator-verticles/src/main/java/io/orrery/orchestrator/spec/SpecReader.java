package io.orrery.orchestrator.spec;

import org.jspecify.annotations.Nullable;

public final class SpecReader {
  public SpecReading read(String text, @Nullable String base) {
    return new SpecReading(null, java.util.List.of(), java.util.List.of());
  }
}
