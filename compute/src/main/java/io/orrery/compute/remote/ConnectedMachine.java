package io.orrery.compute.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.remote.Connection.Said;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A machine that is there: the connection to it, what it is, and where its programs find the
 * server.
 *
 * @param url the server as keepers there see it, through the connection
 * @param keeper the path of the keeper there
 * @param agent what does there what scripts do as well
 */
record ConnectedMachine(
    Connection connection, MachineFacts facts, String url, String keeper, MachineAgent agent) {
  private static final Pattern KEY = Pattern.compile("([^/]+)/([^/]+)\\.([1-9]\\d{0,8})");

  /** The port of its loopback that leads to the server. */
  int port() {
    return URI.create(url).getPort();
  }

  /** Where an attempt runs. */
  String run(AttemptRef attempt) {
    return facts.base() + "/runs/" + key(attempt);
  }

  /** An attempt as the machine knows it: {@code experiment/trial.number}. */
  static String key(AttemptRef attempt) {
    return attempt.trial().experiment() + "/" + attempt.trial().trial() + "." + attempt.number();
  }

  /** The attempt that a machine knows by a key; null when it is none. */
  static @Nullable AttemptRef attempt(String key) {
    Matcher parts = KEY.matcher(key);
    if (!parts.matches() || !ExperimentId.valid(parts.group(1)) || !TrialId.valid(parts.group(2))) {
      return null;
    }
    return new AttemptRef(
        new TrialRef(new ExperimentId(parts.group(1)), new TrialId(parts.group(2))),
        Integer.parseInt(parts.group(3)));
  }

  /** Where code of this digest is unpacked. */
  String code(String digest) {
    return facts.base() + "/code/" + digest;
  }

  /**
   * Has code there for an experiment, fetched unless it is there; what has come of it.
   *
   * @param token of an attempt that needs it
   */
  Said bring(String digest, String experiment, String token, Duration limit)
      throws MachineAway, InterruptedException {
    Map<String, String> wanted =
        Map.of("url", url, "token", token, "digest", digest, "experiment", experiment);
    ObjectNode order = Json.MAPPER.createObjectNode().put("do", "code");
    wanted.forEach(order::put);
    Said said = agent.ask(order, limit);
    if (said != null) {
      return said;
    }
    Map<String, String> variables = new HashMap<>(wanted);
    variables.put("base", facts.base());
    variables.put("python", facts.python());
    variables.put("keeper", keeper);
    return connection.run(Script.CODE.with(variables), limit);
  }

  /** How the attempts there are, by {@link #key}. */
  Map<String, String> census(Duration limit) throws MachineAway, InterruptedException {
    Said said = agent.ask(Json.MAPPER.createObjectNode().put("do", "census"), limit);
    if (said == null) {
      said = connection.run(Script.CENSUS.with(Map.of("base", facts.base())), limit);
    }
    if (said.exitCode() != 0) {
      throw MachineAway.passing("cannot list its attempts: " + said.complaint());
    }
    Map<String, String> words = new HashMap<>();
    said.out()
        .lines()
        .forEach(line -> {
          int at = line.lastIndexOf(' ');
          if (at > 0) {
            words.put(line.substring(0, at), line.substring(at + 1));
          }
        });
    return words;
  }
}
