package io.orrery.orchestrator.build;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.attempt.Background;
import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.compute.service.ImageLogin;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.code.FetchedCommit;
import io.orrery.core.code.GitException;
import io.orrery.core.code.GitFetch;
import io.orrery.core.code.GitRemote;
import io.orrery.core.code.GitSource;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.file.DurableFile;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.ImageReference;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.SearchPath;
import io.orrery.core.run.RunSpec;
import io.orrery.core.workload.Workspaces;
import io.orrery.orchestrator.bundle.BundleFolder;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Puts everything there that the process of a build needs. Blocks. */
final class BuildPreparation {
  private static final Duration FETCH = Duration.ofMinutes(10);

  private final Context context;
  private final BuildSettings settings;
  private final ImageLogins logins;
  private final ProjectSecrets secrets;
  private final BundleFolder uploads;
  private final Workspaces workspaces;
  private final GitFetch repositories;
  private final SearchPath programs;
  private final BuildPacks packs;

  /** The threads that fetch a repository, so that they can be told to stop. */
  private final Map<String, Thread> fetching = new ConcurrentHashMap<>();

  /**
   * @param context on which the folder of uploads is used
   * @param repositories fetches contexts
   * @param programs of this machine
   * @param packs with which contexts come into pods
   */
  BuildPreparation(
      Context context,
      BuildSettings settings,
      ImageLogins logins,
      ProjectSecrets secrets,
      BundleFolder uploads,
      Workspaces workspaces,
      GitFetch repositories,
      SearchPath programs,
      BuildPacks packs) {
    this.context = context;
    this.settings = settings;
    this.logins = logins;
    this.secrets = secrets;
    this.uploads = uploads;
    this.workspaces = workspaces;
    this.repositories = repositories;
    this.programs = programs;
    this.packs = packs;
  }

  BuildSettings settings() {
    return settings;
  }

  /** Makes the files; those of an attempt that was cut short are replaced. */
  void prepare(ImageBuild build, BuildFiles files) throws IOException, BuildException {
    BuildSpec spec = build.spec();
    files.clearAll(build);
    Files.createDirectories(files.work());
    String told = context(build, files);
    if (spec.isEnvironment()) {
      EnvironmentBuild environment = EnvironmentBuild.prepare(spec, files, programs);
      Files.createDirectories(environment.directory());
      Files.writeString(
          files.script(),
          told
              + "set -eu\n"
              + BuildScript.limits(spec.limits())
              + "\n"
              + environment.script(files.work(), spec));
      DurableFile.write(
          files.directory().resolve("environment"),
          environment.digest().getBytes(StandardCharsets.UTF_8));
      files.notePrepared();
      return;
    }
    String dockerfile = spec.dockerfile();
    if (dockerfile == null) {
      dockerfile = BuildContext.containerfile(files.context(), BuildSpec.MOST_DOCKERFILE);
    }
    if (dockerfile == null) {
      throw new BuildException("its context has no Containerfile and no Dockerfile");
    }
    Files.writeString(files.work().resolve("Containerfile"), dockerfile);
    List<ImageReference> bases = bases(spec, dockerfile);
    Files.writeString(
        files.script(),
        told
            + (spec.cluster() == null
                ? BuildScript.of(files.work(), files.storage(), spec, bases)
                : BuildScript.inPod(spec, bases)));
    DurableFile.write(
        files.directory().resolve("images"),
        Json.write(images(spec, dockerfile)).getBytes(StandardCharsets.UTF_8));
    if (spec.cluster() == null) {
      own(files);
    }
    files.notePrepared();
  }

  /** Puts the context there; a command that tells where it is from, or nothing. */
  private String context(ImageBuild build, BuildFiles files) throws IOException, BuildException {
    GitSource git = build.spec().git();
    if (git != null) {
      return fetched(build, git, files);
    }
    Path from = source(build.spec());
    if (from == null) {
      Files.createDirectories(files.context());
    } else {
      BuildContext.copy(from, files.context(), settings.contextBytes());
    }
    return "";
  }

  private String fetched(ImageBuild build, GitSource git, BuildFiles files)
      throws IOException, BuildException {
    String password =
        git.password() == null
            ? null
            : await(
                    secrets.fill(build.project(), Map.of("password", git.password())),
                    "the password of " + git.url())
                .get("password");
    String key = key(build);
    fetching.put(key, Thread.currentThread());
    try {
      String commit = fetched(git.remote(password), files);
      return "echo %s\n"
          .formatted(
              BuildScript.quoted(
                  "Context: %s at %s, commit %s".formatted(git.url(), git.ref(), commit)));
    } catch (GitException e) {
      throw new BuildException(
          "%s cannot be fetched at %s: %s".formatted(git.url(), git.ref(), e.getMessage()));
    } catch (InterruptedException e) {
      throw new BuildException("the fetch of %s was ended".formatted(git.url()));
    } finally {
      synchronized (fetching) {
        fetching.remove(key);
      }
      // What came too late is not for what this thread does next.
      Thread.interrupted();
    }
  }

  /** Writes the files of a commit as the context; the commit. */
  private String fetched(GitRemote remote, BuildFiles files)
      throws IOException, GitException, InterruptedException {
    Path scratch = Files.createDirectory(files.work().resolve("git"));
    try {
      FetchedCommit commit = repositories.fetch(remote, scratch, FETCH);
      commit.write("", files.context());
      return commit.name();
    } finally {
      DirectoryTree.delete(scratch);
    }
  }

  /** Ends what a preparation waits for, as a build that was canceled needs it no more. */
  void cancel(ImageBuild build) {
    synchronized (fetching) {
      Thread thread = fetching.get(key(build));
      if (thread != null) {
        thread.interrupt();
      }
    }
  }

