package io.orrery.compute.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.remote.RemoteFiles.Place;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteFilesTest {
  private static final AttemptRef ATTEMPT =
      new AttemptRef(new TrialRef(new ExperimentId("abc"), new TrialId("t")), 1);
  private static final Login LOGIN =
      new Login("gpu1", 22, "ada", null, null, null, null, null, false);

  @TempDir Path temp;
  private RemoteFiles one;
  private RemoteFiles other;

  @BeforeEach
  void start() {
    one = new RemoteFiles(temp.resolve("shared"), temp.resolve("one"));
    other = new RemoteFiles(temp.resolve("shared"), temp.resolve("other"));
  }

  @Test
  void ofTwoServersThatPlaceAnAttemptOneDoes() {
    Place first = new Place("ada@gpu1", new GpuGrant(List.of(0), 1), null);
    Place second = new Place("ada@gpu2", null, null);

    assertThat(one.take(ATTEMPT, first)).isEqualTo(first);
    assertThat(other.take(ATTEMPT, second)).isEqualTo(first);
    assertThat(other.place(ATTEMPT)).isEqualTo(first);

    one.forget(ATTEMPT);
    assertThat(other.take(ATTEMPT, second)).isEqualTo(second);
  }

  @Test
  void serversThatShareTheirWorkHaveOneNameTogetherAndOneEach() {
    assertThat(one.group()).isEqualTo(other.group());
    assertThat(one.server()).isNotEqualTo(other.server()).isNotEqualTo(one.group());
    assertThat(new RemoteFiles(temp.resolve("shared"), temp.resolve("one")).server())
        .isEqualTo(one.server());
  }

  @Test
  void aServerThatWorksAloneHasOneName() {
    RemoteFiles alone = new RemoteFiles(temp, temp);

    assertThat(alone.server()).isEqualTo(alone.group());
  }

  @Test
  void aPortIsThatOfOneServer() {
    one.port(LOGIN, 4711);

    assertThat(one.port(LOGIN)).isEqualTo(4711);
    assertThat(other.port(LOGIN)).isZero();
  }
}
