package io.orrery.compute.batch;

import io.orrery.compute.command.TrialCommand;
import io.orrery.compute.service.Keepers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command and the environment with which a container of a job starts its keeper.
 *
 * @param command program and arguments
 * @param variables all but the token
 * @param token for the variable {@code ORRERY_TRIAL_TOKEN}
 */
public record Start(List<String> command, Map<String, String> variables, String token) {
  public Start {
    command = List.copyOf(command);
    variables = Map.copyOf(variables);
  }

  /**
   * @param callback the host that jobs reach the server at; null for that of its advertised URL
   */
  public static Start of(Keepers.Launch launch, @Nullable String callback) {
    return new Start(launch.command(), launch.calling(callback), launch.token());
  }

  /** The same with a variable more. */
  public Start with(String name, String value) {
    Map<String, String> more = new TreeMap<>(variables);
    more.put(name, value);
    return new Start(command, more, token);
  }

  /** All variables in one, for services that have no better place for a secret. */
  public Map<String, String> all() {
    Map<String, String> all = new TreeMap<>(variables);
    all.put("ORRERY_TRIAL_TOKEN", token);
    return all;
  }

  /** The command for a shell. */
  public String line() {
    return command.stream().map(TrialCommand::quoted).collect(Collectors.joining(" "));
  }

  /** A shell script for services that have no place for variables at all. */
  public String script() {
    return Stream.concat(
            all().entrySet().stream()
                .map(
                    each -> "export " + each.getKey() + "=" + TrialCommand.quoted(each.getValue())),
            Stream.of(line()))
        .collect(Collectors.joining(" && "));
  }

  @Override
  public String toString() {
    return "Start[" + command + "]";
  }
}
