package io.orrery.gateway.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.ServerRole;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.check.CheckResult;
import io.orrery.core.check.CheckResult.State;
import io.orrery.core.lease.Member;
import io.orrery.gateway.status.ServerFacts.SandboxMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests what is said of the servers of a database, of the sandbox, and of the passes at night. */
class GroupChecksTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

  private static Member member(int port, String version, @Nullable Duration ahead) {
    return new Member(
        "m" + port, "http://127.0.0.1:" + port, "here", ServerRole.all(), version, ahead);
  }

  private static CheckResult found(List<CheckResult> results, String name) {
    return results.stream().filter(each -> each.check().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void aServerThatWorksAloneMissesNoOther() {
    assertThat(GroupChecks.members(false, List.of()))
        .containsExactly(CheckResult.ok("servers", "this server works alone"));
  }

  @Test
  void serversOfOneVersionWithGoodClocksAreGood() {
    List<CheckResult> results =
        GroupChecks.members(
            true,
            List.of(member(1, "0.2.0", Duration.ZERO), member(2, "0.2.0", Duration.ofSeconds(-1))));

    assertThat(results).allMatch(each -> each.state() == State.OK).hasSize(2);
  }

  @Test
  void aRoleThatNoServerHasIsAFailureWithTheFlagThatHelps() {
    Member router =
        new Member("m", "http://127.0.0.1:1", "here", Set.of(ServerRole.ROUTER), "1", null);

    CheckResult servers = found(GroupChecks.members(true, List.of(router)), "servers");

    assertThat(servers.state()).isEqualTo(State.FAILED);
    assertThat(servers.advice()).contains("--roles gateway,orchestrator,tuner,metrics");
  }

  @Test
  void mixedVersionsAndClocksApartAreTold() {
    List<CheckResult> results =
        GroupChecks.members(
            true, List.of(member(1, "0.2.0", Duration.ofSeconds(9)), member(2, "", null)));

    assertThat(found(results, "versions").state()).isEqualTo(State.WARNING);
    assertThat(found(results, "versions").found()).contains("0.2.0", "an older one");
    assertThat(found(results, "clock of http://127.0.0.1:1").found()).startsWith("9 s apart");
  }

  @Test
  void noSandboxMattersWherePeopleHaveAccounts() {
    assertThat(new SandboxMode(true, true).check().state()).isEqualTo(State.OK);
    assertThat(new SandboxMode(false, false).check().state()).isEqualTo(State.OK);
    CheckResult none = new SandboxMode(false, true).check();
    assertThat(none.state()).isEqualTo(State.WARNING);
    assertThat(none.found()).startsWith("none");
  }

  @Test
  void aPassThatFailedOrDidNotRunIsTold() {
    List<CheckResult> results =
        PlatformChecks.retention(
            List.of(
                rule(Retentions.Kind.RUNS, 30, NOW.minus(Duration.ofDays(3)), null),
                rule(Retentions.Kind.AUDIT, 360, NOW, "the disk is full"),
                rule(Retentions.Kind.BUILDS, null, NOW.minus(Duration.ofDays(9)), null)),
            NOW);

    assertThat(results)
        .extracting(CheckResult::check)
        .containsExactly("retention of runs", "retention of audit");
    assertThat(results.get(1).found()).contains("the disk is full");
  }

  private static Retentions.Rule rule(
      Retentions.Kind kind, @Nullable Integer days, Instant at, @Nullable String failure) {
    return new Retentions.Rule(kind, days, null, null, new Retentions.Pass(at, 0, 0, failure));
  }
}
