package io.orrery.orchestrator.git;

import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.core.access.ProjectName;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.code.CodeRepository;
import io.orrery.core.code.FetchedCode;
import io.orrery.core.code.FetchedCommit;
import io.orrery.core.code.GitException;
import io.orrery.core.code.GitFetch;
import io.orrery.core.file.ConfinedDirectory;
import io.orrery.core.file.ConfinedFile;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.SearchPath;
import io.orrery.core.project.SecretReference;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Workspaces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Fetches code from Git repositories: into the workspaces of people, each time into a new directory
 * below {@code code}, so that nothing that runs has its code changed, or for a reader of its files.
 */
public final class GitCheckouts {
  private static final int AT_ONCE = 2;
  private static final int MOST_WAITING = 20;
  private static final Duration TIME_LIMIT = Duration.ofSeconds(45);
  private static final Duration LATER = Duration.ofSeconds(10);
  private static final Duration DRAFT_LIFE = Duration.ofHours(1);
  private static final String CODE = FetchedCode.DIRECTORY;
  private static final String TREE = "tree";
  private static final String DRAFT = "fetch-";

  private final Workspaces workspaces;
  private final Path drafts;
  private final ProjectSecrets secrets;
  private final Clock clock;
  private final GitFetch git;
  private final WorkerExecutor threads;
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * @param allowed whether a repository may lie at an address that is not public
   * @param programs where git is found
   */
  public GitCheckouts(
      Vertx vertx,
      Workspaces workspaces,
      ProjectSecrets secrets,
      Clock clock,
      Predicate<InetAddress> allowed,
      SearchPath programs) {
    this.workspaces = workspaces;
    this.drafts = workspaces.root().resolveSibling("git-drafts");
    this.secrets = secrets;
    this.clock = clock;
    this.git = new GitFetch(CodeBundles.CONTENT, allowed, programs);
    this.threads =
        vertx.createSharedWorkerExecutor(
            "git-checkouts", AT_ONCE, 2 * TIME_LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  /**
   * A directory with code.
   *
   * @param below the workspace of its person
   */
  public record Checkout(Path below, String commit) {}

  /**
   * An empty directory in the place of code that is not fetched yet.
   *
   * @return fails with Refused when the secret of a source is missing
   */
  public Future<Path> check(CodeRepository source, ProjectName project) {
    return secret(source, project)
        .compose(opened ->
            threads.executeBlocking(
                () -> Files.createDirectories(made(drafts).resolve("none")), false));
  }

  /** Fetches a source for a person; fails with Refused, or with Busy when many are fetched. */
  public Future<Checkout> fetch(CodeRepository source, ProjectName project, String user) {
    return inTurn(end ->
        secret(source, project)
            .compose(opened ->
                threads.executeBlocking(() -> fetch(source, opened.text(), user, end), false)));
  }

  /** Does a fetch that is over at some {@link System#nanoTime}, unless many wait. */
  private <T> Future<T> inTurn(LongFunction<Future<T>> fetch) {
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      return Future.failedFuture(
          new Problem.Busy("many repositories are being fetched", LATER).toException());
    }
    return fetch
        .apply(System.nanoTime() + TIME_LIMIT.toNanos())
        .onComplete(done -> waiting.decrementAndGet());
  }

  /** A reader of the files of a source, which are gone when it returns. Blocks. */
  public interface TreeReader<T> {
    T read(Path tree, String commit) throws IOException;
  }

  /**
   * Has sources read, one after the other; those that differ in the directory alone are of one
   * commit. Fails with Refused, or with Busy when many are fetched.
   *
   * @return what the reader made of each
   */
  public <T> Future<Map<CodeRepository, T>> read(
      Set<CodeRepository> sources, ProjectName project, TreeReader<T> reader) {
    Map<CodeRepository, List<CodeRepository>> wholes = new LinkedHashMap<>();
    sources.forEach(
        source -> wholes.computeIfAbsent(source.whole(), whole -> new ArrayList<>()).add(source));
    return inTurn(end -> {
      Map<CodeRepository, T> all = new LinkedHashMap<>();
      return AsyncLoop.inTurn(
              wholes.entrySet(),
              each ->
                  secret(each.getKey(), project)
                      .compose(opened ->
                          threads.executeBlocking(
                              () -> {
                                read(
                                    each.getKey(),
                                    each.getValue(),
                                    opened.text(),
                                    end,
                                    reader,
                                    all);
                                return null;
                              },
                              false))
                      .recover(failure -> named(each.getKey(), failure)))
          .map(all);
    });
  }

  /** A refusal that says which of several repositories it is about. */
  private static <T> Future<T> named(CodeRepository source, Throwable failure) {
    if (!(Problem.of(failure) instanceof Problem.Refused refused)) {
      return Future.failedFuture(failure);
    }
    return Future.failedFuture(
        Problem.Refused.of(
                refused.findings().stream()
                    .map(finding ->
                        new Finding(
                            "",
                            "%s at %s: %s"
                                .formatted(source.url(), source.ref(), finding.message())))
                    .toList())
            .toException());
  }

  private <T> void read(
      CodeRepository whole,
      List<CodeRepository> parts,
      @Nullable String secret,
      long end,
      TreeReader<T> reader,
      Map<CodeRepository, T> into)
      throws IOException {
    in(
        whole,
        secret,
        end,
        (commit, draft) -> {
          for (CodeRepository part : parts) {
            Path tree = draft.resolve(TREE);
            commit.write(part.directory(), tree);
            into.put(part, reader.read(tree, commit.name()));
            DirectoryTree.delete(tree);
          }
          return commit.name();
        });
  }

  /** An opened secret, if there is one. */
  private record Opened(@Nullable String text) {
    /** Nothing of it. */
    @Override
    public String toString() {
      return "Opened";
    }
  }

  private Future<Opened> secret(CodeRepository source, ProjectName project) {
    String name = source.secret();
    if (name == null) {
      return Future.succeededFuture(new Opened(null));
    }
    return secrets
        .open(project, SecretReference.PREFIX + name)
        .map(Opened::new)
        .recover(failure ->
            Problem.of(failure) instanceof Problem.Refused refused
                ? Future.failedFuture(
                    new Problem.Refused(new Finding("/secret", refused.detail())).toException())
                : Future.failedFuture(failure));
  }

  private Checkout fetch(CodeRepository source, @Nullable String secret, String user, long end)
      throws IOException {
    workspaces.made(user);
    return in(
        source,
        secret,
        end,
        (commit, draft) -> {
          commit.write(source.directory(), draft.resolve(TREE));
          return new Checkout(place(draft, source, commit.name(), user), commit.name());
        });
  }

  /** A use of a commit and of the draft that it is in, which is deleted afterwards. */
  private interface DraftUse<T> {
    T of(FetchedCommit commit, Path draft) throws IOException, GitException, InterruptedException;
  }

  private <T> T in(CodeRepository source, @Nullable String secret, long end, DraftUse<T> use)
      throws IOException {
    forget();
    Path draft = Files.createTempDirectory(made(drafts), DRAFT);
    try {
      Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      Path scratch = Files.createDirectory(draft.resolve("git"));
      return use.of(git.fetch(source.remote(secret), scratch, left), draft);
    } catch (GitException e) {
      throw refused(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused("the server was stopped");
    } finally {
      DirectoryTree.delete(draft);
    }
  }

  private static RuntimeException refused(String why) {
    return new Problem.Refused(new Finding("", "the code cannot be fetched: " + why)).toException();
  }

  /** Moves the files into the workspace, following no link in it. */
  private Path place(Path draft, CodeRepository source, String commit, String user)
      throws IOException {
    String name = FetchedCode.name(source, commit, clock.now());
    try (ConfinedDirectory root = ConfinedDirectory.open(workspaces.of(user), Path.of(""))) {
      root.make(CODE);
      try (ConfinedDirectory code = root.below(CODE);
          ConfinedDirectory from = ConfinedDirectory.open(draft, Path.of(""))) {
        String free = name;
        for (int number = 2; !code.make(free); number++) {
          free = name + "-" + number;
        }
        from.rename(TREE, code, free);
        return Path.of(CODE, free);
      }
    } catch (ConfinedFile.Unfit e) {
      throw refused("'code' in your files is no directory");
    } catch (IOException e) {
      throw refused(FileFault.words(e));
    }
  }

  private static Path made(Path directory) throws IOException {
    return Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Deletes what a server that was killed has left. */
  private void forget() throws IOException {
    Instant before = clock.now().minus(DRAFT_LIFE);
    try (DirectoryStream<Path> all = Files.newDirectoryStream(made(drafts), DRAFT + "*")) {
      for (Path each : all) {
        if (Files.getLastModifiedTime(each).toInstant().isBefore(before)) {
          DirectoryTree.delete(each);
        }
      }
    }
  }
}
