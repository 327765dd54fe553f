package io.orrery.core.tls;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of one side of TLS.
 *
 * @param pointer where they are configured, such as {@code /cluster/tls}
 * @param certificate the own certificate, those that signed it after it; null shows none
 * @param key its private key, without a password; null exactly where the certificate is
 * @param authority the certificates that those of the other side must be signed by; null for those
 *     that Java trusts, or where the other side is asked for none
 */
public record PemFiles(
    String pointer, @Nullable Path certificate, @Nullable Path key, @Nullable Path authority) {
  /** The same with its paths made absolute. */
  public PemFiles from(Path directory) {
    return new PemFiles(
        pointer,
        absolute(directory, certificate, "certificate"),
        absolute(directory, key, "key"),
        absolute(directory, authority, "authority"));
  }

  private @Nullable Path absolute(Path directory, @Nullable Path file, String key) {
    if (file == null) {
      return null;
    }
    Path path = directory.resolve(file);
    if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
      String name = pointer.substring(1).replace('/', '.') + "." + key;
      throw new Problem.Refused(
              new Finding(pointer + "/" + key, name + " is " + path + ": it cannot be read"))
          .toException();
    }
    return path;
  }
}
