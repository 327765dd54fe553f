package io.orrery.compute.runtime.process;

import io.orrery.compute.runtime.replica.SpecCheck;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks whether a specification can run as a process of this machine. Reads the disk. */
final class ProcessCheck {
  private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

  private ProcessCheck() {}

  /**
   * Sentences about what this runtime cannot do for a specification, and about what is missing.
   *
   * @param environment the directory of the environment that it runs in; null for none
   * @param inherited the variables that each program has
   */
  static List<String> of(
      WorkloadSpec spec, @Nullable Path environment, Map<String, String> inherited) {
    List<String> sentences = new ArrayList<>();
    boolean image = spec.image() != null && environment == null;
    if (image) {
      sentences.add(
          ("the image %s cannot run as a process of this machine: leave the image out, name an"
                  + " environment such as env:tool, or a cluster that runs containers")
              .formatted(spec.image()));
    }
    String readiness = SpecCheck.readiness(spec);
    if (readiness != null) {
      sentences.add(readiness);
    }
    for (VolumeMount mount : spec.mounts().mounts()) {
      String wrong = mount(mount);
      if (wrong != null) {
        sentences.add(wrong);
      }
    }
    String missing = image ? null : missing(spec, environment, inherited);
    if (missing != null) {
      sentences.add(missing);
    }
    return List.copyOf(sentences);
  }

  /** The first thing without which a program cannot start; null when nothing is missing. */
  static @Nullable String missing(
      WorkloadSpec spec, @Nullable Path environment, Map<String, String> inherited) {
    if (environment != null && !EnvironmentPlace.isComplete(environment)) {
      return EnvironmentPlace.missing(String.valueOf(spec.image()));
    }
    if (spec.command().isEmpty()) {
      return "there is no command to run: write the program and its arguments";
    }
    Path directory = spec.directory() == null ? null : Path.of(spec.directory());
    if (directory != null && !Files.isDirectory(directory)) {
      return "there is no directory %s on this machine: make it, or name another one"
          .formatted(directory);
    }
    if (directory != null && !Files.isExecutable(directory)) {
      return "the directory %s cannot be entered by the user that the server runs as"
          .formatted(directory);
    }
    for (VolumeMount mount : spec.mounts().mounts()) {
      String missing = SpecCheck.missing(mount);
      if (missing != null) {
        return missing;
      }
    }
    return program(spec, directory, inherited);
  }

  private static @Nullable String program(
      WorkloadSpec spec, @Nullable Path directory, Map<String, String> inherited) {
    String program = spec.command().getFirst();
    if (program.indexOf('/') < 0) {
      String path =
          spec.environment().getOrDefault("PATH", inherited.getOrDefault("PATH", USUAL_PATH));
      for (String folder : path.split(":")) {
        if (isProgram(Path.of(folder.isEmpty() ? "." : folder).resolve(program))) {
          return null;
        }
      }
      return "there is no program %s on the PATH %s: install it, or write its path"
          .formatted(program, path);
    }
    Path file = Path.of(program);
    if (!file.isAbsolute() && directory == null) {
      // In a directory of its own that may not be there yet.
      return null;
    }
    Path absolute = directory == null ? file : directory.resolve(file);
    if (!Files.exists(absolute)) {
      return "there is no program %s: install it, or write another path".formatted(absolute);
    }
    return isProgram(absolute)
        ? null
        : "%s cannot be run as a program: make it executable (chmod +x)".formatted(absolute);
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  /** The reason why a mount cannot be made; null when it can. */
  static @Nullable String refusal(VolumeMount mount) {
    String wrong = mount(mount);
    return wrong == null ? SpecCheck.missing(mount) : wrong;
  }

  private static @Nullable String mount(VolumeMount mount) {
    return switch (mount.kind()) {
      case HOSTPATH ->
          mount.source().equals(mount.path()) || Files.exists(Path.of(mount.path()))
              ? null
              : "a process sees %s where it is, not at %s: write %s(hostpath):%s"
                  .formatted(mount.source(), mount.path(), mount.source(), mount.source());
      case PVC, PVC_SHARE, STORAGE, MEMORY, CONFIGMAP, SECRET ->
          "%s cannot be mounted for a process of this machine: leave it out, or name a cluster"
              .formatted(mount.text());
    };
  }
}
