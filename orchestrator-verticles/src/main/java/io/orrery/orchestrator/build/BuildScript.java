package io.orrery.orchestrator.build;

import io.orrery.core.http.HostName;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.ImageReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the shell script of a build. Pure. Passwords and secrets come in variables, are files of
 * the script's own only while they are needed, and never stand where instructions of a
 * Containerfile can read the passwords.
 */
final class BuildScript {
  /** The variable with the logins, in the form of Docker's {@code config.json}. */
  static final String LOGINS = "ORRERY_BUILD_LOGINS";

  /** The outputs of a pod: the digest of the image, and the bytes of its layers. */
  static final String DIGEST = "digest";

  static final String BYTES = "bytes";

  private static final String SECRET = "ORRERY_BUILD_SECRET_";

  private BuildScript() {}

  /** The variables of the secrets. */
  static Map<String, String> variables(Map<String, String> secrets) {
    Map<String, String> variables = new TreeMap<>();
    int number = 0;
    for (String value : new TreeMap<>(secrets).values()) {
      variables.put(SECRET + number++, value);
    }
    return variables;
  }

  /**
   * The text.
   *
   * @param work the directory of the build
   * @param storage the directory of the layers of the project
   * @param bases images to pull
   */
  static String of(Path work, Path storage, BuildSpec spec, List<ImageReference> bases) {
    String local = "localhost/orrery-build/" + storage.getFileName() + ":" + work.getFileName();
    List<String> lines = new ArrayList<>();
    lines.add("set -eu");
    lines.add(limits(spec.limits()));
    lines.add("cd " + quoted(work.toString()));
    lines.addAll(
        steps(
            spec,
            bases,
            quoted(storage.resolve("layers").toString()),
            quoted(storage.resolve("run").toString()),
            local));
    return String.join("\n", lines) + "\n";
  }

  /** The text for a pod, which starts in the directory of the script. */
  static String inPod(BuildSpec spec, List<ImageReference> bases) {
    List<String> lines = new ArrayList<>();
    lines.add("set -eu");
    lines.add("exec 2>&1");
    lines.add("work=$PWD");
    lines.add("export HOME=\"$work/home\" XDG_RUNTIME_DIR=\"$work/run\" TMPDIR=\"$work/tmp\"");
    // It finds the subordinate ids of the user by this name.
    lines.add("USER=$(id -un); export USER LOGNAME=\"$USER\"");
    lines.add("umask 022");
    lines.addAll(
        steps(
            spec,
            bases,
            "\"$work/storage/layers\"",
            "\"$work/storage/run\"",
            "localhost/orrery-build:1"));
    lines.add("cp digest \"$ORRERY_OUTPUTS/" + DIGEST + "\"");
    lines.add("bytes=0");
    lines.add(
        "for size in $(tr '{,}' '\\n\\n\\n' <manifest | sed -n 's/^ *\"size\": *\\([0-9]*\\).*/\\1/p' |"
            + " tail -n +2); do bytes=$((bytes + size)); done");
    lines.add("printf %s \"$bytes\" >\"$ORRERY_OUTPUTS/" + BYTES + "\"");
    return String.join("\n", lines) + "\n";
  }

  private static List<String> steps(
      BuildSpec spec, List<ImageReference> bases, String layers, String running, String local) {
    ImageReference target = ImageReference.parse(spec.target()).orElseThrow();
    List<String> lines = new ArrayList<>();
    lines.add("rm -rf private; mkdir -m 700 private; mkdir -p home run tmp");
    lines.add("trap 'rm -rf private' EXIT");
    lines.add("trap 'exit 143' TERM INT HUP");
    lines.add("logins() { (umask 077; printf %s \"$" + LOGINS + "\" >private/logins); }");
    StringBuilder without = new StringBuilder("env -u " + LOGINS);
    for (int i = 0; i < spec.secrets().size(); i++) {
      without.append(" -u ").append(SECRET).append(i);
    }
    lines.add(
        "tool() { %s buildah --root %s --runroot %s --storage-driver vfs \"$@\"; }"
            .formatted(without, layers, running));
    lines.add("echo RUNNING >phase");
    lines.add("logins");
    for (ImageReference base : bases) {
      lines.add("echo " + quoted("Pulling " + base));
      lines.add(
          "tool pull --quiet --policy always --authfile private/logins%s %s"
              .formatted(plain(base), quoted(base.toString())));
    }
    lines.add("rm private/logins");
    StringBuilder build =
        new StringBuilder("tool bud --isolation chroot --layers --pull-never --iidfile image");
    int number = 0;
    for (String id : new TreeMap<>(spec.secrets()).keySet()) {
      lines.add(
          "(umask 077; printf %%s \"$%s%d\" >private/secret-%d)".formatted(SECRET, number, number));
      build.append(" --secret ").append(quoted("id=" + id + ",src=private/secret-" + number++));
    }
    new TreeMap<>(spec.args())
        .forEach((name, value) -> build.append(" --build-arg ").append(quoted(name + "=" + value)));
    lines.add(build + " -f Containerfile -t " + quoted(local) + " context");
    lines.add("rm -f private/secret-*");
    lines.add("tool inspect --type image --format '{{.Manifest}}' " + quoted(local) + " >manifest");
    lines.add("echo PUSHING >phase");
    lines.add("echo " + quoted("Pushing " + target));
    lines.add("logins");
    lines.add(
        "tool push --quiet --authfile private/logins%s --digestfile digest.new %s %s"
            .formatted(plain(target), quoted(local), quoted("docker://" + target)));
    lines.add("mv digest.new digest");
    return lines;
  }

  /** The command that limits the shell, and what it starts. */
  static String limits(BuildSpec.Limits limits) {
    List<String> all = new ArrayList<>(List.of(":"));
    if (limits.memory() > 0) {
      all.add("ulimit -d " + Math.max(1, limits.memory() >> 10));
    }
    int processors = limits.processors();
    if (processors > 0) {
      // A machine that has fewer gives what it has.
      all.add("taskset -pc 0-%d $$ >/dev/null".formatted(processors - 1));
    }
    return String.join(" && ", all);
  }

  private static String plain(ImageReference image) {
    return HostName.isLoopback(image.host()) ? " --tls-verify=false" : "";
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
