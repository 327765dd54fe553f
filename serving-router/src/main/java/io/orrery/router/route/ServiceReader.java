package io.orrery.router.route;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.text.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads one service of a table: everything about it that can be said without the others. */
final class ServiceReader {
  private static final String NAME = "[a-z0-9]([-a-z0-9_.]{0,61}[a-z0-9])?";

  /** A host in lower case, without a star. */
  static final String PLAIN_HOST = "[a-z0-9_]([-a-z0-9_]*)(\\.[a-z0-9_]([-a-z0-9_]*))*";

  private static final String HOST = "(\\*\\.)?" + PLAIN_HOST;
  private static final int MOST_ENDPOINTS = 1_000;
  private static final int MOST_RULES = 100;

  /** What GET adds to a service, so that its answer may be put back. */
  static final String STATE = "state";

  /** The key that names the layer of a service. */
  static final String LAYER = "layer";

  private static final List<String> KEYS =
      List.of(
          "name",
          "hosts",
          "match",
          "stage",
          "endpoints",
          "protocol",
          EndpointTls.TLS,
          "split",
          "sticky",
          "mirror",
          "compareBodies",
          "balance",
          "timeout",
          "retries",
          "health",
          "ejection",
          "limits",
          "hold",
          HedgeKeys.HEDGE,
          "path",
          "access",
          "inject",
          TcpKeys.TCP,
          LAYER,
          STATE);

  private final RouteLayer layer;
  private final String domain;
  private final List<Finding> findings;

  ServiceReader(RouteLayer layer, String domain, List<Finding> findings) {
    this.layer = layer;
    this.domain = domain;
    this.findings = findings;
  }

  Service read(int place, JsonNode node, String pointer) {
    Section section = Section.of(node, pointer, findings, KEYS);
    Service.Protocol protocol =
        section.oneOf(
            "protocol",
            List.of("http1", "h2c", "https"),
            List.of(Service.Protocol.values()),
            Service.Protocol.HTTP1);
    return new Service(
        section.oneOf(LAYER, RouteLayer.WORDS, List.of(RouteLayer.values()), layer),
        place,
        name(section),
        section.oneOf("stage", Stage.WORDS, List.of(Stage.values()), Stage.PRODUCTION),
        hosts(section),
        match(section),
        endpoints(section),
        protocol,
        EndpointTls.read(section, protocol),
        shares(section, "split", true),
        sticky(section),
        shadows(section),
        balance(section),
        timeouts(section),
        retries(section),
        health(section),
        ejection(section),
        LimitsReader.read(section),
        hold(section),
        HedgeKeys.read(section),
        strip(section),
        OriginAccess.read(section),
        TcpKeys.read(section, KEYS));
  }

  private String name(Section section) {
    String name = section.text("name");
    if (name == null) {
      section.refuse("name", "a service needs a name");
      return "";
    }
    if (!name.matches(NAME)) {
      section.refuse(
          "name",
          "a name is up to 63 lower-case letters, digits, dots, dashes and underscores, with a"
              + " letter or digit at both ends; not '"
              + name
              + "'");
    }
    return name;
  }

  private List<String> hosts(Section section) {
    List<String> hosts = new ArrayList<>();
    List<String> written = section.texts("hosts");
    for (int i = 0; i < written.size(); i++) {
      String host = written.get(i).toLowerCase(Locale.ROOT);
      String place = Pointer.child(section.at("hosts"), i);
      if (!host.matches(HOST)) {
        findings.add(
            new Finding(
                place, "a host is a name without port, or *. and a name; not '" + host + "'"));
      } else if (!host.equals(domain) && !host.endsWith("." + domain)) {
        findings.add(
            new Finding(place, "a host must end with ." + domain + ", not '" + host + "'"));
      } else if (hosts.contains(host)) {
        findings.add(new Finding(place, "this host is here twice"));
      } else {
        hosts.add(host);
      }
    }
    return hosts;
  }

