package io.orrery.compute.keeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.service.TrialAccess;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.TrialKeepers.Appended;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.SystemClock;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the answers to keepers, by the bus. */
class KeeperVerticleTest {
  private static final AttemptRef ATTEMPT =
      new AttemptRef(new TrialRef(new ExperimentId("exp"), new TrialId("trial")), 1);

  @TempDir Path home;
  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private String deployed = "";

  @BeforeEach
  void begin() throws Exception {
    KeptFiles.of(home, ATTEMPT)
        .write(new ParameterSet(0, "1", ParameterSource.ALGORITHM, Parameters.EMPTY));
    deploy();
  }

  @AfterEach
  void close() throws Exception {
    done(vertx.close());
  }

  private void deploy() throws Exception {
    deployed =
        done(
            vertx.deployVerticle(
                new KeeperVerticle(
                    vertx,
                    bus,
                    new SystemClock(vertx),
                    home,
                    access(),
                    CodeLimits.DEFAULT,
                    new KeptLimits(5, 5))));
  }

  @Test
  void whatAnAttemptMayLeaveIsNoMoreAfterARestart() throws Exception {
    done(bus.request(TrialKeepers.START, new TrialKeepers.Start(ATTEMPT, "main", "i", true, "1")));
    assertThat(log(0, "1234")).isEqualTo(4);
    assertThat(output("a", "12345")).isEqualTo(5);
    assertTooLarge("trials.logMegabytes", () -> log(4, "56"));
    assertTooLarge("trials.outputMegabytes", () -> output("b", "1"));

    done(vertx.undeploy(deployed));
    deploy();

    assertTooLarge("trials.logMegabytes", () -> log(4, "56"));
    assertTooLarge("trials.outputMegabytes", () -> output("b", "1"));
    assertThat(log(0, "1234")).as("repeated").isEqualTo(4);
    assertThat(output("a", "12345")).as("repeated").isEqualTo(5);
  }

  private long log(long offset, String text) throws Exception {
    return done(bus.request(
            TrialKeepers.LOG,
            new TrialKeepers.AppendLog(ATTEMPT, "main", Stream.STDOUT, offset, bytes(text))))
        .next();
  }

  private long output(String path, String text) throws Exception {
    Future<Appended> kept =
        bus.request(
            TrialKeepers.OUTPUT,
            new TrialKeepers.AppendOutput(ATTEMPT, "main", path, 0, text.length(), bytes(text)));
    return done(kept).next();
  }

  private static void assertTooLarge(String what, ThrowingCallable call) {
    assertThatThrownBy(call)
        .satisfies(refused ->
            assertThat(Problem.of(refused))
                .isInstanceOfSatisfying(
                    Problem.TooLarge.class,
                    problem -> assertThat(problem.detail()).contains(what)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static <T> T done(Future<T> future) throws Exception {
    return future.await(20, SECONDS);
  }

  private static TrialAccess access() {
    return new TrialAccess() {
      @Override
      public String serverUrl() {
        return "http://127.0.0.1:1";
      }

      @Override
      public String token(AttemptRef attempt) {
        return "";
      }
    };
  }
}
