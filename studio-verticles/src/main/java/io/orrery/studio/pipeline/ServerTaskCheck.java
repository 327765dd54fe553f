package io.orrery.studio.pipeline;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Secrets;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.image.EnvironmentChoice;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunAlerts;
import io.orrery.core.run.StepWork;
import io.orrery.studio.pipeline.TaskDocument.AskPeople;
import io.orrery.studio.pipeline.TaskDocument.DoneByServer;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks what a pipeline will ask for, so that a fault in an experiment or a service, or a missing
 * secret or mail server, is a finding when the pipeline is stored.
 */
final class ServerTaskCheck {
  private static final String NO_MAIL =
      "this server sends no mail: leave mail out, or have an administrator set mail.host";

  private final Bus bus;
  private final boolean mails;

  /**
   * @param mails whether this server sends alerts as mails
   */
  ServerTaskCheck(Bus bus, boolean mails) {
    this.bus = bus;
    this.mails = mails;
  }

  /**
   * Fails with Refused, and the findings of all tasks.
   *
   * @param alerted whether the stored document has the same receivers of mail: then it may stay
   */
  Future<Void> check(PipelineDocument document, ProjectName project, Actor by, boolean alerted) {
    boolean registers =
        document.tasks().stream()
            .anyMatch(task -> task.action() instanceof DoneByServer(StepWork.Registration ignored));
    List<Future<List<Finding>>> checks = new ArrayList<>();
    for (TaskDocument task : document.tasks()) {
      if (task.action() instanceof DoneByServer(StepWork.OfServer work)) {
        switch (work) {
          case StepWork.Search search ->
              checks.add(
                  found(experiment(search, project, by), task.pointer() + "/experiment/config"));
          case StepWork.Deployment deployment ->
              checks.add(
                  found(service(deployment, project, by), task.pointer() + "/service")
                      // The version that it names may come of the run.
                      .map(findings -> registers ? withoutModel(findings, task) : findings));
          case StepWork.Registration ignored -> {}
          case StepWork.Debugging ignored -> {}
        }
      }
    }
    services(document, project, by, checks);
    SecretUses secrets = SecretUses.of(document);
    if (!secrets.isEmpty()) {
      checks.add(missing(secrets, project));
    }
    if (!alerted && hasMailWithoutServer(document)) {
      checks.add(Future.succeededFuture(List.of(new Finding("/alerts/mail", NO_MAIL))));
    }
    return Future.all(checks)
        .map(all -> {
          List<Finding> findings =
              all.<List<Finding>>list().stream().flatMap(List::stream).toList();
          if (!findings.isEmpty()) {
            throw Problem.Refused.of(findings).toException();
          }
          return null;
        });
  }

  /** Those of programs elsewhere; tasks that are set alike are asked about once. */
  private void services(
      PipelineDocument document,
      ProjectName project,
      Actor by,
      List<Future<List<Finding>>> checks) {
    List<TaskDocument> tasks = new ArrayList<>(document.tasks());
    TaskDocument exit = document.onExit();
    if (exit != null) {
      tasks.add(exit);
    }
    boolean sealed = document.environment().values().stream().anyMatch(SecretUses::isSecret);
    Set<PipelineRuns.CheckService> asked = new HashSet<>();
    for (TaskDocument task : tasks) {
      boolean here = task.action() instanceof DoneByServer || task.action() instanceof AskPeople;
      if (here || task.container() != null || !task.place().isChecked()) {
        continue;
      }
      PipelineRuns.CheckService check =
          new PipelineRuns.CheckService(
              new TrainingServiceSpec(task.platform(), task.place().settings()),
              task.gpus(),
              new ResourceOwner(project, by.name()),
              sealed || SecretUses.hasSecretVariables(task));
      if (asked.add(check)) {
        checks.add(
            found(bus.request(PipelineRuns.CHECK_SERVICE, check), task.pointer())
                .map(findings -> asWritten(findings, task)));
      }
    }
  }

  /** The findings with the pointer to the environment where its task has it. */
  private static List<Finding> asWritten(List<Finding> findings, TaskDocument task) {
    String section = task.pointer() + "/trainingService/" + EnvironmentChoice.KEY;
    return findings.stream()
        .map(finding ->
            task.place().named() && finding.pointer().equals(section)
                ? new Finding(task.pointer() + "/" + EnvironmentChoice.KEY, finding.message())
                : finding)
        .toList();
  }

  /** Sentences about a document that is stored as it is. */
  List<String> notices(PipelineDocument document) {
    return hasMailWithoutServer(document) ? List.of("alerts.mail: " + NO_MAIL) : List.of();
  }

  private boolean hasMailWithoutServer(PipelineDocument document) {
    RunAlerts alerts = document.alerts();
    return !mails && alerts != null && !alerts.mail().isEmpty();
  }

  private Future<List<Finding>> missing(SecretUses uses, ProjectName project) {
    return bus.request(Secrets.LIST, new Secrets.SecretsOf(project))
        .map(all ->
            uses.missing(
                project,
                all.items().stream()
                    .map(Secrets.ProjectSecret::name)
                    .collect(Collectors.toUnmodifiableSet())));
  }

  private static List<Finding> withoutModel(List<Finding> findings, TaskDocument task) {
    return findings.stream()
        .filter(finding -> !finding.pointer().startsWith(task.pointer() + "/service/model"))
        .toList();
  }

  private static Future<List<Finding>> found(Future<?> check, String pointer) {
    return check
        .map(List.<Finding>of())
        .recover(failure ->
            switch (Problem.of(failure)) {
              case Problem.Passing passing -> Future.failedFuture(failure);
              case Problem.Broken broken -> Future.failedFuture(failure);
              case Problem.Refused refused when !refused.findings().isEmpty() ->
                  Future.succeededFuture(
                      refused.findings().stream()
                          .map(finding ->
                              new Finding(pointer + finding.pointer(), finding.message()))
                          .toList());
              case Problem other ->
                  Future.succeededFuture(List.of(new Finding(pointer, other.detail())));
            });
  }

  private Future<?> experiment(StepWork.Search search, ProjectName project, Actor by) {
    return bus.request(
        Experiments.CREATE,
        new Experiments.Create(
            search.config(),
            search.base(),
            true,
            null,
            new ResourceOwner(project, by.name()),
            false));
  }

  private Future<?> service(StepWork.Deployment deployment, ProjectName project, Actor by) {
    return bus.request(Services.GET, new Services.GetService(deployment.service()))
        .map(found -> {
          if (!found.project().equals(project)) {
            throw new Problem.Refused(
                    new Finding(
                        "/name",
                        "there is no service %s in project %s, and the name is taken"
                            .formatted(deployment.service(), project)))
                .toException();
          }
          return false;
        })
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.succeededFuture(true)
                : Future.failedFuture(failure))
        .compose(creates ->
            bus.request(
                Services.PUT,
                new Services.PutService(
                    by,
                    deployment.service(),
                    project,
                    deployment.document(),
                    creates,
                    null,
                    true,
                    List.of())));
  }
}
