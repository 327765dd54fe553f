package io.orrery.router.run;

import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Problem;
import io.orrery.core.tls.PemFiles;
import io.orrery.core.tls.TlsMaterial;
import io.orrery.router.route.RouterFile.Tls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Looks every few seconds at the certificates of the port of a router alone, and has those that
 * were replaced read again. While they cannot be used, the ones before stay.
 */
final class CertificateFiles {
  private static final Duration PACE = Duration.ofSeconds(5);

  private final Vertx vertx;
  private final Function<List<Tls>, Future<Void>> use;
  private final Consumer<String> say;
  private List<Tls> files;
  private byte[] seen;
  private boolean failed;

  /**
   * @param files those that are in use
   * @param use reads them, and fails when one cannot be used
   */
  CertificateFiles(
      Vertx vertx, List<Tls> files, Function<List<Tls>, Future<Void>> use, Consumer<String> say)
      throws IOException {
    this.vertx = vertx;
    this.files = List.copyOf(files);
    this.use = use;
    this.say = say;
    this.seen = digest(files);
  }

  /** Begins to look. */
  void watch() {
    vertx.setPeriodic(PACE.toMillis(), tick -> look());
  }

  /** Looks at others from now on, which are in use already. */
  synchronized void now(List<Tls> others) throws IOException {
    files = List.copyOf(others);
    seen = digest(others);
  }

  private synchronized List<Tls> files() {
    return files;
  }

  private void look() {
    List<Tls> looked = files();
    if (looked.isEmpty()) {
      return;
    }
    vertx
        .executeBlocking(() -> digest(looked))
        .compose(digest -> isSeen(digest) ? Future.succeededFuture() : check(looked, digest))
        .onFailure(failure -> {
          if (!failed) {
            failed = true;
            say.accept("could not use the new certificates: " + Problem.of(failure).detail());
          }
        });
  }

  private synchronized boolean isSeen(byte[] digest) {
    return MessageDigest.isEqual(seen, digest);
  }

  /** Of two files that are replaced, one is first: a pair that does not fit is not used. */
  private Future<Void> check(List<Tls> looked, byte[] digest) {
    return vertx
        .executeBlocking(() -> {
          for (Tls each : looked) {
            TlsMaterial.read(new PemFiles("/listen/tls", each.certificate(), each.key(), null));
          }
          return digest;
        })
        .compose(checked -> renew(looked, checked));
  }

  private Future<Void> renew(List<Tls> looked, byte[] digest) {
    return use.apply(looked)
        .onSuccess(used -> {
          failed = false;
          synchronized (this) {
            seen = digest;
          }
          say.accept("the certificates were read again");
        });
  }

  private static byte[] digest(List<Tls> files) throws IOException {
    try {
      MessageDigest sum = MessageDigest.getInstance("SHA-256");
      for (Tls each : files) {
        sum.update(Files.readAllBytes(each.certificate()));
        sum.update(Files.readAllBytes(each.key()));
      }
      return sum.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new IOException(FileFault.words(e), e);
    }
  }
}
