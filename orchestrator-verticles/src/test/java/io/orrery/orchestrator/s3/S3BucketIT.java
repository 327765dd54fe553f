package io.orrery.orchestrator.s3;

import io.orrery.core.time.Clock;
import io.orrery.orchestrator.objects.RemoteObjects;
import io.orrery.orchestrator.objects.RemoteObjectsContract;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Stores and reads objects of a real S3 server. */
class S3BucketIT extends RemoteObjectsContract {
  private static final int PART = 5 << 20;

  private S3Proxy server;

  @Override
  protected void start() throws Exception {
    server = S3Proxy.start(temp);
  }

  @Override
  protected void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static RemoteObjects bucket(S3Settings settings, String secretKey, Clock clock) {
    return new S3Bucket(
        settings, clock, () -> new S3Bucket.Keys(S3Proxy.ACCESS_KEY, secretKey), PART);
  }

  @Override
  protected RemoteObjects store(String prefix, Clock clock) {
    return bucket(server.settings(prefix), S3Proxy.SECRET_KEY, clock);
  }

  @Override
  protected RemoteObjects withKey(String key, Clock clock) {
    return bucket(server.settings(""), key, clock);
  }

  @Override
  protected RemoteObjects nowhere(Clock clock) {
    S3Settings known = server.settings("");
    return bucket(
        new S3Settings(
            known.endpoint(), "nothing", known.region(), "", known.accessKey(), known.secretKey()),
        S3Proxy.SECRET_KEY,
        clock);
  }

  @Override
  protected RemoteObjects away(Clock clock) {
    return bucket(
        new S3Settings(URI.create("http://127.0.0.1:1"), "artifacts", "us-east-1", "", "a", "b"),
        "b",
        clock);
  }

  @Override
  protected String wrongKey() {
    return "wrong-secret";
  }

  @Override
  protected int part() {
    return PART;
  }

  @Override
  protected List<String> names(String prefix) throws Exception {
    Path directory = server.object(prefix);
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> Objects.requireNonNull(path.getFileName()).toString()).toList();
    }
  }
}
