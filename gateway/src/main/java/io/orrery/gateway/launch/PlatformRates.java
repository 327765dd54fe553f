package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import io.orrery.orchestrator.submission.RateLimit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The configured rates of submissions by platform. */
final class PlatformRates {
  private static final Pattern RATE =
      Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,3})?)/(second|minute)(?: burst ([0-9]{1,6}))?");

  private static final double SECONDS_A_MINUTE = 60;

  static final ConfigKey<Map<String, RateLimit>> KEY =
      new ConfigKey<>(
          "platforms.rates",
          Map.of(),
          "platforms with their rates: {kubernetes: 20/second, local: 90/minute burst 30}",
          "How many trials a platform is given at most, by this server, and how many at once after"
              + " a rest (one second's, at least one, when that is not said). Without it as many as"
              + " it takes.",
          PlatformRates::read);

  private PlatformRates() {}

  private static Map<String, RateLimit> read(JsonNode value) {
    JsonNode rates = value.isTextual() ? Document.read(value.textValue()).root() : value;
    if (!rates.isObject()) {
      throw new IllegalArgumentException();
    }
    Map<String, RateLimit> limits = new TreeMap<>();
    rates.properties().forEach(entry -> limits.put(entry.getKey(), limit(entry.getValue())));
    return limits;
  }

  private static RateLimit limit(JsonNode value) {
    Matcher rate = RATE.matcher(value.asText());
    if (!rate.matches()) {
      throw new IllegalArgumentException();
    }
    double number = Double.parseDouble(rate.group(1));
    double perSecond = rate.group(2).equals("minute") ? number / SECONDS_A_MINUTE : number;
    return new RateLimit(
        perSecond,
        rate.group(3) == null
            ? (int) Math.max(1, Math.ceil(perSecond))
            : Integer.parseInt(rate.group(3)));
  }

  /**
   * Refuses a rate of a platform that is not here.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with the nearest name
   */
  static Map<String, RateLimit> known(Map<String, RateLimit> limits, List<String> platforms) {
    List<Finding> findings =
        limits.keySet().stream()
            .filter(name -> !platforms.contains(name))
            .map(name ->
                new Finding(
                    "/platforms/rates/" + name,
                    KEY.name()
                        + " names the platform '"
                        + name
                        + "', which is not here"
                        + Nearest.hint(name, platforms)))
            .toList();
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    return limits;
  }
}
