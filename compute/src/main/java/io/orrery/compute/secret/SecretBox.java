package io.orrery.compute.secret;

import io.orrery.core.file.DurableFile;
import io.orrery.core.file.KeptFile;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.UserHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals what is secret in a configuration, so that a database, a backup of it, or an API that shows
 * it has nothing that opens anything. The key lies in the server's home, readable by its owner
 * alone, and is made when it is first needed.
 *
 * <p>A secret is written in a configuration as {@code env:NAME} or {@code file:/path}, which stay
 * as they are and are looked up each time, or as itself; then it is stored as {@code sealed:…}.
 * Equal secrets give equal seals: AES-GCM under a nonce that is made from the secret (as in RFC
 * 8452).
 *
 * <p>Thread safe. Reads and writes small files.
 */
public final class SecretBox {
  /** How a sealed secret begins. */
  public static final String SEALED = "sealed:";

  /** How the name of a variable of the server's environment begins. */
  public static final String VARIABLE = "env:";

  /** How the path of a file begins that has the secret as its content. */
  public static final String FILE = "file:";

  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int MOST_BYTES = 64 * 1024;

  private final Path keyFile;
  private final Map<String, String> variables;

  /**
   * @param home the server's home directory
   * @param variables the server's environment
   */
  public SecretBox(Path home, Map<String, String> variables) {
    this.keyFile = home.resolve("secrets.key");
    this.variables = Map.copyOf(variables);
  }

  /** Whether a text is no secret itself, but says where one is, or is sealed already. */
  public static boolean isReference(String written) {
    return written.startsWith(SEALED) || written.startsWith(VARIABLE) || written.startsWith(FILE);
  }

  /** What may be stored in the place of a secret; references stay as they are. */
  public String seal(String written) {
    return isReference(written) ? written : sealValue(written);
  }

  /** The same for a value that is never a reference, whatever it looks like. */
  public String sealValue(String written) {
    byte[] plain = written.getBytes(StandardCharsets.UTF_8);
    try {
      byte[] key = key();
      byte[] nonce = nonce(key, plain);
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce).doFinal(plain);
      byte[] all = Arrays.copyOf(nonce, nonce.length + sealed.length);
      System.arraycopy(sealed, 0, all, nonce.length, sealed.length);
      return SEALED + Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has AES-GCM", e);
    }
  }

  /**
   * The secret itself.
   *
   * @param stored what {@link #seal} gave
   * @param pointer where the configuration has it, for the finding
   * @throws io.orrery.core.problem.ProblemException Refused when there is no such variable or file,
   *     or when it was sealed with the key of another home
   */
  public String open(String stored, String pointer) {
    if (stored.startsWith(VARIABLE)) {
      String name = stored.substring(VARIABLE.length());
      String value = variables.get(name);
      if (value == null || value.isEmpty()) {
        throw refused(
            pointer, "names the variable " + name + ", which is not set where the server runs");
      }
      return value;
    }
    if (stored.startsWith(FILE)) {
      return read(stored.substring(FILE.length()), pointer);
    }
    if (!stored.startsWith(SEALED)) {
      return stored;
    }
    try {
      byte[] all = Base64.getUrlDecoder().decode(stored.substring(SEALED.length()));
      byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
      byte[] plain =
          cipher(Cipher.DECRYPT_MODE, key(), nonce)
              .doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
      return new String(plain, StandardCharsets.UTF_8);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw refused(
          pointer, "was sealed by another server, or its key is lost: it has to be given again");
    }
  }

  private String read(String path, String pointer) {
    try {
      Path file =
          path.startsWith("~/") ? UserHome.of(variables).resolve(path.substring(2)) : Path.of(path);
      if (!file.isAbsolute()) {
        throw refused(pointer, "must name an absolute path after 'file:'");
      }
      if (Files.size(file) > MOST_BYTES) {
        throw refused(pointer, "names " + file + ", which is too large for a secret");
      }
      return Files.readString(file).stripTrailing();
    } catch (IOException | java.nio.file.InvalidPathException e) {
      throw refused(pointer, "names a file that cannot be read: " + e.getMessage());
    }
  }

  private static RuntimeException refused(String pointer, String what) {
    return new Problem.Refused(new Finding(pointer, pointer + " " + what)).toException();
  }

  private static Cipher cipher(int mode, byte[] key, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce, 0, NONCE_BYTES));
    return cipher;
  }

  private static byte[] nonce(byte[] key, byte[] plain) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return Arrays.copyOf(mac.doFinal(plain), NONCE_BYTES);
  }

  private byte[] key() {
    try {
      Optional<byte[]> known = KeptFile.read(keyFile);
      byte[] key = known.isPresent() ? known.get() : made();
      if (key.length != KEY_BYTES) {
        throw new Problem.Broken(keyFile + " is not a key of " + KEY_BYTES + " bytes")
            .toException();
      }
      KeptFile.adopt(keyFile, key);
      return key;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a key, unless another thread or server makes one at the same time. */
  private byte[] made() {
    byte[] fresh = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(fresh);
    try {
      return DurableFile.create(keyFile, fresh) ? fresh : Files.readAllBytes(keyFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
