package io.orrery.core.image;

import io.orrery.core.code.GitSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A description of how an image is built, or an environment of Python packages.
 *
 * @param target the name and tag that it is pushed under; {@code env:<name>} for an environment
 * @param dockerfile its text; null for the file {@code Containerfile} or {@code Dockerfile} of the
 *     context
 * @param workspace the directory of a user that is its context: {@code /mnt/<user>/…}; null for
 *     none
 * @param upload the digest of uploaded code that is its context; null for none
 * @param git the state of a repository that is its context; null for none
 * @param requirements the text that pip reads for an environment, or the name of a file of the
 *     context; null for an image
 * @param args build arguments, which all users of the image may see; for an environment, the
 *     settings of pip
 * @param secrets the reference {@code secret:NAME} of each id, which are never in a layer; for an
 *     environment, of each setting of pip
 * @param limits the limits of its process
 * @param cluster the cluster of the configuration in whose pods it runs; null for the server's
 *     machine
 * @param snapshotOf the workload whose container becomes the image, such as {@code service/hello};
 *     null for none
 */
public record BuildSpec(
    String target,
    @Nullable String dockerfile,
    @Nullable String workspace,
    @Nullable String upload,
    @Nullable GitSource git,
    @Nullable String requirements,
    Map<String, String> args,
    Map<String, String> secrets,
    Limits limits,
    @Nullable String cluster,
    @Nullable String snapshotOf) {
  /** The most characters of a Containerfile. */
  public static final int MOST_DOCKERFILE = 64 << 10;

  /** The most build arguments, and the most secrets. */
  public static final int MOST_ARGS = 50;

  /** The most characters of the value of an argument. */
  public static final int MOST_VALUE = 4 << 10;

  public BuildSpec {
    args = Map.copyOf(args);
    secrets = Map.copyOf(secrets);
    limits = Objects.requireNonNullElse(limits, Limits.NONE);
  }

  /**
   * The limits of the process of a build.
   *
   * @param processors that it may use; 0 for all
   * @param memory bytes of each of its processes; 0 for no limit
   */
  public record Limits(int processors, long memory) {
    public static final Limits NONE = new Limits(0, 0);
  }

  /** A build of an image, without limits. */
  public BuildSpec(
      String target,
      @Nullable String dockerfile,
      @Nullable String workspace,
      @Nullable String upload,
      Map<String, String> args,
      Map<String, String> secrets) {
    this(target, dockerfile, workspace, upload, null, null, args, secrets, Limits.NONE, null, null);
  }

  /** Whether it is a build of an environment. */
  public boolean isEnvironment() {
    return requirements != null;
  }

  /** The target alone. */
  @Override
  public String toString() {
    return "BuildSpec[" + target + "]";
  }
}
