package io.orrery.studio.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.artifact.ArtifactPath;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Models.About;
import io.orrery.core.bus.contract.Models.Content;
import io.orrery.core.bus.contract.Models.FromRun;
import io.orrery.core.bus.contract.Models.FromTrial;
import io.orrery.core.bus.contract.Models.RegisterVersion;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.digest.Sha256;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.Trial;
import io.orrery.studio.artifact.ArtifactHandler;
import io.orrery.studio.artifact.ArtifactTable;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects the files of a version that is to be registered, and what is known of its source. */
final class VersionContent {
  private final Bus bus;
  private final ArtifactHandler artifacts;
  private final ArtifactTable table;
  private final TrialFiles trials;

  VersionContent(Bus bus, ArtifactHandler artifacts, ArtifactTable table, TrialFiles trials) {
    this.bus = bus;
    this.artifacts = artifacts;
    this.table = table;
    this.trials = trials;
  }

  /** The files of a version, and what is said of it. */
  record Collected(Content content, List<ArtifactFile> files, About about) {}

  /** Collects what a request asks for; fails with Refused when it is not there. */
  Future<Collected> collect(RegisterVersion wanted) {
    FromTrial trial = wanted.trial();
    if (trial != null) {
      return ofTrial(trial, wanted.about(), wanted.dryRun());
    }
    FromRun run = wanted.run();
    if (run != null) {
      return table
          .files(Artifacts.treeOfRun(run.run()), run.path())
          .map(files ->
              of(
                  files.stream()
                      .map(file ->
                          new ArtifactFile(
                              ArtifactPath.below(run.path(), file.path()),
                              file.digest(),
                              file.bytes()))
                      .toList(),
                  wanted.path(),
                  wanted.about()));
    }
    if (wanted.files().isEmpty()) {
      return Future.succeededFuture(of(List.of(), wanted.path(), wanted.about()));
    }
    return artifacts
        .present(wanted.files())
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound(String detail)
                ? Future.failedFuture(
                    new Problem.Refused(new Finding("/files", detail + " Upload it first."))
                        .toException())
                : Future.failedFuture(failure))
        .map(files -> of(files, null, wanted.about()));
  }

  private Future<Collected> ofTrial(FromTrial from, About about, boolean dryRun) {
    return bus.request(Experiments.GET, new Experiments.Get(from.experiment()))
        .compose(experiment ->
            bus.request(
                Trials.GET,
                new Trials.Get(
                    new TrialRef(
                        experiment.id(), from.trial() == null ? best(experiment) : from.trial()))))
        .compose(trial -> {
          if (trial.endedAt() == null) {
            throw new Problem.Conflict(
                    "Trial %s has not ended: its files may still change.".formatted(trial.ref()))
                .toException();
          }
          return (dryRun
                  ? Future.succeededFuture(List.<ArtifactFile>of())
                  : trials.copy(trial.ref(), from.path()))
              .map(files -> of(files, null, with(about, trial)));
        });
  }

  private static TrialId best(Experiment experiment) {
    Experiment.Best best = experiment.best();
    if (best == null) {
      throw new Problem.Conflict(
              "Experiment %s has no best trial yet: none has reported a final result."
                  .formatted(experiment.id()))
          .toException();
    }
    return best.trial();
  }

  private static About with(About about, Trial trial) {
    ObjectNode source =
        Json.MAPPER
            .createObjectNode()
            .put("experiment", trial.ref().experiment().value())
            .put("trial", trial.ref().trial().value());
    MetricValue metric = trial.metric();
    return new About(
        about.stage(),
        about.description(),
        about.framework(),
        about.metrics().equals("{}") && metric != null ? metrics(metric) : about.metrics(),
        Json.write(source),
        about.tags());
  }

  private static String metrics(MetricValue metric) {
    return metric.document() == null
        ? Json.write(Json.MAPPER.createObjectNode().put("default", metric.number()))
        : metric.toJson();
  }

  private static Collected of(List<ArtifactFile> files, @Nullable String path, About about) {
    if (files.isEmpty()) {
      return new Collected(new Content(path, null, 0, 0), files, about);
    }
    List<ArtifactFile> sorted =
        files.stream().sorted((a, b) -> a.path().compareTo(b.path())).toList();
    String list =
        sorted.stream()
            .map(file -> file.digest() + "  " + file.path() + "\n")
            .collect(Collectors.joining());
    return new Collected(
        new Content(
            path,
            Sha256.hex(list),
            sorted.size(),
            sorted.stream().mapToLong(ArtifactFile::bytes).sum()),
        sorted,
        about);
  }
}
