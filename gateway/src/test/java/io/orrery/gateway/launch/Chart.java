package io.orrery.gateway.launch;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Renders {@code deploy/helm/orrery} by Helm itself, and reads what comes out. */
final class Chart {
  static final Path DIRECTORY = Path.of("../deploy/helm/orrery").toAbsolutePath().normalize();
  private static final KubernetesSerialization KUBERNETES = new KubernetesSerialization();

  private final String text;
  private final List<HasMetadata> objects = new ArrayList<>();

  private Chart(String text) {
    this.text = text;
    for (String document : text.split("(?m)^---$")) {
      if (document.lines().anyMatch(line -> !line.isBlank() && !line.startsWith("#"))) {
        objects.add(KUBERNETES.<HasMetadata>unmarshal(document));
      }
    }
  }

  /** The chart with values, which are YAML, written to a file of the folder. */
  static Chart rendered(Path folder, String values) throws IOException {
    Path file = Files.writeString(Files.createTempFile(folder, "values", ".yaml"), values);
    TemplateCommand command = new Helm(DIRECTORY).template();
    return new Chart(command.withName("orrery").withNamespace("ml").withValuesFile(file).call());
  }

  static LintResult linted() {
    return new Helm(DIRECTORY).lint().strict().call();
  }

  String text() {
    return text;
  }

  List<HasMetadata> objects() {
    return objects;
  }

  <T> List<T> all(Class<T> kind) {
    return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  <T extends HasMetadata> T one(Class<T> kind, String name) {
    return all(kind).stream()
        .filter(object -> object.getMetadata().getName().equals(name))
        .findAny()
        .orElseThrow(() -> new AssertionError("no " + kind.getSimpleName() + " " + name));
  }

  /** The server's {@code orrery.yml}. */
  String configuration() {
    return one(Secret.class, "orrery-config").getStringData().get("orrery.yml");
  }
}
