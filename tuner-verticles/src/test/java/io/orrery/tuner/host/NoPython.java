package io.orrery.tuner.host;

import io.orrery.tuner.dispatcher.Doorplate;
import io.orrery.tuner.python.Interpreter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A Python for tests that start none. */
final class NoPython {
  static final Interpreter INTERPRETER =
      new Interpreter(List.of("false"), Path.of("none"), Path.of("none"), Map.of());

  static final Doorplate DOORPLATE =
      new Doorplate(URI.create("http://127.0.0.1:1"), new SplittableRandom(1));

  private NoPython() {}
}
