package io.orrery.core.json;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a document, found when the first one is asked for. Only the message about a fault
 * needs them, and they take more memory than the content: a pointer for every value.
 */
final class LinesOnDemand extends AbstractMap<String, Integer> {
  private final Supplier<Map<String, Integer>> reader;
  private @Nullable Map<String, Integer> lines;

  LinesOnDemand(Supplier<Map<String, Integer>> reader) {
    this.reader = reader;
  }

  private synchronized Map<String, Integer> lines() {
    if (lines == null) {
      lines = reader.get();
    }
    return lines;
  }

  @Override
  public @Nullable Integer get(Object pointer) {
    return lines().get(pointer);
  }

  @Override
  public boolean containsKey(Object pointer) {
    return lines().containsKey(pointer);
  }

  @Override
  public Set<Entry<String, Integer>> entrySet() {
    return lines().entrySet();
  }
}
