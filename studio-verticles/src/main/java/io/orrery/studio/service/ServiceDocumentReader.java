package io.orrery.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.Parsed;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.text.Nearest;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Resources;
import io.orrery.studio.document.AmountText;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.document.VariableReader;
import io.orrery.studio.scale.ScalePolicy;
import io.orrery.studio.scale.ScalePolicy.MetricsEndpoint;
import io.orrery.studio.service.ServiceDocument.Health;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the document of a service, with everything that is wrong in it. */
final class ServiceDocumentReader {
  /** The keys that are passed on to the route table, with their names there. */
  private static final Map<String, String> ROUTE_KEYS =
      Map.ofEntries(
          Map.entry("balance", "balance"),
          Map.entry("timeout", "timeout"),
          Map.entry("retries", "retries"),
          Map.entry("hedge", "hedge"),
          Map.entry("sticky", "sticky"),
          Map.entry("limits", "limits"),
          Map.entry("ejection", "ejection"),
          Map.entry("hold", "hold"),
          Map.entry("path", "path"),
          Map.entry("canary", "split"),
          Map.entry("shadow", "mirror"),
          Map.entry("compareBodies", "compareBodies"));

  /** Also {@code limits.rate}. */
  private static final String RATE = "rate";

  private static final List<String> OWN_KEYS =
      List.of(
          "kind",
          "name",
          "type",
          "title",
          "model",
          "metrics",
          "project",
          "cluster",
          "image",
          "imageOf",
          "command",
          "code",
          "config",
          "stage",
          "env",
          "ports",
          "health",
          "startup",
          "grace",
          "resources",
          "volume_mount",
          "replicas",
          "scale",
          "host",
          "expose",
          "rollout",
          RATE);

  private static final Duration STARTUP = Duration.ofMinutes(10);
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final int MOST_TEXT = 10_000;
  private static final int MOST_VARIABLES = 1_000;
  private static final Pattern BUNDLE = Pattern.compile("sha256:([0-9a-f]{64})");

  private final List<Finding> findings = new ArrayList<>();
  private final List<String> notices = new ArrayList<>();
  private final DocumentKeys keys;

  private ServiceDocumentReader(ObjectNode json) {
    this.keys = DocumentKeys.of(json, "", known(), findings::add);
  }

  /**
   * A document that is right.
   *
   * @param notices sentences about it
   */
  record Reading(ServiceDocument document, List<String> notices) {
    Reading {
      notices = List.copyOf(notices);
    }
  }

  /**
   * Reads a document.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with every finding
   */
  static Reading read(ServiceName name, String text) {
    if (!(Json.parse(text) instanceof ObjectNode json)) {
      throw new Problem.Refused(new Finding("", "the document of a service is an object"))
          .toException();
    }
    ServiceDocumentReader reader = new ServiceDocumentReader(json);
    ServiceDocument document = reader.document(name);
    if (!reader.findings.isEmpty()) {
      throw Problem.Refused.of(reader.findings).toException();
    }
    return new Reading(document, reader.notices);
  }

  /** The keys that a document may have. */
  static List<String> known() {
    List<String> known = new ArrayList<>(OWN_KEYS);
    known.addAll(ROUTE_KEYS.keySet());
    return known;
  }

