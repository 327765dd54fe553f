package io.orrery.journeys;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A program called tensorboard that takes its flags and shows its directory over HTTP. */
public final class StandInTensorBoard {
  private StandInTensorBoard() {}

  private static final String SERVES =
      """
      #!/bin/sh
      # --logdir DIRECTORY --host ADDRESS --port NUMBER
      [ -z "$SECRET_OF_THE_SERVER" ] || { echo 'a secret reached me'; exit 1; }
      exec python3 -m http.server --bind "$4" --directory "$2" "$6"
      """;

  /** The variables of a server that finds it. */
  public static Map<String, String> in(Path programs) throws IOException {
    return in(programs, SERVES);
  }

  /** The same with other behaviour. */
  public static Map<String, String> in(Path programs, String script) throws IOException {
    Path program = Files.createDirectories(programs).resolve("tensorboard");
    Files.writeString(program, script);
    program.toFile().setExecutable(true);
    return Map.of(
        "PATH",
        programs + File.pathSeparator + System.getenv("PATH"),
        "SECRET_OF_THE_SERVER",
        "never to be passed on");
  }
}
