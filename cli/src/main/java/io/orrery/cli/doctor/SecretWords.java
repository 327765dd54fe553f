package io.orrery.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Takes secrets out of texts. Of a configuration only the texts of known keys stay, so that a
 * secret under a new key is none that gets out; what was taken out there, and the values of
 * variables that sound like secrets, are taken out of every other text as well.
 */
final class SecretWords {
  private static final Set<String> SHOWN =
      Set.of(
          "host",
          "port",
          "name",
          "role",
          "roles",
          "runtime",
          "network",
          "domain",
          "context",
          "namespace",
          "service",
          "trial",
          "sandbox",
          "platform",
          "basePath",
          "localPort",
          "metricsTopic",
          "eventsTopic",
          "memory",
          "memoryPerClient",
          "memoryPerConnection",
          "slow",
          "uploadRate",
          "uploadWindow",
          "members",
          "trustedProxies");
  private static final Pattern SOUNDS_SECRET =
      Pattern.compile(".*(TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|_KEY|AUTH).*");

  /** Shorter ones are words that occur anywhere. */
  private static final int SHORTEST = 6;

  private static final String GONE = "[removed]";

  private final Set<String> words = new LinkedHashSet<>();

  /** Learns the values of variables whose names sound like secrets, and passwords in URLs. */
  void learn(Map<String, String> environment) {
    environment.forEach((name, value) -> {
      if (SOUNDS_SECRET.matcher(name.toUpperCase(Locale.ROOT)).matches()) {
        learn(value);
      }
      learnPassword(value);
    });
  }

  void learn(String word) {
    if (word.length() >= SHORTEST) {
      words.add(word);
    }
  }

  private void learnPassword(String value) {
    var match = Pattern.compile("://[^/@:]*:([^/@]+)@").matcher(value);
    while (match.find()) {
      learn(match.group(1));
    }
  }

  /** A configuration with numbers, switches and the texts of known keys. */
  JsonNode without(JsonNode value) {
    return without("", value);
  }

  private JsonNode without(String key, JsonNode value) {
    if (value.isObject()) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      value
          .properties()
          .forEach(entry -> copy.set(entry.getKey(), without(entry.getKey(), entry.getValue())));
      return copy;
    }
    if (value.isArray()) {
      ArrayNode copy = JsonNodeFactory.instance.arrayNode();
      value.forEach(element -> copy.add(without(key, element)));
      return copy;
    }
    if (!value.isTextual() || SHOWN.contains(key.substring(key.lastIndexOf('.') + 1))) {
      return value;
    }
    learn(value.textValue());
    learnPassword(value.textValue());
    return TextNode.valueOf(GONE);
  }

  /** A text without what has been learnt, the longest first. */
  String without(String text) {
    String clean = text.replaceAll("://[^/@\\s]+@", "://" + GONE + "@");
    clean = clean.replaceAll("orrery_[A-Za-z0-9_-]{20,}", GONE);
    clean = clean.replaceAll("(/setup with the code )\\S+", "$1" + GONE);
    for (String word :
        words.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList()) {
      clean = clean.replace(word, GONE);
    }
    return clean;
  }
}