  private ServiceDocument document(ServiceName name) {
    String kind = keys.text("kind", 100);
    if (kind != null && !kind.equals("Service")) {
      keys.wrong("kind", "the kind is Service here, not " + kind);
    }
    String written = keys.text("name", 100);
    if (written != null && !written.equals(name.value())) {
      keys.wrong("name", "the name is %s in the address and %s here".formatted(name, written));
    }
    ServiceType type =
        word("type", ServiceType.words(), List.of(ServiceType.values()), ServiceType.INTERNAL);
    ServedModel model = ModelReader.read(keys, type, name);
    List<Integer> ports = PortsReader.ports(keys, type);
    Health metrics = PortsReader.metrics(keys, type);
    String code = keys.text("code", 4_096);
    Matcher bundle = BUNDLE.matcher(code == null ? "" : code);
    boolean bundled = bundle.matches();
    if (code != null && !bundled && !code.startsWith("/")) {
      keys.wrong(
          "code",
          "code is a directory beside the file, which `orrery apply` uploads; here it is sha256:…"
              + " of an uploaded bundle, or an absolute path of the server");
    }
    String image = keys.text("image", 500);
    String imageOf = imageOf(image);
    boolean imaged = image != null || imageOf != null;
    List<String> command = command();
    if (command.isEmpty() && !imaged) {
      keys.wrong("command", "a service needs a command or an image");
    }
    keys.text("title", 500);
    ModelServer server = command.isEmpty() && imaged && model != null ? ModelServer.of(type) : null;
    int[] replicas = replicas();
    ObjectNode startup = keys.object("startup");
    Resources resources = resources();
    ScalePolicy scaling = scaling(replicas, resources, ports, metrics);
    List<Integer> all = PortsReader.with(ports, metrics, isAsked(scaling));
    return new ServiceDocument(
        model,
        keys.text("cluster", 100),
        image,
        imageOf,
        filled(server == null ? command : server.command(), model),
        bundled ? bundle.group(1) : null,
        bundled ? null : code,
        stage(),
        environment(type, model),
        all,
        PortsReader.health(keys, type, ports, model),
        startup == null
            ? STARTUP
            : keys.inner(startup, "startup", List.of("deadline")).duration("deadline", STARTUP),
        keys.duration("grace", GRACE),
        resources,
        mounts(),
        replicas[0],
        replicas[1],
        scaling,
        host(),
        RolloutReader.read(keys),
        route(),
        ExposeReader.read(keys, ports),
        files(server, model));
  }

  /** The build whose last image is used; null for none. */
  private @Nullable String imageOf(@Nullable String image) {
    String build = keys.text("imageOf", 100);
    if (build != null && image != null) {
      keys.wrong(
          "imageOf", "the image stands in image, and imageOf names a build: leave one of them out");
    }
    return build;
  }

  private @Nullable ScalePolicy scaling(
      int[] replicas, Resources resources, List<Integer> ports, @Nullable Health metrics) {
    MetricsEndpoint endpoint = null;
    if (metrics != null) {
      int place = PortsReader.with(ports, metrics, true).indexOf(metrics.port());
      endpoint = new MetricsEndpoint(ServiceFreezer.portName(place), metrics.path());
    }
    return ScaleReader.read(keys, replicas[0], replicas[1], resources, endpoint, notices::add);
  }

  private static boolean isAsked(@Nullable ScalePolicy scaling) {
    return scaling != null && scaling.scrape() != null;
  }

  private List<String> filled(List<String> texts, @Nullable ServedModel model) {
    if (model == null) {
      return texts;
    }
    String fault = model.commandFault(texts);
    if (fault != null) {
      keys.wrong("command", fault);
    }
    return texts.stream().map(model::fill).toList();
  }

  /** The files of the server of the model and those of the document, which count. */
  private Map<String, String> files(@Nullable ModelServer server, @Nullable ServedModel model) {
    Map<String, String> files = new HashMap<>(server == null ? Map.of() : server.files());
    files.putAll(FilesReader.read(keys));
    if (model != null) {
      files.forEach((path, text) -> {
        String fault = model.fileFault(text);
        if (fault != null) {
          keys.wrong(Pointer.child("config", path), fault);
        }
      });
      files.replaceAll((path, text) -> model.fill(text));
    }
    return files;
  }

  private <T> T word(String key, List<String> words, List<T> values, T usual) {
    String text = keys.text(key, 100);
    int place = text == null ? -1 : words.indexOf(text);
    if (text != null && place < 0) {
      keys.wrong(key, key + " is one of " + String.join(", ", words) + Nearest.hint(text, words));
    }
    return place < 0 ? usual : values.get(place);
  }

  private @Nullable ServiceStage stage() {
    List<String> words = new ArrayList<>(ServiceStage.words());
    words.add("none");
    List<Optional<ServiceStage>> values = words.stream().map(ServiceStage::of).toList();
    return word("stage", words, values, Optional.of(ServiceStage.PRODUCTION)).orElse(null);
  }

