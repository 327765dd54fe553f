package io.orrery.gateway.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Runs several commands in one process, one for each line of stdin, whose words are parted by
 * single spaces. The build rehearses the common ones, so that the start-up cache of commands has
 * what they load (docs/decisions/0019).
 */
final class CommandTraining {
  private CommandTraining() {}

  public static void main(String[] none) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      int code = Main.run("orrery", line.split(" "));
      if (code != 0) {
        System.err.println("training: `orrery " + line + "` ended with " + code);
        System.exit(1);
      }
    }
    System.exit(0);
  }
}
