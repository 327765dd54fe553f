package io.orrery.compute.attempt;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A Mermaid state diagram for the documentation, of the rows of a table that a test has passed. */
public final class LifeDiagram {
  private static final String OUTSIDE = "[*]";

  private final Set<String> edges = new LinkedHashSet<>();

  /**
   * @param first the state in which all begins; a state is drawn by the name of its class
   */
  public LifeDiagram(Object first) {
    edges.add(OUTSIDE + " --> " + name(first));
  }

  /**
   * Adds an edge.
   *
   * @param to null for the end
   */
  public void add(Object from, String label, @Nullable Object to) {
    edges.add(name(from) + " --> " + (to == null ? OUTSIDE : name(to)) + ": " + label);
  }

  public String text() {
    StringBuilder text = new StringBuilder("stateDiagram-v2\n");
    edges.forEach(edge -> text.append("    ").append(edge).append('\n'));
    return text.toString();
  }

  private static String name(Object state) {
    return state.getClass().getSimpleName().toUpperCase(Locale.ROOT);
  }
}
