package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes the server hold what documents say: {@code orrery apply -f}. */
@Command(
    name = "apply",
    description = {
      "Create what documents describe, or change it; the same again changes nothing.",
      "All documents are checked first, and nothing is changed when one is wrong."
    })
public final class ApplyCommand implements Callable<Integer> {
  private final Session session;

  @Option(
      names = {"-f", "--file"},
      required = true,
      arity = "1..*",
      paramLabel = "FILE",
      description = "A file, a directory, or - for stdin; several documents to a file.")
  private List<String> files = List.of();

  @Option(names = "--dry-run", description = "Only check, and say what would be done.")
  private boolean dryRun;

  @Option(
      names = "--project",
      paramLabel = "P",
      description = "The project of new objects that name none.")
  private @Nullable String project;

  public ApplyCommand(Session session) {
    this.session = session;
  }

  /**
   * A document that is ready to be sent.
   *
   * @param code the directory that is uploaded before it; null for none
   * @param digest of the code
   */
  private record Ready(
      Manifest manifest, ObjectNode body, @Nullable Path code, @Nullable String digest) {}

  @Override
  public Integer call() {
    ManifestReader reader = new ManifestReader(session.terminal(), System.in);
    List<Manifest> manifests = List.of();
    for (String file : files) {
      manifests = reader.read(file);
    }
    List<String> findings = new ArrayList<>(reader.findings());
    List<Ready> ready = new ArrayList<>();
    for (Manifest manifest : manifests) {
      ready.add(prepared(manifest, findings));
    }
    if (manifests.isEmpty() && findings.isEmpty()) {
      throw CommandFailure.refused("there is no document in " + String.join(", ", files));
    }
    List<String> outcomes = new ArrayList<>();
    Set<String> projects = new HashSet<>();
    for (Ready each : ready) {
      outcomes.add(check(each, projects, findings));
    }
    if (!findings.isEmpty()) {
      throw CommandFailure.refused(String.join("\n", findings));
    }
    for (int i = 0; i < ready.size(); i++) {
      Ready each = ready.get(i);
      say(each.manifest(), dryRun ? outcomes.get(i) : apply(each));
    }
    return 0;
  }

  private void say(Manifest manifest, String outcome) {
    if (session.json()) {
      session.print(
          JsonNodeFactory.instance
              .objectNode()
              .put("kind", manifest.kind().word())
              .put("name", manifest.name())
              .put("outcome", outcome));
    } else {
      session.terminal().out().println(outcome + " " + manifest.title());
    }
  }

  private Ready prepared(Manifest manifest, List<String> findings) {
    ObjectNode body = manifest.body();
    String code = body.path("code").asText("");
    Path folder = manifest.folder();
    if (manifest.kind() != ManifestKind.SERVICE
        || code.isEmpty()
        || code.startsWith("sha256:")
        || folder == null) {
      return new Ready(manifest, body, null, null);
    }
    Path directory = folder.resolve(code).normalize();
    CodeUpload.Looked looked = CodeUpload.look(directory);
    looked.findings().forEach(finding -> findings.add(manifest.place(finding)));
    body.put("code", "sha256:" + looked.digest());
    return looked.findings().isEmpty()
        ? new Ready(manifest, body, directory, looked.digest())
        : new Ready(manifest, manifest.body(), null, null);
  }

  /**
   * Checks a document at the server. A project that is made by the same command counts as there.
   */
  private String check(Ready ready, Set<String> projects, List<String> findings) {
    Manifest manifest = ready.manifest();
    ObjectNode body = ready.body().deepCopy();
    if (projects.contains(body.path("project").asText(""))) {
      body.remove("project");
    }
    if (manifest.kind() == ManifestKind.PROJECT) {
      projects.add(manifest.name());
    }
    try {
      return outcome(manifest, body, true);
    } catch (ProblemResponse e) {
      List<Finding> all = e.findings();
      if (all.isEmpty()) {
        findings.add(manifest.place(new Finding("", e.text())));
      }
      all.forEach(finding -> findings.add(manifest.place(finding)));
      return "";
    }
  }

  private String apply(Ready ready) {
    Path code = ready.code();
    String digest = ready.digest();
    if (code != null && digest != null) {
      try {
        CodeUpload.send(session.api(), code, digest);
      } catch (IOException e) {
        throw CommandFailure.failed("could not upload " + code + ": " + FileFault.words(e));
      }
    }
    return outcome(ready.manifest(), ready.body(), false);
  }

  private String outcome(Manifest manifest, ObjectNode body, boolean check) {
    return switch (manifest.kind()) {
      case PROJECT -> project(manifest, body, check);
      case SERVICE ->
          session
              .api()
              .put(
                  Resource.of("services", manifest.name())
                      .with("dryRun", check ? Boolean.TRUE : null)
                      .with("project", body.has("project") ? null : project),
                  body)
              .path("outcome")
              .asText();
    };
  }

  /** The API of projects does not say whether anything changed, so they are compared here. */
  private String project(Manifest manifest, ObjectNode body, boolean check) {
    Api api = session.api();
    Resource one = Resource.of("projects", manifest.name());
    body.remove("kind");
    Optional<JsonNode> present = api.find(one);
    if (present.isPresent() && isSame(present.get(), body)) {
      return "unchanged";
    }
    api.put(one.with("dryRun", check ? Boolean.TRUE : null), body);
    return present.isPresent() ? "changed" : "created";
  }

  private static boolean isSame(JsonNode present, ObjectNode wanted) {
    JsonNode empty = JsonNodeFactory.instance.objectNode();
    return present.path("title").asText("").equals(wanted.path("title").asText(""))
        && present.path("settings").equals(wanted.has("settings") ? wanted.get("settings") : empty)
        && present.path("quota").equals(wanted.has("quota") ? wanted.get("quota") : empty);
  }
}
