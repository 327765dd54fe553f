package io.orrery.compute.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.remote.RemoteFacts.Keeper;
import io.orrery.compute.remote.RemoteFiles.End;
import io.orrery.compute.remote.RemoteLife.Finish;
import io.orrery.compute.remote.RemoteLife.Over;
import io.orrery.compute.remote.RemoteState.Clearing;
import io.orrery.compute.service.Keepers;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The end of an attempt on a machine, as {@link RemoteLife} concludes it. */
class RemoteEndTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Instant BEGUN = NOW.minusSeconds(60);
  private static final RemoteLife LIFE =
      new RemoteLife(Duration.ofSeconds(30), Duration.ofSeconds(5));
  private static final String NEVER = "canceled before it started";

  private static final Keeper SILENT = new Keeper(null, null);
  private static final Keeper CAME = new Keeper(BEGUN, null);
  private static final Keeper ENDED =
      new Keeper(BEGUN, new Keepers.State.Ended(3, NOW.minusSeconds(1), true, null));
  private static final RemoteFacts TRIED = new RemoteFacts(SILENT, false, true, true, null);
  private static final RemoteFacts RUNS = new RemoteFacts(CAME, false, true, true, null);
  private static final RemoteFacts TOLD = new RemoteFacts(ENDED, false, true, true, null);
  private static final RemoteFacts CANCELED = new RemoteFacts(SILENT, true, true, true, null);
  private static final Clearing CLEARING = new Clearing(null);

  @Test
  void itsEndIsThatOfItsKeeperAndElseWhatIsFoundOnItsMachine() {
    Finish lost = new Finish("it is gone", new Remains("7", "no memory"));
    assertThat(end(TOLD, lost)).isEqualTo(new End(BEGUN, 3, NOW.minusSeconds(1), null));
    assertThat(end(RUNS, lost)).isEqualTo(new End(BEGUN, 7, NOW, "it is gone: no memory"));
    assertThat(end(TRIED, lost)).isEqualTo(new End(null, null, NOW, "it is gone: no memory"));
    assertThat(end(CANCELED, lost)).isEqualTo(new End(null, null, NOW, NEVER));
  }

  private static End end(RemoteFacts facts, Finish finish) {
    return LIFE.end(CLEARING, facts, finish, NOW).actions().stream()
        .filter(Over.class::isInstance)
        .map(Over.class::cast)
        .findFirst()
        .orElseThrow()
        .end();
  }
}
