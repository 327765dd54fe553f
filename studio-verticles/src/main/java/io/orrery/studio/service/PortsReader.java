package io.orrery.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.service.ServiceDocument.Health;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the keys of a service's document that name ports. */
final class PortsReader {
  private static final int MOST_PORTS = 20;
  private static final Pattern HEALTH = Pattern.compile("([0-9]{1,5}):(/\\S{0,500})");

  private PortsReader() {}

  /** The ports, the one for requests first; empty when there are none. */
  static List<Integer> ports(DocumentKeys keys, ServiceType type) {
    JsonNode value = keys.value("ports");
    List<String> texts = new ArrayList<>();
    if (value == null) {
      return type.ports();
    } else if (value.isArray()) {
      value.forEach(port -> texts.add(port.asText()));
    } else if (value.isValueNode()) {
      texts.addAll(List.of(value.asText().split("[,，]")));
    }
    Set<Integer> ports = new LinkedHashSet<>();
    for (String text : texts) {
      String port = text.strip();
      boolean number =
          !port.isEmpty() && port.length() <= 5 && port.chars().allMatch(c -> c >= '0' && c <= '9');
      int wanted = number ? Integer.parseInt(port) : 0;
      if (wanted < 1 || wanted > WorkloadPort.MOST) {
        keys.wrong("ports", "a port is a number from 1 to 65,535, not '" + port + "'");
      } else if (!ports.add(wanted)) {
        keys.wrong("ports", "port " + wanted + " is there twice");
      }
    }
    if (texts.isEmpty() || texts.size() > MOST_PORTS) {
      keys.wrong("ports", "ports is a list such as [8080, 9090] of at most 20");
    }
    return List.copyOf(ports);
  }

  /** The check of a document, or of its type; null for a TCP connection. */
  static @Nullable Health health(
      DocumentKeys keys, ServiceType type, List<Integer> ports, @Nullable ServedModel model) {
    String written = keys.text("health", 600);
    boolean own = written != null;
    String text = written == null ? type.health() : written;
    if (text == null) {
      return null;
    }
    Matcher parts = HEALTH.matcher(model == null ? text : model.fill(text));
    if (!parts.matches()) {
      keys.wrong("health", "health is a port and a path such as 8080:/healthz");
      return null;
    }
    int port = Integer.parseInt(parts.group(1));
    if (!ports.contains(port)) {
      if (own) {
        keys.wrong("health", "port " + port + " of health is not among the ports");
      }
      return null;
    }
    return new Health(port, parts.group(2));
  }

  /** The port and path of metrics, of a document or its type; null when there are none. */
  static @Nullable Health metrics(DocumentKeys keys, ServiceType type) {
    String written = keys.text("metrics", 600);
    String text = written == null ? type.metrics() : written;
    Matcher parts = HEALTH.matcher(Objects.requireNonNullElse(text, ""));
    int port = parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
    if (text != null && (port < 1 || port > WorkloadPort.MOST)) {
      keys.wrong("metrics", "metrics is a port and a path such as 8080:/metrics");
      return null;
    }
    return text == null ? null : new Health(port, parts.group(2));
  }

  /** The ports, and that of metrics where it is asked at. */
  static List<Integer> with(List<Integer> ports, @Nullable Health metrics, boolean asked) {
    if (metrics == null || !asked || ports.contains(metrics.port())) {
      return ports;
    }
    List<Integer> all = new ArrayList<>(ports);
    all.add(metrics.port());
    return List.copyOf(all);
  }
}
