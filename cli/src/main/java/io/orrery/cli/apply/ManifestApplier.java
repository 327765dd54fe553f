package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes a server hold documents: checks all of them, then sends one after the other. */
final class ManifestApplier {
  private final Api api;
  private final @Nullable String project;

  /**
   * @param project of new objects that name none; null for public
   */
  ManifestApplier(Api api, @Nullable String project) {
    this.api = api;
    this.project = project;
  }

  /** The services of this command, which may name each other before they are there. */
  private String together = "";

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
    together =
        manifests.stream()
            .filter(manifest -> manifest.kind() == ManifestKind.SERVICE)
            .map(Manifest::name)
            .collect(Collectors.joining(","));
    List<Checked> checked = new ArrayList<>();
    Set<String> projects = new HashSet<>();
    Set<String> templates = new HashSet<>();
    for (Manifest manifest : manifests) {
      ManifestCode code = ManifestCode.of(manifest, findings);
      checked.add(
          new Checked(manifest, code, check(manifest, code, projects, templates, findings)));
    }
    if (!findings.isEmpty()) {
      throw CommandFailure.refused(String.join("\n", findings));
    }
    return checked;
  }

  /** A project or template that is made by the same command counts as there. */
  private String check(
      Manifest manifest,
      ManifestCode code,
      Set<String> projects,
      Set<String> templates,
      List<String> findings) {
    ObjectNode body = code.body().deepCopy();
    if (projects.contains(body.path("project").asText(""))) {
      body.remove("project");
    }
    switch (manifest.kind()) {
      case PROJECT -> projects.add(manifest.name());
      case TEMPLATE -> templates.add(manifest.name());
      case REGISTRY, BUILD, PIPELINE, SERVICE, NOTEBOOK -> {}
    }
    try {
      return outcome(manifest, body, true);
    } catch (ProblemResponse e) {
      List<Finding> all =
          e.findings().isEmpty() ? List.of(new Finding("", e.text())) : e.findings();
      all.stream()
          .filter(finding -> !isPromised(finding, body, templates))
          .forEach(finding -> findings.add(manifest.place(finding)));
      return "";
    }
  }

  /** Whether a finding is about a template that the same command makes first. */
  private static boolean isPromised(Finding finding, ObjectNode body, Set<String> templates) {
    return finding.pointer().endsWith("/template")
        && templates.contains(body.at(finding.pointer()).asText(""));
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
      case PROJECT -> project(manifest, body.deepCopy(), check);
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
    return check && manifest.kind() == ManifestKind.SERVICE && !together.isEmpty()
        ? together
        : null;
  }

  /** The API of projects does not say whether anything changed, so they are compared here. */
  private String project(Manifest manifest, ObjectNode body, boolean check) {
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
