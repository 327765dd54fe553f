package io.orrery.core.image;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The full name of an image.
 *
 * @param host of its registry, with the port when it has one
 * @param repository the name there
 * @param tag null when only the digest is named
 * @param digest such as {@code sha256:…}; null when only the tag is named
 */
public record ImageReference(
    String host, String repository, @Nullable String tag, @Nullable String digest) {
  /** The rule in words. */
  public static final String RULE =
      "a name such as hub.example.com/vision/tool:1, with a tag or a digest";

  /** The names of repositories. */
  static final String REPOSITORY =
      "[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*";

  private static final int MOST = 400;
  private static final Pattern NAME =
      Pattern.compile(
          "(?<repository>"
              + REPOSITORY
              + ")(?::(?<tag>[A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?"
              + "(?:@(?<digest>sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})))?");
  private static final Pattern DIGEST =
      Pattern.compile("sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})");

  /** The image that a text names, which has the tag {@code latest} when it says none. */
  public static Optional<ImageReference> parse(String text) {
    if (text.length() > MOST) {
      return Optional.empty();
    }
    int slash = text.indexOf('/');
    String first = slash < 0 ? "" : text.substring(0, slash).toLowerCase(Locale.ROOT);
    boolean hosted = RegistryServer.isHost(first);
    Matcher name = NAME.matcher(hosted ? text.substring(slash + 1) : text);
    if (!name.matches()) {
      return Optional.empty();
    }
    String host = hosted && !first.equals("index.docker.io") ? first : RegistryServer.DOCKER;
    String repository = name.group("repository");
    if (host.equals(RegistryServer.DOCKER) && repository.indexOf('/') < 0) {
      repository = "library/" + repository;
    }
    String digest = name.group("digest");
    String tag = name.group("tag");
    return Optional.of(
        new ImageReference(
            host, repository, tag == null && digest == null ? "latest" : tag, digest));
  }

  /** Whether a text is the digest of an image. */
  public static boolean isDigest(String text) {
    return DIGEST.matcher(text).matches();
  }

  /** The same image by its digest alone; itself when it has none. */
  public ImageReference byDigest() {
    return digest == null ? this : new ImageReference(host, repository, null, digest);
  }

  /** The address of its manifest: under its tag, when it has one. */
  public String manifest() {
    return manifest(tag == null ? String.valueOf(digest) : tag);
  }

  /**
   * The address of a manifest of its repository.
   *
   * @param reference a tag or a digest
   */
  public String manifest(String reference) {
    return RegistryServer.api(host) + "/v2/" + repository + "/manifests/" + reference;
  }

  /** The address of the tags of its repository. */
  public String tags() {
    return RegistryServer.api(host) + "/v2/" + repository + "/tags/list";
  }

  @Override
  public String toString() {
    return host
        + "/"
        + repository
        + (tag == null ? "" : ":" + tag)
        + (digest == null ? "" : "@" + digest);
  }
}
