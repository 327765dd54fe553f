package io.orrery.core.image;

import io.orrery.core.access.ProjectName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The directories of the environments of Python packages on this machine: each is named by the
 * digest of what it is made of, and is complete or not there.
 *
 * @param root of all builds
 */
public record EnvironmentPlace(Path root) {
  private static final String PROGRAMS = "bin";

  /** The directories of the environments of a project. */
  public Path of(ProjectName project) {
    return root.resolve(project.value()).resolve("environments");
  }

  /** The directory of one. */
  public Path of(ProjectName project, String digest) {
    return of(project).resolve(digest);
  }

  /** Whether one can be used. Reads the disk. */
  public static boolean isComplete(Path environment) {
    return Files.isRegularFile(environment.resolve("complete"))
        && Files.isExecutable(environment.resolve(PROGRAMS).resolve("python"));
  }

  /**
   * A sentence about one that is not there.
   *
   * @param image its name with the digest
   */
  public static String missing(String image) {
    String name = image.replaceFirst("@.*", "");
    return "the environment %s is not on this machine any more: name %s to have what its build made last, or build the requirements of then again (orrery build start)"
        .formatted(image, name);
  }

  /** The variables of a program that runs in one, made of those that it has without. */
  public static Map<String, String> variables(Path environment, Map<String, String> before) {
    Map<String, String> all = new HashMap<>(before);
    Path programs = environment.resolve(PROGRAMS);
    all.merge("PATH", programs.toString(), (path, first) -> first + ":" + path);
    all.put("VIRTUAL_ENV", environment.toString());
    all.remove("PYTHONHOME");
    return all;
  }
}
