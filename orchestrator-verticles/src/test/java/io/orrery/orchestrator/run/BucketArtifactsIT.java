package io.orrery.orchestrator.run;

import io.orrery.orchestrator.s3.S3Proxy;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keeps artifacts in a bucket of a real S3 server. */
class BucketArtifactsIT extends ObjectArtifactsContract {
  private S3Proxy server;

  @Override
  void begin(Path directory) throws Exception {
    server = S3Proxy.start(directory);
  }

  @Override
  void start() throws Exception {
    server.start();
  }

  @Override
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  ArtifactSettings settings(String prefix) {
    return new ArtifactSettings.Bucket(server.settings(prefix));
  }

  @Override
  boolean has(String name) {
    return Files.exists(server.object(name));
  }

  @Override
  void replace(String name, String content) throws Exception {
    Files.writeString(server.object(name), content);
  }
}
