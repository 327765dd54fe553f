package io.orrery.compute.remote;

import io.orrery.core.digest.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Objects;

/**
 * The keeper that this server has, as one file.
 *
 * @param digest SHA-256, hexadecimal
 * @param base64 its bytes, as text that a script can hold
 */
record KeeperProgram(String digest, String base64) {
  private static final String RESOURCE = "/keeper/orrery_keeper.pyz";

  static KeeperProgram load() {
    try (InputStream resource =
        Objects.requireNonNull(KeeperProgram.class.getResourceAsStream(RESOURCE), RESOURCE)) {
      byte[] bytes = resource.readAllBytes();
      return new KeeperProgram(
          Sha256.hex(bytes), Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
