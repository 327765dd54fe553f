package io.orrery.core.project;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.project.ProjectSettings.Reading;
import io.orrery.core.text.Nearest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the settings of a project and finds everything that is wrong with them. */
final class SettingsReader {
  static final String CLUSTER = "cluster";
  static final String NODE_SELECTOR = "node_selector";
  static final String ORG = "org";
  static final String VOLUME_MOUNT = "volume_mount";
  static final String SERVICE_EXTERNAL_IP = "SERVICE_EXTERNAL_IP";
  static final String AREA = "area";

  private static final String INDEX = "index";
  private static final String HELP_URL = "help_url";
  private static final String BALANCER = "TKE_EXISTED_LBID";

  private static final List<String> KEYS =
      List.of(
          CLUSTER,
          NODE_SELECTOR,
          ORG,
          VOLUME_MOUNT,
          SERVICE_EXTERNAL_IP,
          AREA,
          INDEX,
          HELP_URL,
          BALANCER);

  private static final Pattern BALANCER_FORM =
      Pattern.compile("[A-Za-z0-9][-A-Za-z0-9]{0,62}(\\|[A-Za-z0-9][-A-Za-z0-9.:]{0,252})?");

  private static final int MOST_AREA = 200;
  private static final int MOST_URL = 2_000;
  private static final int MOST_FINDINGS = 200;

  private final String pointer;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Finding> notices = new ArrayList<>();
  private final Map<String, String> others = new HashMap<>();

  private @Nullable String cluster;
  private @Nullable String area;
  private NodeSelector selector = NodeSelector.ANY;
  private List<String> orgs = List.of();
  private Mounts mounts = Mounts.NONE;
  private List<ExternalAddress> addresses = List.of();

  private SettingsReader(String pointer) {
    this.pointer = pointer;
  }

  static Reading read(String text) {
    if (text.isBlank()) {
      return new Reading(ProjectSettings.NONE, List.of(), List.of());
    }
    if (text.length() > ProjectSettings.MOST_CHARACTERS) {
      return refused(List.of(tooLong("", text.length())));
    }
    try {
      Reading reading = read(Json.parse(text), "");
      return reading.findings().isEmpty() && reading.notices().isEmpty()
          ? reading
          : placed(reading, Document.read(text));
    } catch (ProblemException e) {
      return refused(
          e.problem() instanceof Problem.Refused known
              ? first(known.findings())
              : List.of(new Finding("", e.problem().detail())));
    }
  }

  static Reading read(JsonNode json, String pointer) {
    SettingsReader reader = new SettingsReader(pointer);
    if (!json.isObject()) {
      return refused(
          List.of(
              new Finding(pointer, "settings are a JSON object, as in {\"cluster\": \"dev\"}")));
    }
    json.properties().forEach(entry -> reader.key(entry.getKey(), entry.getValue()));
    return reader.reading();
  }

  private static Reading refused(List<Finding> findings) {
    return new Reading(ProjectSettings.NONE, findings, List.of());
  }

  private static Reading placed(Reading reading, Document document) {
    return new Reading(
        reading.settings(),
        document.placed(reading.findings()),
        document.placed(reading.notices()));
  }

  private static Finding tooLong(String pointer, int length) {
    return new Finding(
        pointer,
        "settings have at most %,d characters, and these have %,d"
            .formatted(ProjectSettings.MOST_CHARACTERS, length));
  }

  /** The first findings and the number of the others. */
  private static List<Finding> first(List<Finding> all) {
    if (all.size() <= MOST_FINDINGS) {
      return all;
    }
    List<Finding> first = new ArrayList<>(all.subList(0, MOST_FINDINGS));
    first.add(new Finding("", "there are %,d more of these".formatted(all.size() - MOST_FINDINGS)));
    return first;
  }

  private Reading reading() {
    boolean bothSet = !orgs.isEmpty() && !selector.orgs().isEmpty();
    if (bothSet && !new HashSet<>(orgs).equals(new HashSet<>(selector.orgs()))) {
      wrong(
          ORG,
          "says %s, and %s says org=%s; set one of the two"
              .formatted(
                  Characters.quoted(String.join(",", orgs)),
                  NODE_SELECTOR,
                  Characters.quoted(String.join(",", selector.orgs()))));
    }
    ProjectSettings settings =
        new ProjectSettings(cluster, selector, orgs, mounts, addresses, area, others);
    int length = settings.text().length();
    if (findings.isEmpty() && length > ProjectSettings.MOST_CHARACTERS) {
      findings.add(tooLong(pointer, length));
    }
    return new Reading(settings, first(findings), first(notices));
  }

