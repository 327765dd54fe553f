package io.orrery.orchestrator.platform.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
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
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)),
          Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
