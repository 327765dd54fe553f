package io.orrery.orchestrator.experiment.directory;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.code.CodeRepository;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.workload.Workspaces;
import io.orrery.orchestrator.git.GitCheckouts;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The code of an experiment whose {@code trialCodeDirectory} describes a Git repository: it is
 * fetched into the author's workspace when the experiment is created, and only described before.
 */
public final class CodeFromGit {
  private static final String KEY = "trialCodeDirectory";
  private static final String POINTER = "/" + KEY;

  /** The platforms whose trials see a workspace where programs see it. */
  private static final Set<String> SHOWN = Set.of("", "local", "simulated");

  private final GitCheckouts checkouts;
  private final Workspaces workspaces;

  public CodeFromGit(GitCheckouts checkouts, Workspaces workspaces) {
    this.checkouts = checkouts;
    this.workspaces = workspaces;
  }

  /**
   * A directory in the place of the description.
   *
   * @param named the path that the specification gets
   * @param real where it lies on this machine
   * @param notice about the commit; empty before it is fetched
   */
  record Given(Path named, Path real, String notice) {}

  /** A description with the platform that uses it. */
  record Wanted(CodeRepository source, String platform, Document document) {}

  /**
   * The description in a configuration. Blocks.
   *
   * @throws ProblemException Refused with what is wrong with it
   */
  static Optional<Wanted> find(String text) {
    if (!text.contains(CodeRepository.KEY)) {
      return Optional.empty();
    }
    Document document;
    try {
      document = Document.read(text);
    } catch (ProblemException e) {
      // Its reader says so.
      return Optional.empty();
    }
    JsonNode code = document.root().path(KEY);
    if (!code.isObject()) {
      return Optional.empty();
    }
    CodeRepository.Reading reading = CodeRepository.read(code, POINTER);
    CodeRepository source = reading.source();
    if (source == null) {
      throw Problem.Refused.of(
              reading.findings().stream()
                  .map(finding -> finding.atLine(line(document, finding.pointer())))
                  .toList())
          .toException();
    }
    String platform = document.root().path("trainingService").path("platform").asText("");
    return Optional.of(new Wanted(source, platform, document));
  }

  private static Integer line(Document document, String pointer) {
    Integer own = document.lines().get(pointer);
    return own == null ? document.lines().getOrDefault(POINTER, 1) : own;
  }

  /** The directory for an experiment: fetched, or the workspace itself when it is only checked. */
  Future<Given> given(Wanted wanted, Experiments.Create by) {
    String user = by.ownership().owner();
    if (by.dryRun()) {
      return checkouts
          .check(wanted.source(), by.ownership().project())
          .map(empty -> given(wanted, user, Path.of(""), empty, ""))
          .recover(failure -> refused(wanted, failure));
    }
    return checkouts
        .fetch(wanted.source(), by.ownership().project(), user)
        .map(done ->
            given(
                wanted,
                user,
                done.below(),
                null,
                "the code is commit %s of %s, in %s of your files"
                    .formatted(done.commit(), wanted.source().url(), done.below())))
        .recover(failure -> refused(wanted, failure));
  }

  private static <T> Future<T> refused(Wanted wanted, Throwable failure) {
    if (!(Problem.of(failure) instanceof Problem.Refused refused)) {
      return Future.failedFuture(failure);
    }
    List<Finding> findings =
        refused.findings().stream()
            .map(finding -> {
              String pointer = POINTER + finding.pointer();
              return new Finding(pointer, finding.message(), line(wanted.document(), pointer));
            })
            .toList();
    return Future.failedFuture(Problem.Refused.of(findings).toException());
  }

  /**
   * @param other the directory in the place of one of the workspace on other platforms; null for
   *     none
   */
  private Given given(Wanted wanted, String user, Path below, @Nullable Path other, String notice) {
    try {
      Path mine = workspaces.made(user).toRealPath().resolve(below).normalize();
      Path shown = Workspaces.shownAt(user).resolve(below).normalize();
      boolean seen = SHOWN.contains(wanted.platform()) && Workspaces.shows(shown);
      if (seen) {
        return new Given(shown, mine, notice);
      }
      Path real = other == null ? mine : other.toRealPath();
      return new Given(real, real, notice);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