  private List<Match> match(Section section) {
    List<Match> rules =
        section.list(
            "match",
            (node, pointer) -> {
              Section rule =
                  Section.of(node, pointer, findings, List.of("path", "header", "cookie"));
              String path = rule.text("path");
              if (path != null) {
                rule.refuseIf("path", Spelling.ofPath(path));
              }
              Map<String, String> headers = new TreeMap<>();
              rule.map("header", Spelling::ofHeader)
                  .forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
              return new Match(path, headers, rule.map("cookie", Spelling::ofCookie));
            });
    if (rules.size() > MOST_RULES) {
      section.refuse("match", "a service may have " + MOST_RULES + " rules, not " + rules.size());
    }
    return rules;
  }

  private List<EndpointAddress> endpoints(Section section) {
    List<String> written = section.texts("endpoints");
    Set<EndpointAddress> all = new HashSet<>();
    List<EndpointAddress> endpoints = new ArrayList<>();
    for (int i = 0; i < written.size(); i++) {
      String place = Pointer.child(section.at("endpoints"), i);
      try {
        EndpointAddress address = EndpointAddress.parse(written.get(i));
        if (all.add(address)) {
          endpoints.add(address);
        } else {
          findings.add(new Finding(place, "this endpoint is here twice"));
        }
      } catch (IllegalArgumentException e) {
        findings.add(new Finding(place, "an endpoint is host:port; not '" + written.get(i) + "'"));
      }
    }
    if (endpoints.size() > MOST_ENDPOINTS) {
      section.refuse("endpoints", "a service may have " + MOST_ENDPOINTS + " endpoints");
    }
    return endpoints;
  }

  /** {@code a:20%,b:30%}, with commas or semicolons. */
  private List<Share> shares(Section section, String key, boolean divides) {
    String text = section.text(key);
    List<Share> shares = new ArrayList<>();
    if (text == null || text.isBlank()) {
      return shares;
    }
    Set<String> names = new HashSet<>();
    double sum = 0;
    for (String term : text.split("[,;]", -1)) {
      String[] halves = term.strip().split(":", -1);
      double percent = halves.length == 2 ? percent(halves[1]) : Double.NaN;
      if (Double.isNaN(percent) || !halves[0].strip().matches(NAME)) {
        section.refuse(
            key, key + " is written service:20%, more with commas between; not '" + term + "'");
        continue;
      }
      String name = halves[0].strip();
      if (percent > 100) {
        section.refuse(key, name + " gets " + words(percent) + " %: 100 is the most");
      }
      if (!names.add(name)) {
        section.refuse(key, name + " is here twice");
      }
      sum += percent;
      shares.add(new Share(name, percent));
    }
    if (divides && sum > 100 + 1e-9 && shares.stream().allMatch(s -> s.percent() <= 100)) {
      section.refuse(key, "the parts come to " + words(sum) + " %: 100 is the most");
    }
    return shares;
  }

  private List<Shadow> shadows(Section section) {
    List<Share> mirror = shares(section, "mirror", false);
    List<String> compared = section.texts("compareBodies");
    List<String> names = mirror.stream().map(Share::service).toList();
    for (int i = 0; i < compared.size(); i++) {
      if (!names.contains(compared.get(i))) {
        findings.add(
            new Finding(
                Pointer.child(section.at("compareBodies"), i),
                "mirror does not name " + compared.get(i) + Nearest.hint(compared.get(i), names)));
      }
    }
    return mirror.stream()
        .map(share -> new Shadow(share, compared.contains(share.service())))
        .toList();
  }

  private static double percent(String text) {
    try {
      return Measures.percent(text);
    } catch (IllegalArgumentException e) {
      return Double.NaN;
    }
  }

  private static String words(double percent) {
    return percent == Math.rint(percent) ? Long.toString((long) percent) : Double.toString(percent);
  }

