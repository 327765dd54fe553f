package io.orrery.core.image;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A description of how an image is built.
 *
 * @param target the name that it is pushed under, with a tag
 * @param dockerfile its text; null for the file {@code Containerfile} or {@code Dockerfile} of the
 *     context
 * @param workspace the directory of a user that is its context: {@code /mnt/<user>/…}; null for
 *     none
 * @param upload the digest of uploaded code that is its context; null for none
 * @param args build arguments, which all users of the image may see
 * @param secrets the reference {@code secret:NAME} of each id; never in a layer
 */
public record BuildSpec(
    String target,
    @Nullable String dockerfile,
    @Nullable String workspace,
    @Nullable String upload,
    Map<String, String> args,
    Map<String, String> secrets) {
  /** The most characters of a Containerfile. */
  public static final int MOST_DOCKERFILE = 64 << 10;

  /** The most build arguments, and the most secrets. */
  public static final int MOST_ARGS = 50;

  /** The most characters of the value of an argument. */
  public static final int MOST_VALUE = 4 << 10;

  public BuildSpec {
    args = Map.copyOf(args);
    secrets = Map.copyOf(secrets);
  }

  /** The target alone. */
  @Override
  public String toString() {
    return "BuildSpec[" + target + "]";
  }
}
