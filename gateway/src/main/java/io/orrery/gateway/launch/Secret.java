package io.orrery.gateway.launch;

import io.orrery.core.digest.Sha256;
import io.orrery.core.file.DurableFile;
import io.orrery.core.file.KeptFile;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The key that trial tokens are made with; the same over restarts, so that they stay valid, and for
 * all servers that share a directory.
 */
final class Secret {
  private static final Logger LOG = LoggerFactory.getLogger(Secret.class);
  private static final int BYTES = 32;
  private static final int NAME_LETTERS = 16;

  private final byte[] bytes;

  private Secret(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads it, and makes it when there never was one.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict when its file is missing, damaged, or
   *     another home's
   */
  static Secret of(Path directory) throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path file = directory.resolve("secret");
    if (KeptFile.read(file).isEmpty()) {
      make(file);
    }
    byte[] secret = Files.readAllBytes(file);
    if (secret.length != BYTES) {
      throw new Problem.Conflict(
              "%s is damaged: it has %d bytes instead of %d; put it back from a backup, or delete it"
                      .formatted(file, secret.length, BYTES)
                  + " to have a new one made, which trials that run now cannot report to")
          .toException();
    }
    KeptFile.adopt(file, secret);
    return new Secret(secret);
  }

  /** Creates the secret; when several servers do so at once, the first one wins. */
  private static void make(Path file) throws IOException {
    byte[] secret = new byte[BYTES];
    new SecureRandom().nextBytes(secret);
    if (!DurableFile.create(file, secret)) {
      LOG.debug("another server was quicker: its secret is the one of all");
    }
  }

  byte[] bytes() {
    return bytes.clone();
  }

  /** A name of this secret, which can be shown: no key follows from it. */
  String name(String purpose) {
    MessageDigest digest = Sha256.begin();
    digest.update(purpose.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest(bytes)).substring(0, NAME_LETTERS);
  }
}
