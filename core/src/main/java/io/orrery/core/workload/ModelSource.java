package io.orrery.core.workload;

import io.orrery.core.digest.Sha256;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file on the web that holds a model: one file, or an archive that is unpacked.
 *
 * @param url of HTTP or HTTPS, without a password
 * @param sha256 the digest that the file has to have, in hexadecimal digits; null for any
 */
public record ModelSource(String url, @Nullable String sha256) {
  /** The form of a digest as people write it. */
  public static final String DIGEST_RULE = "the digest is sha256: and 64 hexadecimal digits";

  private static final Pattern DIGEST = Pattern.compile("(?:sha256:)?([0-9a-f]{64})");

  /** The digits of a digest as people write it; null when it is none. */
  public static @Nullable String digits(String written) {
    var digest = DIGEST.matcher(written.strip().toLowerCase(Locale.ROOT));
    return digest.matches() ? digest.group(1) : null;
  }

  /** What is wrong with an address, in words; null when nothing is. */
  public static @Nullable String fault(String url) {
    try {
      URI uri = new URI(url);
      String scheme = uri.getScheme();
      if (scheme == null || !scheme.matches("(?i)https?") || uri.getHost() == null) {
        return "a model is downloaded from an address such as https://example.com/digits.tar.gz";
      }
      return uri.getRawUserInfo() == null
          ? null
          : "an address of a model has no user and password: it is shown to all who see the service";
    } catch (URISyntaxException e) {
      return "this is no address: " + e.getReason();
    }
  }

  /**
   * Names the download, so that it is made once for all that read it: one whose digest is known by
   * that, wherever it comes from, and others by their version. The name of the file tells how it is
   * unpacked.
   */
  public String key(String version) {
    return sha256 == null
        ? Sha256.hex(url + "\n" + version)
        : Sha256.hex(fileName() + "\n" + sha256);
  }

  /** The last part of the path; {@code model} when it is no name of a file. */
  public String fileName() {
    String path = Objects.requireNonNullElse(URI.create(url).getPath(), "");
    String last = path.substring(path.lastIndexOf('/') + 1);
    return last.matches("[A-Za-z0-9_][A-Za-z0-9._-]{0,200}") ? last : "model";
  }
}
