package io.orrery.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.Caller;
import io.orrery.core.access.UserRole;
import io.orrery.core.time.VirtualClock;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private static final Caller CALLER = Caller.service("ci", UserRole.ADMIN);

  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final Sessions sessions = new Sessions(clock, new SecureRandom());

  @Test
  void aSessionLastsTwelveHours() {
    String secret = sessions.open(CALLER);

    clock.advance(Duration.ofHours(12).minusMillis(1));
    assertThat(sessions.find(secret)).contains(CALLER);
    clock.advance(Duration.ofMillis(1));
    assertThat(sessions.find(secret)).isEmpty();
  }

  @Test
  void anEndedSessionIsOverAndOthersGoOn() {
    String one = sessions.open(CALLER);
    String other = sessions.open(CALLER);

    sessions.end(one);

    assertThat(sessions.find(one)).isEmpty();
    assertThat(sessions.find(other)).contains(CALLER);
  }

  @Test
  void whoLogsInWithoutEndLogsNobodyElseOut() {
    String other = sessions.open(Caller.service("wall", UserRole.VIEWER));
    String first = sessions.open(CALLER);
    String second = sessions.open(CALLER);
    for (int i = 0; i < 99; i++) {
      sessions.open(CALLER);
    }

    assertThat(sessions.find(other)).isPresent();
    assertThat(sessions.find(first)).isEmpty();
    assertThat(sessions.find(second)).contains(CALLER);
  }

  @Test
  void ofTooManySessionsTheOldestGoes() {
    String first = sessions.open(CALLER);
    String second = sessions.open(CALLER);
    for (int i = 0; i < 999; i++) {
      sessions.open(Caller.service("ci" + i, UserRole.ADMIN));
    }

    assertThat(sessions.find(first)).isEmpty();
    assertThat(sessions.find(second)).contains(CALLER);
  }
}
