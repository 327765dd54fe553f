package io.orrery.orchestrator.build;

import io.orrery.core.code.CodeArchive;
import io.orrery.core.code.CodeTree;
import io.orrery.core.digest.Sha256;
import io.orrery.core.file.ConfinedFile;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.process.SearchPath;
import io.orrery.orchestrator.retention.EnvironmentLock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A build of an environment: a virtual environment of Python with the packages that pip installs.
 * Its digest is that of everything it is made of, so the same is made once. Blocks.
 *
 * @param digest 64 digits
 * @param directory where it lies; programs in it know this path
 */
record EnvironmentBuild(String digest, Path directory) {
  private static final String FORMAT = "1";
  private static final String WRITTEN = ".orrery-requirements.txt";
  private static final int PATIENCE = 20;
  private static final Pattern FILE = Pattern.compile("\\S+\\.(?:txt|in)");

  /** A sentence about what is missing on this machine; empty when nothing is. */
  static Optional<String> missing(SearchPath programs) {
    if (programs.find("python3").isEmpty()) {
      return Optional.of("there is no python3 on the server's machine: install it");
    }
    if (programs.find("flock").isEmpty()) {
      return Optional.of("there is no flock on the server's machine: install util-linux");
    }
    try {
      asked(programs, "-c", "import venv, ensurepip");
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "python3 of the server's machine makes no virtual environments: install them (Debian and"
              + " Ubuntu: apt install python3-venv)");
    }
  }

  /** Reads the requirements; when they are a text, it becomes a file of the context. */
  static EnvironmentBuild prepare(BuildSpec spec, BuildFiles files, SearchPath programs)
      throws IOException, BuildException {
    String text = requirements(spec, files);
    if (!isFile(spec)) {
      Path file = files.context().resolve(WRITTEN);
      Files.deleteIfExists(file);
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }
    StringBuilder all = new StringBuilder(FORMAT).append('\n');
    all.append(asked(programs, "-VV")).append('\n');
    all.append(System.getProperty("os.arch", "")).append('\n');
    all.append(new TreeMap<>(spec.args())).append('\n');
    all.append(CodeArchive.digest(CodeTree.whole(files.context()))).append('\n');
    all.append(text);
    String digest = Sha256.hex(all.toString());
    return new EnvironmentBuild(digest, directory(files, digest));
  }

  private static Path directory(BuildFiles files, String digest) {
    return files.storage().resolve("environments").resolve(digest);
  }

  /** That of a build that was prepared before. */
  static EnvironmentBuild read(BuildFiles files) throws IOException {
    String digest = Files.readString(files.directory().resolve("environment")).strip();
    return new EnvironmentBuild(digest, directory(files, digest));
  }

  private static boolean isFile(BuildSpec spec) {
    return FILE.matcher(String.valueOf(spec.requirements())).matches();
  }

  private static String requirements(BuildSpec spec, BuildFiles files)
      throws IOException, BuildException {
    String given = String.valueOf(spec.requirements());
    if (!isFile(spec)) {
      return given;
    }
    Path file = files.context().resolve(given).normalize();
    if (!file.startsWith(files.context()) || !Files.isRegularFile(file)) {
      throw new BuildException("its context has no file " + given);
    }
    try (InputStream in = Channels.newInputStream(ConfinedFile.open(files.context(), file))) {
      byte[] text = in.readNBytes(BuildSpec.MOST_DOCKERFILE + 1);
      if (text.length > BuildSpec.MOST_DOCKERFILE) {
        throw new BuildException(
            "%s has more than %d KB".formatted(given, BuildSpec.MOST_DOCKERFILE >> 10));
      }
      return new String(text, StandardCharsets.UTF_8);
    } catch (ConfinedFile.Unfit e) {
      throw new BuildException("its context has no file " + given);
    }
  }

  private static String asked(SearchPath programs, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("python3"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("PATH", programs.text());
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("python3 cannot be run");
      }
      return new String(process.getInputStream().readNBytes(1_000), StandardCharsets.UTF_8).strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is closing", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The variables of its process, besides the usual ones. */
  static Map<String, String> variables(BuildSpec spec, Map<String, String> secrets) {
    Map<String, String> all = new TreeMap<>(spec.args());
    all.putAll(secrets);
    // Uploaded wheels and private indexes stay in the project.
    all.put("PIP_NO_INPUT", "1");
    all.put("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    return all;
  }

  /** The text of its script. */
  String script(Path work, BuildSpec spec) {
    String file = isFile(spec) ? String.valueOf(spec.requirements()) : WRITTEN;
    String place = BuildScript.quoted(directory.toString());
    return String.join(
        "\n",
        "set -eu",
        "umask 022",
        "cd " + BuildScript.quoted(work.toString()),
        "mkdir -p home tmp run",
        "echo RUNNING >phase",
        "place=" + place,
        EnvironmentLock.open("$place"),
        "flock 9",
        "if [ -e \"$place/complete\" ]; then",
        // It is as good as new, so that its removal by age does not come before its use.
        "  touch \"$place/complete\"",
        "  echo 'There is an environment of these requirements already.'",
        "else",
        "  find \"$place\" -mindepth 1 -maxdepth 1 ! -name .lock -exec rm -rf {} +",
        "  python3 -m venv \"$place\"",
        "  cd context",
        "  \"$place/bin/python\" -m pip install -r %s 9>&-".formatted(BuildScript.quoted(file)),
        "  cd ..",
        "  \"$place/bin/python\" -m pip check 9>&-",
        "  : >\"$place/complete.new\"",
        "  sync -f \"$place\" 2>/dev/null || :",
        "  mv \"$place/complete.new\" \"$place/complete\"",
        "fi",
        "\"$place/bin/python\" -m pip freeze --all 9>&-",
        "du -sk \"$place\" | cut -f1 >size",
        "printf 'sha256:%s' " + digest + " >digest.new",
        "mv digest.new digest",
        "");
  }

  /** Whether it can be used. */
  boolean isComplete() {
    return EnvironmentPlace.isComplete(directory);
  }
}
