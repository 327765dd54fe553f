package io.orrery.orchestrator.run;

import io.orrery.compute.storage.Azurite;
import io.orrery.orchestrator.objects.BlobSettings;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keeps artifacts in a container of a real Azurite. */
class ContainerArtifactsIT extends ObjectArtifactsContract {
  private static final String CONTAINER = "artifacts";

  private Azurite server;

  @Override
  void begin(Path directory) throws Exception {
    server = Azurite.start(directory);
    server.container(CONTAINER).create();
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
  ArtifactSettings settings(String prefix) throws Exception {
    return new ArtifactSettings.Container(
        new BlobSettings(
            server.url(),
            Azurite.ACCOUNT,
            CONTAINER,
            prefix,
            "file:" + Files.writeString(home.resolve("key"), Azurite.KEY + "\n")));
  }

  @Override
  boolean has(String name) throws Exception {
    return server.container(CONTAINER).storedAt(name).isPresent();
  }

  @Override
  void replace(String name, String content) throws Exception {
    server.container(CONTAINER).put(name, Files.writeString(home.resolve("other"), content));
  }
}