  private static String key(ImageBuild build) {
    return build.name() + "/" + build.number();
  }

  private static List<ImageReference> bases(BuildSpec spec, String dockerfile)
      throws BuildException {
    List<ImageReference> bases = new ArrayList<>();
    for (String name : BaseImages.of(dockerfile, spec.args())) {
      ImageReference image = ImageReference.parse(name).orElse(null);
      if (image == null) {
        throw new BuildException("'%s' is the name of no image".formatted(name));
      }
      bases.add(image);
    }
    return bases;
  }

  /** The names of all images that a login may be needed for. */
  private static List<String> images(BuildSpec spec, String dockerfile) throws BuildException {
    List<String> all = new ArrayList<>(List.of(spec.target()));
    bases(spec, dockerfile).forEach(image -> all.add(image.toString()));
    return all;
  }

  /** The directory that is the context; null when there is none. */
  private @Nullable Path source(BuildSpec spec) throws IOException, BuildException {
    String shown = spec.workspace();
    if (shown != null) {
      Path path = Path.of(shown).normalize();
      String user = path.getName(1).toString();
      Path root = workspaces.root().resolve(user);
      Path below = path.subpath(1, path.getNameCount());
      Path whole = workspaces.root().resolve(below);
      if (!whole.startsWith(root) || !isConfined(root, whole)) {
        throw new BuildException(shown + " is no directory of the workspace");
      }
      return whole;
    }
    String upload = spec.upload();
    return upload == null ? null : await(onContext(upload), "its uploaded context");
  }

  private Future<Path> onContext(String digest) {
    Promise<Path> found = Promise.promise();
    context.runOnContext(go -> uploads.unpacked(digest).onComplete(found));
    return found.future();
  }

  /** Whether no link leads to a directory. */
  private static boolean isConfined(Path root, Path whole) throws IOException {
    return Files.isDirectory(whole)
        && whole.toRealPath().equals(root.toRealPath().resolve(root.relativize(whole)));
  }

  /** Gives the files to the user who builds. */
  private void own(BuildFiles files) throws IOException {
    String user = settings.user();
    if (user == null) {
      return;
    }
    Path storage = files.storage();
    Files.createDirectories(storage.resolve("layers"));
    Files.createDirectories(storage.resolve("run"));
    run(
        "chown",
        user + ":",
        storage.resolve("layers").toString(),
        storage.resolve("run").toString());
    for (Path open : List.of(storage, storage.resolve("builds"), files.directory(), files.work())) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    run("chown", "-Rh", user + ":", files.work().toString());
  }

  private static void run(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(command[0] + " failed: is the user of builds there?");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is closing", e);
    }
  }

  /** The variables of the process, with passwords and secrets as they are now. */
  Map<String, String> environment(ImageBuild build, BuildFiles files, String mark)
      throws IOException, BuildException {
    Map<String, String> all = new HashMap<>();
    all.put("PATH", System.getenv().getOrDefault("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"));
    all.put("LANG", "C.UTF-8");
    all.put("HOME", files.work().resolve("home").toString());
    all.put("XDG_RUNTIME_DIR", files.work().resolve("run").toString());
    all.put("TMPDIR", files.work().resolve("tmp").toString());
    all.put(BuildProgram.MARK, mark);
    Map<String, String> filled =
        await(secrets.fill(build.project(), build.spec().secrets()), "a secret of the build");
    if (build.spec().isEnvironment()) {
      all.putAll(EnvironmentBuild.variables(build.spec(), filled));
    } else {
      all.put(BuildScript.LOGINS, logins(build.project(), files));
      all.putAll(BuildScript.variables(filled));
    }
    return all;
  }

  /** The run of a build in a pod, whose context and script are uploaded. */
  RunSpec run(ImageBuild build, BuildFiles files) throws IOException, BuildException {
    String image = settings.image();
    if (image == null) {
      throw new BuildException("builds.image is not set any more in the server's configuration");
    }
    String code = packs.upload(files.work());
    return BuildRun.of(build, image, code, sealed(build, files), settings.deadline());
  }

  /** The variables of a pod: what is secret is sealed, or a reference to a secret. */
  Map<String, String> sealed(ImageBuild build, BuildFiles files)
      throws IOException, BuildException {
    Map<String, String> all = new HashMap<>(BuildScript.variables(build.spec().secrets()));
    String logins = logins(build.project(), files);
    all.put(BuildScript.LOGINS, await(secrets.seal(logins), "the key of the server"));
    return all;
  }

  /** The logins by image, so that each is pulled and pushed with its own. */
  private String logins(ProjectName project, BuildFiles files) throws IOException, BuildException {
    ObjectNode whole = Json.MAPPER.createObjectNode();
    ObjectNode auths = whole.putObject("auths");
    for (var name : Json.parse(Files.readString(files.directory().resolve("images")))) {
      ImageReference image = ImageReference.parse(name.asText()).orElseThrow();
      ImageLogin login =
          await(logins.find(project, image.toString()), "the login of " + image.host())
              .orElse(null);
      if (login != null) {
        Json.parse(login.dockerConfig())
            .path("auths")
            .forEach(auth -> auths.set(image.host() + "/" + image.repository(), auth));
      }
    }
    return Json.write(whole);
  }

  private static <T extends @Nullable Object> T await(Future<T> future, String what)
      throws IOException, BuildException {
    try {
      return Background.await(future);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is closing", e);
    } catch (Exception e) {
      Problem problem = Problem.of(e);
      String why =
          problem instanceof Problem.Refused refused
              ? refused.findings().getFirst().message()
              : problem.detail();
      throw new BuildException(what + " cannot be had: " + why);
    }
  }
}
