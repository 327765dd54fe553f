package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a server hold documents: checks all of them, then sends one after the other. */
final class ManifestApplier {
  private final Api api;
  private final @Nullable String project;
  private final Consumer<String> notices;

  /**
   * @param project of new objects that name none; null for public
   * @param notices sees what is left out of code
   */
  ManifestApplier(Api api, @Nullable String project, Consumer<String> notices) {
    this.notices = notices;
    this.api = api;
    this.project = project;
  }

  /** The services of this command, which may be named before they are there, with their hosts. */
  private Map<String, String> services = Map.of();

  /**
   * A document that is right.
   *
   * @param outcome that sending it would have: created, changed or unchanged
   */
  record Checked(Manifest manifest, ManifestCode code, String outcome) {}

  /**
   * Checks documents in the order in which they depend on each other.
   *
   * @param findings lines about what is wrong already
   * @throws CommandFailure refused, with all that is wrong in all documents
   */
  List<Checked> check(List<Manifest> manifests, List<String> findings) {
    Map<String, String> hosts = new LinkedHashMap<>();
    manifests.stream()
        .filter(manifest -> manifest.kind() == ObjectKind.SERVICE)
        .forEach(manifest ->
            hosts.put(manifest.name(), manifest.document().root().path("host").asText("")));
    services = hosts;
    List<Checked> checked = new ArrayList<>();
    Set<String> projects = new HashSet<>();
    Set<String> promised = new HashSet<>();
    for (Manifest manifest : manifests) {
      ManifestCode code = ManifestCode.of(manifest, findings);
      checked.add(new Checked(manifest, code, check(manifest, code, projects, promised, findings)));
    }
    if (!findings.isEmpty()) {
      throw CommandFailure.refused(String.join("\n", findings));
    }
    checked.stream().flatMap(each -> each.code().notices().stream()).forEach(notices);
    return checked;
  }

  /** A project, template or model that is made by the same command counts as there. */
  private String check(
      Manifest manifest,
      ManifestCode code,
      Set<String> projects,
      Set<String> promised,
      List<String> findings) {
    ObjectNode body = code.body().deepCopy();
    if (projects.contains(body.path("project").asText(""))) {
      body.remove("project");
    }
    switch (manifest.kind()) {
      case PROJECT -> projects.add(manifest.name());
      case TEMPLATE, MODEL -> promised.add(manifest.title());
      case REGISTRY, BUILD, PIPELINE, SERVICE, DOMAIN, NOTEBOOK, EXPERIMENT, TOKEN -> {}
    }
    try {
      return outcome(manifest, body, true);
    } catch (DocumentRefused e) {
      e.findings().forEach(finding -> findings.add(manifest.place(finding)));
      return "";
    } catch (ProblemResponse e) {
      List<Finding> all =
          e.findings().isEmpty() ? List.of(new Finding("", e.text())) : e.findings();
      List<Finding> wrong =
          all.stream().filter(finding -> !isPromised(finding, body, promised)).toList();
      wrong.forEach(finding -> findings.add(manifest.place(finding)));
      return wrong.isEmpty() ? promisedOutcome(manifest) : "";
    }
  }

  /** The outcome of a document that the server cannot check yet. */
  private String promisedOutcome(Manifest manifest) {
    boolean present =
        api.find(Resource.of(manifest.kind().collection(), manifest.name())).isPresent();
    return present ? "changed" : "created";
  }

  /** Whether a finding is about a template or a model that the same command makes first. */
  private static boolean isPromised(Finding finding, ObjectNode body, Set<String> promised) {
    String pointer = finding.pointer();
    return pointer.endsWith("/template")
        ? promised.contains(ObjectKind.TEMPLATE.word() + "/" + body.at(pointer).asText(""))
        : pointer.startsWith("/model/")
            && promised.contains(ObjectKind.MODEL.word() + "/" + body.at("/model/name").asText(""));
  }

  /** Sends a document with its code; the outcome. */
  String apply(Checked checked) {
    checked
        .code()
        .directories()
        .forEach((digest, directory) -> {
          try {
            CodeUpload.send(api, directory, digest);
          } catch (IOException e) {
            throw CommandFailure.failed(
                "could not upload " + directory + ": " + FileFault.words(e));
          }
        });
    return outcome(checked.manifest(), checked.code().body(), false);
  }

  private String outcome(Manifest manifest, ObjectNode body, boolean check) {
    return switch (manifest.kind()) {
      case PROJECT -> new ProjectDocument(api, manifest.name(), body).outcome(check);
      case MODEL -> new ModelDocument(api, manifest.name(), body, project).outcome(check);
      case DOMAIN -> {
        DomainDocument domain = new DomainDocument(api, manifest.name(), body, services);
        yield manifest.isNameless() ? domain.check() : domain.outcome(check);
      }
      case EXPERIMENT -> new ExperimentDocument(api, manifest, body, project).outcome(check);
      case TOKEN -> throw new IllegalStateException("a token has no document");
      case REGISTRY, BUILD, TEMPLATE, PIPELINE, SERVICE, NOTEBOOK ->
          api.put(
                  Resource.of(manifest.kind().collection(), manifest.name())
                      .with("dryRun", check ? Boolean.TRUE : null)
                      .with("together", names(manifest, check))
                      .with("project", body.has("project") ? null : project),
                  body)
              .path("outcome")
              .asText();
    };
  }

  /** The services that come with a service and count as there at its check; null for none. */
  private @Nullable String names(Manifest manifest, boolean check) {
    return check && manifest.kind() == ObjectKind.SERVICE && !services.isEmpty()
        ? String.join(",", services.keySet())
        : null;
  }
}
