package io.orrery.cli.people;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Asks for a password, at the terminal or on stdin. */
public final class PasswordPrompt {
  private PasswordPrompt() {}

  /** The password; refused when there is no terminal to ask at. */
  public static String ask(Session session, boolean fromStdin, String question) {
    String password = fromStdin ? line() : session.terminal().prompt().ask(question);
    if (password == null || password.isEmpty()) {
      throw CommandFailure.refused(
          "a password is needed: type it at the terminal, or give it with --password-stdin");
    }
    return password;
  }

  private static String line() {
    try {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String line = in.readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      throw CommandFailure.failed("could not read the password from stdin: " + e.getMessage());
    }
  }
}
