package io.orrery.core.image;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of an environment of Python packages, in the place of an image: {@code env:<name>}, and
 * with a digest once it is frozen.
 *
 * @param name of the build
 * @param digest 64 digits; null for that of the last build
 */
public record EnvironmentName(String name, @Nullable String digest) {
  /** The beginning of a name. */
  public static final String PREFIX = "env:";

  /** The beginning of a digest. */
  public static final String DIGEST = "sha256:";

  /** The digests of environments in stored texts; those of images have the same form. */
  public static final Pattern DIGESTS = Pattern.compile("(sha256:[0-9a-f]{64})");

  private static final Pattern WHOLE =
      Pattern.compile("env:([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:@sha256:([0-9a-f]{64}))?");

  /** The environment that a text names; empty when it names an image. */
  public static Optional<EnvironmentName> parse(@Nullable String image) {
    Matcher whole = WHOLE.matcher(image == null ? "" : image);
    return whole.matches()
        ? Optional.of(new EnvironmentName(whole.group(1), whole.group(2)))
        : Optional.empty();
  }

  /** Whether programs run in a container that is made of an image. */
  public static boolean isContainer(@Nullable String image) {
    return image != null && !image.startsWith(PREFIX);
  }

  /** The same at a digest. */
  public EnvironmentName at(String otherDigest) {
    return new EnvironmentName(name, otherDigest);
  }

  @Override
  public String toString() {
    return PREFIX + name + (digest == null ? "" : "@sha256:" + digest);
  }
}
