package io.orrery.gateway.status;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.bus.contract.ServerFindings;
import io.orrery.core.bus.contract.ServerFindings.Findings;
import io.orrery.core.bus.contract.ServerFindings.ServerFinding;
import io.orrery.core.check.CheckResult;
import io.orrery.core.check.CheckResult.State;
import io.orrery.core.lease.Member;
import io.orrery.core.time.VirtualClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what is shown of servers that answer, that do not, and that have gone. */
class OtherServersTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final Member TWO = member("m2", "2", "0.2.0");

  private final VirtualClock clock = new VirtualClock(NOW);
  private Vertx vertx;
  private Bus bus;
  private OtherServers others;

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
    bus = Bus.of(vertx);
    others = new OtherServers(bus, clock, "0.2.0");
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, SECONDS);
  }

  private static Member member(String id, String host, String version) {
    return new Member(id, "http://" + host, host, ServerRole.all(), version, null);
  }

  private Bus.Subscription answer(String state) throws Exception {
    return bus.serve(
            ServerFindings.OWN.of("m2"),
            asked ->
                Future.succeededFuture(
                    new Findings(List.of(new ServerFinding("disk", state, "3 GB", "", NOW)))))
        .await(10, SECONDS);
  }

  private List<TimedResult> ask(Member... members) throws Exception {
    return others.ask(List.of(members), "m1").await(10, SECONDS);
  }

  private CheckResult only(Member... members) throws Exception {
    List<TimedResult> results = ask(members);
    assertThat(results).hasSize(1);
    return results.getFirst().result();
  }

  @Test
  void aServerThatAnswersIsShownWithTheTimeOfItsFindings() throws Exception {
    answer("warning");
    clock.advance(Duration.ofSeconds(2));

    assertThat(ask(TWO))
        .containsExactly(
            new TimedResult(new CheckResult("disk", State.WARNING, "3 GB", ""), NOW, TWO));
    assertThat(others.heardAt(TWO)).contains(NOW.plusSeconds(2));
  }

  @Test
  void aStateThatOnlyALaterVersionHasIsUnknown() throws Exception {
    answer("on fire");

    assertThat(only(TWO).state()).isEqualTo(State.UNKNOWN);
  }

  @Test
  void aServerOfAnEarlierVersionIsNoFailure() throws Exception {
    CheckResult result = only(member("m2", "2", ""));

    assertThat(result.state()).isEqualTo(State.UNKNOWN);
    assertThat(result.found()).startsWith("of an earlier version");
  }

  @Test
  void aServerThatHasJustComeMayStillBeStarting() throws Exception {
    assertThat(only(TWO).found()).contains("starting");
  }

  @Test
  void aServerThatFallsSilentIsShownAsItWas() throws Exception {
    Bus.Subscription answering = answer("ok");
    ask(TWO);
    answering.cancel().await(10, SECONDS);
    clock.advance(Duration.ofSeconds(10));

    List<TimedResult> results = ask(TWO);

    assertThat(results).extracting(each -> each.result().check()).containsExactly("server", "disk");
    assertThat(results.getFirst().result().state()).isEqualTo(State.WARNING);
    assertThat(results.getFirst().result().found())
        .startsWith("not heard from since 2026-03-01T00:00:00Z");
    assertThat(results.getLast().at()).isEqualTo(NOW);
  }

  @Test
  void aServerThatHasNeverAnsweredInTimeIsNamed() throws Exception {
    bus.serve(
            ServerFindings.OWN.of("m2"),
            asked -> Future.failedFuture(new IllegalStateException("it hangs")))
        .await(10, SECONDS);

    assertThat(only(TWO).found()).startsWith("it does not answer");
  }

  @Test
  void oneThatIsNoMemberAnyMoreIsNamedForSomeMinutes() throws Exception {
    answer("ok");
    ask(TWO);
    clock.advance(Duration.ofMinutes(1));

    assertThat(only().found())
        .startsWith("not heard from since 2026-03-01T00:00:00Z; it is no member any more");

    clock.advance(Duration.ofMinutes(15));
    assertThat(ask()).isEmpty();
  }

  @Test
  void oneThatComesBackAsAnotherMemberIsNoLongerMissed() throws Exception {
    answer("ok");
    ask(TWO);

    List<TimedResult> results = ask(member("m3", "2", "0.2.0"));

    assertThat(results).extracting(TimedResult::server).extracting(Member::id).containsOnly("m3");
  }
}
