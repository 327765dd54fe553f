package io.orrery.cli.client;

/** A value of an option that gives something a name: {@code --param lr=0.1}. */
public record Assignment(String name, String value) {
  /**
   * Reads a value of an option.
   *
   * @param option for the message: {@code --param}
   * @throws CommandFailure refused, without a name and a value
   */
  public static Assignment read(String option, String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw CommandFailure.refused(option + " is NAME=VALUE, not '" + text + "'");
    }
    return new Assignment(text.substring(0, equals), text.substring(equals + 1));
  }
}
