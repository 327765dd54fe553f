package io.orrery.core.run;

/** A reference to an output of a task, as {@code tasks.<task>.outputs.<name>}. */
public record OutputRef(String task, String name) {
  @Override
  public String toString() {
    return "tasks." + task + ".outputs." + name;
  }
}