  private List<String> command() {
    JsonNode value = keys.value("command");
    if (value != null && value.isArray()) {
      List<String> line = new ArrayList<>();
      value.forEach(word -> line.add(word.asText()));
      boolean right = line.size() <= MOST_VARIABLES;
      for (JsonNode word : value) {
        right &= word.isValueNode() && word.asText().indexOf('\0') < 0;
      }
      if (!right || line.isEmpty() || line.getFirst().isBlank()) {
        keys.wrong("command", "command is a text for the shell, or a list of texts");
        return List.of();
      }
      return line;
    }
    String text = keys.text("command", MOST_TEXT);
    return text == null || text.isBlank() ? List.of() : List.of("/bin/sh", "-c", text);
  }

  /** The variables of the type, the model and the document; the later ones count. */
  private Map<String, String> environment(ServiceType type, @Nullable ServedModel model) {
    Map<String, String> all = new LinkedHashMap<>(type.environment());
    all.putAll(environment());
    if (model != null) {
      all.replaceAll((name, value) -> model.fill(value));
    }
    return all;
  }

  private Map<String, String> environment() {
    return VariableReader.read(
        keys, "env", name -> name.startsWith("ORRERY_") || name.equals("PORT"));
  }

  private Resources resources() {
    ObjectNode object = keys.object("resources");
    if (object == null) {
      return Resources.UNLIMITED;
    }
    DocumentKeys inner = keys.inner(object, "resources", List.of("cpu", "memory", "gpu"));
    return new Resources(
        amount(inner, "cpu", AmountText::cpu, "cores such as 0.5~2", Amount.UNLIMITED),
        amount(inner, "memory", AmountText::memory, "memory such as 512M~2G", Amount.UNLIMITED),
        amount(inner, "gpu", AmountText::gpus, "a number of GPUs such as 1 or 1(V100)", 0));
  }

  private static <T> T amount(
      DocumentKeys keys, String key, Function<String, Optional<T>> read, String example, T usual) {
    String text = keys.text(key, 100);
    if (text == null) {
      return usual;
    }
    Optional<T> amount = read.apply(text);
    if (amount.isEmpty()) {
      keys.wrong(key, key + " is " + example + ", not '" + text + "'");
    }
    return amount.orElse(usual);
  }

  private Mounts mounts() {
    String text = keys.text("volume_mount", Mounts.MOST_CHARACTERS);
    if (text == null) {
      return Mounts.NONE;
    }
    Parsed<Mounts> mounts = Mounts.read(text);
    mounts.findings().forEach(finding -> findings.add(finding.at("/volume_mount")));
    mounts.notices().forEach(notice -> notices.add(notice.at("/volume_mount").text()));
    return mounts.value();
  }

  private int[] replicas() {
    JsonNode value = keys.value("replicas");
    if (value instanceof ObjectNode object) {
      DocumentKeys inner = keys.inner(object, "replicas", List.of("min", "max"));
      Integer least = inner.integer("min", 0, Services.MOST_REPLICAS);
      Integer most = inner.integer("max", 1, Services.MOST_REPLICAS);
      int min = least == null ? 1 : least;
      int max = most == null ? Math.max(1, min) : most;
      if (max < min) {
        inner.wrong("max", "max is at least min, which is " + min);
      }
      return new int[] {min, max};
    }
    Integer number = keys.integer("replicas", 0, Services.MOST_REPLICAS);
    int replicas = number == null ? 1 : number;
    return new int[] {replicas, replicas};
  }

  private @Nullable String host() {
    String host = keys.text("host", 253);
    return host == null || host.isBlank() ? null : host.strip().toLowerCase(Locale.ROOT);
  }

  private ObjectNode route() {
    ObjectNode route = Json.MAPPER.createObjectNode();
    ROUTE_KEYS.forEach((key, there) -> {
      JsonNode value = keys.value(key);
      if (value != null) {
        route.set(there, value);
      }
    });
    rate(route);
    return route;
  }

  private void rate(ObjectNode route) {
    JsonNode rate = keys.value(RATE);
    if (rate == null) {
      return;
    }
    if (route.path("limits").has(RATE)) {
      keys.wrong(RATE, "the rate stands here and in limits.rate: leave one of them out");
    } else if (!route.has("limits") || route.path("limits").isObject()) {
      ObjectNode limits =
          route.path("limits") instanceof ObjectNode given
              ? given.deepCopy()
              : Json.MAPPER.createObjectNode();
      route.set("limits", limits.set(RATE, rate));
    }
  }
}
