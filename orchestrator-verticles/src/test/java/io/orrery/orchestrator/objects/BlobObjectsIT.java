package io.orrery.orchestrator.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.storage.Azurite;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stores and reads blobs of a real Azurite. */
class BlobObjectsIT extends RemoteObjectsContract {
  private Azurite server;

  @Override
  protected void start() throws Exception {
    server = Azurite.start(temp);
    server.container("artifacts").create();
  }

  @Override
  protected void stop() {
    if (server != null) {
      server.close();
    }
  }

  private RemoteObjects container(String name, String prefix, String key, Clock clock) {
    return new BlobObjects(
        new BlobSettings(server.url(), Azurite.ACCOUNT, name, prefix, "env:KEY"), clock, () -> key);
  }

  @Override
  protected RemoteObjects store(String prefix, Clock clock) {
    return container("artifacts", prefix, Azurite.KEY, clock);
  }

  @Override
  protected RemoteObjects withKey(String key, Clock clock) {
    return container("artifacts", "", key, clock);
  }

  @Override
  protected RemoteObjects nowhere(Clock clock) {
    return container("nothing", "", Azurite.KEY, clock);
  }

  @Override
  protected RemoteObjects away(Clock clock) {
    return new BlobObjects(
        new BlobSettings(
            "http://127.0.0.1:1/" + Azurite.ACCOUNT, Azurite.ACCOUNT, "artifacts", "", "env:KEY"),
        clock,
        () -> Azurite.KEY);
  }

  @Override
  protected String wrongKey() {
    return "Z3Vlc3NlZA==";
  }

  @Override
  protected int part() {
    return 4 << 20;
  }

  @Override
  protected List<String> names(String prefix) throws Exception {
    return server.names("artifacts", prefix);
  }

  @Test
  void aKeyThatIsNoneIsSaidToBeNone() {
    Vertx vertx = Vertx.vertx();
    try (RemoteObjects store = withKey("not base64!", new SystemClock(vertx))) {
      assertThatThrownBy(() -> store.storedAt("any"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no account key")
          .hasMessageNotContaining("base64!");
    } finally {
      assertThat(vertx.close()).isNotNull();
    }
  }
}
