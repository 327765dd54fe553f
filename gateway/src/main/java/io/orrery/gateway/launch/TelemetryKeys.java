package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.log.LogFormat;
import io.orrery.gateway.telemetry.SpanExport;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of the log's format and of traces. */
final class TelemetryKeys {
  private static final int MOST_HEADERS = 20;

  private static final ConfigKey<LogFormat> LOG_FORMAT =
      new ConfigKey<>(
          "log.format",
          LogFormat.TEXT,
          "text or json",
          "How lines of the log are written to stderr; json is an object a line.",
          TelemetryKeys::format);

  private static final String SOME_URL = "an address such as http://collector:4318/v1/traces";
  private static final String SOME_HEADERS = "{name: text}, or name=text,name=text";

  private static final ConfigKey<String> URL =
      new ConfigKey<>(
          "traces.url",
          null,
          SOME_URL,
          "Where the spans of traces are sent, by OTLP over HTTP. Without it there are none.",
          TelemetryKeys::url);

  private static final ConfigKey<Double> SHARE =
      new ConfigKey<>(
          "traces.share",
          1.0,
          "0 to 1",
          "The share of the traces that begin here which are sent. A trace that a request brings"
              + " along is sent when its beginner has decided so.",
          TelemetryKeys::share);

  private static final ConfigKey<Map<String, String>> HEADERS =
      new ConfigKey<>(
          "traces.headers",
          Map.of(),
          SOME_HEADERS,
          "Headers of each request to the collector, such as its token.",
          TelemetryKeys::headers);

  static final List<ConfigKey<?>> KEYS = List.of(LOG_FORMAT, URL, SHARE, HEADERS);

  private TelemetryKeys() {}

  static Telemetry read(Config config) {
    return new Telemetry(config.get(LOG_FORMAT), traces(config));
  }

  private static SpanExport.@Nullable Collector traces(Config config) {
    String url = config.find(URL);
    if (url == null) {
      return null;
    }
    return new SpanExport.Collector(URI.create(url), config.get(SHARE), config.get(HEADERS));
  }

  private static LogFormat format(JsonNode value) {
    return LogFormat.valueOf(value.asText("").toUpperCase(Locale.ROOT));
  }

  private static double share(JsonNode value) {
    double share = value.isNumber() ? value.doubleValue() : Double.parseDouble(value.asText(""));
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException();
    }
    return share;
  }

  private static String url(JsonNode value) {
    String url = value.asText("");
    if (!value.isValueNode() || !url.matches("https?://[^/?#@\\s]+(/[^?#\\s]*)?")) {
      throw refused("traces.url must be " + SOME_URL);
    }
    return url;
  }

  /** A refusal does not repeat a value that may have a password or a token. */
  private static RuntimeException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }

  private static RuntimeException refusedHeaders() {
    return refused(
        "traces.headers must be %s: at most %d, in printable ASCII"
            .formatted(SOME_HEADERS, MOST_HEADERS));
  }

  private static Map<String, String> headers(JsonNode value) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (value.isTextual()) {
      // As OTEL_EXPORTER_OTLP_HEADERS has them.
      for (String pair : value.textValue().split(",")) {
        int equals = pair.indexOf('=');
        put(headers, pair.substring(0, Math.max(0, equals)), pair.substring(equals + 1));
      }
    }
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      if (!entry.getValue().isTextual()) {
        throw refusedHeaders();
      }
      put(headers, entry.getKey(), entry.getValue().textValue());
    }
    if (headers.size() > MOST_HEADERS || value.isArray() || value.isNumber()) {
      throw refusedHeaders();
    }
    return headers;
  }

  private static void put(Map<String, String> headers, String name, String text) {
    if (!name.strip().matches("[A-Za-z0-9-]{1,100}") || !text.matches("[\\x20-\\x7e]{0,8000}")) {
      throw refusedHeaders();
    }
    headers.put(name.strip(), text.strip());
  }
}