  private void key(String key, JsonNode value) {
    if (value.isNull()) {
      return;
    }
    switch (key) {
      case CLUSTER -> cluster = matching(key, value, LabelSyntax::isValue, "a name such as dev");
      case AREA ->
          area = matching(key, value, SettingsReader::isArea, "at most 200 visible characters");
      case NODE_SELECTOR ->
          selector = parsed(key, value, selector, NodeSelector::read, "org=public");
      case ORG -> orgs = parsed(key, value, orgs, NodeSelector::readOrgs, "public");
      case VOLUME_MOUNT ->
          mounts =
              parsed(
                  key,
                  value,
                  mounts,
                  text -> Mounts.read(text, Mounts.PROJECT_KINDS),
                  "kubeflow-user-workspace(pvc):/mnt");
      case SERVICE_EXTERNAL_IP -> addresses(value);
      case INDEX -> number(key, value);
      case HELP_URL ->
          keep(
              key,
              matching(key, value, SettingsReader::isUrl, "an http or https URL without a user"));
      case BALANCER ->
          keep(
              key,
              matching(
                  key,
                  value,
                  text -> BALANCER_FORM.matcher(text).matches(),
                  "the id of a load balancer, or id|address"));
      default -> unknown(key, value);
    }
  }

  /**
   * The text of a key, trimmed; null when it is blank or wrong. A finding does not repeat the text:
   * a URL may hold a password.
   */
  private @Nullable String matching(
      String key, JsonNode value, Predicate<String> isRight, String form) {
    if (!value.isTextual()) {
      wrong(key, "must be text, " + form);
      return null;
    }
    String text = value.textValue().strip();
    if (!text.isEmpty() && !isRight.test(text)) {
      wrong(key, "must be " + form);
      return null;
    }
    return text.isEmpty() ? null : text;
  }

  /** The value of a text with a grammar; the value given when it is no text. */
  private <T> T parsed(
      String key, JsonNode value, T none, Function<String, Parsed<T>> grammar, String example) {
    if (!value.isTextual()) {
      wrong(key, "must be text, as in \"" + example + "\"");
      return none;
    }
    return add(grammar.apply(value.textValue()), Pointer.child(pointer, key));
  }

  private <T> T add(Parsed<T> parsed, String at) {
    parsed.findings().forEach(finding -> findings.add(finding.at(at)));
    parsed.notices().forEach(notice -> notices.add(notice.at(at)));
    return parsed.value();
  }

  private void addresses(JsonNode value) {
    if (!value.isArray()) {
      addresses = parsed(SERVICE_EXTERNAL_IP, value, addresses, ExternalAddress::read, "10.0.0.7");
      return;
    }
    String at = Pointer.child(pointer, SERVICE_EXTERNAL_IP);
    AddressReader reader = new AddressReader();
    for (int i = 0; i < value.size(); i++) {
      String element = Pointer.child(at, i);
      if (value.get(i).isTextual()) {
        addresses = add(reader.add(value.get(i).textValue()), element);
      } else {
        findings.add(new Finding(element, "must be text, as in \"10.0.0.7\""));
      }
    }
  }

  private void number(String key, JsonNode value) {
    if (value.isNumber() && Double.isFinite(value.doubleValue())) {
      others.put(key, CanonicalJson.write(value));
    } else {
      wrong(key, "must be a finite number, as in 1.5");
    }
  }

  private void keep(String key, @Nullable String text) {
    if (text != null) {
      others.put(key, Json.write(text));
    }
  }

  private void unknown(String key, JsonNode value) {
    String fault = CanonicalJson.keyFault(key);
    if (fault != null) {
      findings.add(new Finding(pointer, fault));
      return;
    }
    String at = Pointer.child(pointer, key);
    int before = findings.size();
    CanonicalJson.check(value, at, 2, findings);
    if (findings.size() == before) {
      others.put(key, CanonicalJson.write(value));
      notices.add(
          new Finding(
              at,
              "is not a setting of a project%s; it is kept and has no effect"
                  .formatted(Nearest.hint(key, KEYS))));
    }
  }

  private void wrong(String key, String message) {
    findings.add(new Finding(Pointer.child(pointer, key), message));
  }

  private static boolean isArea(String text) {
    return text.length() <= MOST_AREA && Characters.isVisible(text);
  }

  private static boolean isUrl(String text) {
    try {
      URI url = new URI(text);
      return text.length() <= MOST_URL
          && Characters.isVisible(text)
          && url.getHost() != null
          && url.getUserInfo() == null
          && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()));
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