  private @Nullable RequestKey sticky(Section section) {
    if (!section.has("sticky")) {
      return null;
    }
    Section sticky = section.section("sticky", "cookie", "header", "client");
    String cookie = sticky.text("cookie");
    String header = sticky.text("header");
    boolean client = sticky.raw("client").asBoolean(false);
    if ((cookie == null ? 0 : 1) + (header == null ? 0 : 1) + (client ? 1 : 0) != 1) {
      section.refuse("sticky", "sticky has one of: cookie: NAME, header: NAME, client: true");
      return null;
    }
    if (cookie != null) {
      sticky.refuseIf("cookie", Spelling.ofName(cookie));
    }
    if (header != null) {
      sticky.refuseIf("header", Spelling.ofName(header));
    }
    return cookie != null
        ? new RequestKey.Cookie(cookie)
        : header != null ? new RequestKey.Header(header) : new RequestKey.Client();
  }

  private Balance balance(Section section) {
    if (section.raw("balance").isObject()) {
      return BalanceKeys.read(section);
    }
    return section.oneOf(
        "balance",
        List.of("least-requests", "round-robin"),
        List.<Balance>of(new Balance.LeastRequests(), new Balance.RoundRobin()),
        new Balance.LeastRequests());
  }

  private static Timeouts timeouts(Section section) {
    Section times = section.section("timeout", "connect", "firstByte", "idle", "total");
    Timeouts standard = Timeouts.DEFAULT;
    return new Timeouts(
        times.duration("connect", standard.connect()),
        times.duration("firstByte", standard.firstByte()),
        times.duration("idle", section.has(TcpKeys.TCP) ? TcpKeys.IDLE : standard.idle()),
        times.duration("total", standard.total()));
  }

  private static Retries retries(Section section) {
    Section retries = section.section("retries", "attempts", "on", "for");
    int attempts = retries.integer("attempts", Retries.DEFAULT.attempts(), 0, 10);
    Duration time = retries.duration("for", Retries.DEFAULT.time());
    if (!retries.has("on")) {
      return new Retries(attempts, Retries.DEFAULT.on(), time);
    }
    Set<Retries.Cause> causes = new HashSet<>();
    for (String word : retries.texts("on")) {
      Arrays.stream(Retries.Cause.values())
          .filter(cause -> cause.word().equals(word))
          .findFirst()
          .ifPresentOrElse(
              causes::add,
              () ->
                  retries.refuse(
                      "on",
                      "on has " + String.join(", ", Retries.Cause.WORDS) + "; not '" + word + "'"));
    }
    return new Retries(attempts, causes, time);
  }

  private static @Nullable HealthCheck health(Section section) {
    if (!section.has("health")) {
      return null;
    }
    Section health =
        section.section("health", "path", "interval", "timeout", "healthy", "unhealthy");
    String path = health.text("path", "/");
    health.refuseIf("path", Spelling.ofTarget(path));
    return new HealthCheck(
        path,
        health.duration("interval", Duration.ofSeconds(2)),
        health.duration("timeout", Duration.ofSeconds(1)),
        health.integer("healthy", 2, 1, 100),
        health.integer("unhealthy", 3, 1, 100));
  }

  private static EjectionRule ejection(Section section) {
    Section ejection = section.section("ejection", "consecutive", "for", "atMost");
    EjectionRule standard = EjectionRule.DEFAULT;
    return new EjectionRule(
        ejection.integer("consecutive", standard.consecutive(), 1, 10_000),
        ejection.duration("for", standard.time()),
        ejection.percent("atMost", standard.atMost()));
  }

  private static @Nullable Hold hold(Section section) {
    if (!section.has("hold")) {
      return null;
    }
    Section hold = section.section("hold", "requests", "for");
    return new Hold(
        hold.integer("requests", Hold.STANDARD, 1, Hold.MOST),
        hold.duration("for", Hold.STANDARD_TIME));
  }

  private static @Nullable PathStrip strip(Section section) {
    Section path = section.section("path", "strip");
    String prefix = path.text("strip");
    if (prefix == null) {
      return null;
    }
    String plain = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    path.refuseIf(
        "strip",
        plain.isEmpty() || plain.endsWith("/")
            ? "strip is the beginning of a path, such as /models/a; not '" + prefix + "'"
            : Spelling.ofPath(plain));
    return new PathStrip(plain);
  }
}
