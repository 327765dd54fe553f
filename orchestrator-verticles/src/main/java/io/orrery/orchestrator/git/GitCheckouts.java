package io.orrery.orchestrator.git;

import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.core.access.ProjectName;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.code.CodeRepository;
import io.orrery.core.file.ConfinedDirectory;
import io.orrery.core.file.ConfinedFile;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.http.PublicAddresses;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.SecretReference;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Workspaces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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
  private static final Duration PATIENCE = Duration.ofSeconds(45);
  private static final Duration LATER = Duration.ofSeconds(10);
  private static final Duration DRAFT_LIFE = Duration.ofHours(1);
  private static final int COMMIT_DIGITS = 12;
  private static final String CODE = "code";
  private static final String TREE = "tree";
  private static final String DRAFT = "fetch-";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private final Workspaces workspaces;
  private final Path drafts;
  private final ProjectSecrets secrets;
  private final Clock clock;
  private final Predicate<InetAddress> allowed;
  private final String path;
  private final WorkerExecutor threads;
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * @param allowed whether a repository may lie at an address that is not public
   * @param path in which programs of the server are found
   */
  public GitCheckouts(
      Vertx vertx,
      Workspaces workspaces,
      ProjectSecrets secrets,
      Clock clock,
      Predicate<InetAddress> allowed,
      String path) {
    this.workspaces = workspaces;
    this.drafts = workspaces.root().resolveSibling("git-drafts");
    this.secrets = secrets;
    this.clock = clock;
    this.allowed = allowed;
    this.path = path;
    this.threads =
        vertx.createSharedWorkerExecutor(
            "git-checkouts", AT_ONCE, 2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
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
        .apply(System.nanoTime() + PATIENCE.toNanos())
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
        (fetch, draft) -> {
          String commit = fetch.commit(draft);
          for (CodeRepository part : parts) {
            Path tree = draft.resolve(TREE);
            fetch.write(commit, part.directory(), tree);
            into.put(part, reader.read(tree, commit));
            DirectoryTree.delete(tree);
          }
          return commit;
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
        (fetch, draft) -> {
          String commit = fetch.commit(draft);
          fetch.write(commit, source.directory(), draft.resolve(TREE));
          return new Checkout(place(draft, source, commit, user), commit);
        });
  }

  /** A use of a draft, which is deleted afterwards. */
  private interface DraftUse<T> {
    T of(RepositoryFetch fetch, Path draft) throws IOException;
  }

  private <T> T in(CodeRepository source, @Nullable String secret, long end, DraftUse<T> use)
      throws IOException {
    InetAddress address = address(source);
    if (secret != null && !source.isSealed() && PublicAddresses.contains(address)) {
      throw GitProgram.refused("a secret is sent by https only");
    }
    forget();
    Path draft = Files.createTempDirectory(made(drafts), DRAFT);
    try {
      GitProgram git =
          new GitProgram(
              draft,
              path,
              source,
              address,
              secret == null ? null : GitProgram.authorization(secret),
              end);
      return use.of(new RepositoryFetch(git, source), draft);
    } finally {
      DirectoryTree.delete(draft);
    }
  }

  /** The address that is connected to; it is looked up once. */
  private InetAddress address(CodeRepository source) {
    try {
      for (InetAddress each : InetAddress.getAllByName(source.url().getHost())) {
        if (PublicAddresses.contains(each) || allowed.test(each)) {
          return each;
        }
      }
    } catch (UnknownHostException e) {
      throw GitProgram.refused("the host " + source.url().getHost() + " is not known");
    }
    throw GitProgram.refused(
        "%s is in a network that code may not come from: an administrator allows networks by"
                .formatted(source.url().getHost())
            + " git.networks");
  }

  /** Moves the files into the workspace, following no link in it. */
  private Path place(Path draft, CodeRepository source, String commit, String user)
      throws IOException {
    String name =
        "%s-%s-%s"
            .formatted(source.name(), commit.substring(0, COMMIT_DIGITS), TIME.format(clock.now()));
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
      throw GitProgram.refused("'code' in your files is no directory");
    } catch (IOException e) {
      throw GitProgram.refused(FileFault.words(e));
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
