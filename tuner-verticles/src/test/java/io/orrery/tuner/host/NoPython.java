package io.orrery.tuner.host;

import io.orrery.tuner.python.Interpreter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** For tests that start none. */
final class NoPython {
  static final Interpreter INTERPRETER =
      new Interpreter(List.of("false"), Path.of("none"), Path.of("none"), Map.of());

  private NoPython() {}
}
