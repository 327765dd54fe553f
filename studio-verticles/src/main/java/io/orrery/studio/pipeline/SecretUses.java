package io.orrery.studio.pipeline;

import io.orrery.core.access.ProjectName;
import io.orrery.core.code.CodeRepository;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.project.SecretReference;
import io.orrery.core.run.RunAlerts;
import io.orrery.studio.pipeline.TaskDocument.OfTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The secrets of its project that a pipeline names, each with its place in the document. */
final class SecretUses {
  private final List<Use> uses = new ArrayList<>();

  /** A name of a secret at a place. */
  private record Use(String pointer, String secret) {}

  private SecretUses() {}

  /** Those of the variables of the pipeline, of its tasks and their templates, and its alerts. */
  static SecretUses of(PipelineDocument document) {
    SecretUses all = new SecretUses();
    document.environment().forEach((name, value) -> all.add("/env", name, value));
    document.tasks().forEach(all::add);
    TaskDocument exit = document.onExit();
    if (exit != null) {
      all.add(exit);
    }
    RunAlerts alerts = document.alerts();
    if (alerts != null && alerts.webhook() != null) {
      all.uses.add(new Use("/alerts/webhook", alerts.webhook()));
    }
    return all;
  }

  private void add(TaskDocument task) {
    task.place()
        .secrets(
            task.pointer() + "/trainingService",
            (pointer, secret) -> uses.add(new Use(pointer, secret)));
    CodeRepository repository = task.repository();
    if (repository != null && repository.secret() != null) {
      uses.add(new Use(task.pointer() + "/code/secret", repository.secret()));
    }
    task.environment().forEach((name, value) -> add(task.pointer() + "/env", name, value));
    if (task.action() instanceof OfTemplate of) {
      of.template()
          .environment()
          .values()
          .forEach(value ->
              SecretReference.name(value)
                  .ifPresent(secret -> uses.add(new Use(task.pointer() + "/template", secret))));
    }
  }

  /** Whether a variable is a secret: only where the document itself writes the reference. */
  static boolean isSecret(TextTemplate value) {
    return value.isPlain() && SecretReference.name(value.plain()).isPresent();
  }

  /** Whether a task, or its template, has a variable that is one. */
  static boolean hasSecretVariables(TaskDocument task) {
    return task.environment().values().stream().anyMatch(SecretUses::isSecret)
        || (task.action() instanceof OfTemplate of
            && of.template().environment().values().stream()
                .anyMatch(value -> SecretReference.name(value).isPresent()));
  }

  private void add(String parent, String variable, TextTemplate value) {
    if (value.isPlain()) {
      SecretReference.name(value.plain())
          .ifPresent(secret -> uses.add(new Use(Pointer.child(parent, variable), secret)));
    }
  }

  boolean isEmpty() {
    return uses.isEmpty();
  }

  /**
   * A finding for each that is missing.
   *
   * @param known the names of those that the project has
   */
  List<Finding> missing(ProjectName project, Set<String> known) {
    return uses.stream()
        .filter(use -> !known.contains(use.secret()))
        .map(use ->
            new Finding(
                use.pointer(),
                "project %s has no secret %s: set it with orrery project secret"
                    .formatted(project, use.secret())))
        .distinct()
        .toList();
  }
}
