package io.orrery.studio;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.time.SystemClock;
import io.orrery.studio.quota.QuotaHandler;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Counts what projects use, on every store alike. */
abstract class QuotaContract extends StudioFixture {
  private static final Actor ANN_HERSELF = new Actor("ann", "10.0.0.2");
  private static final ProjectName SPEECH = new ProjectName("speech");

  private void limit(@Nullable String quota, boolean creates) throws Exception {
    ask(
        Projects.PUT,
        new Projects.PutProject(ANN_HERSELF, VISION, "Vision", "{}", quota, creates, null));
  }

  @Test
  void aChangeThatLeavesTheQuotaKeepsWhatAnotherHasSet() throws Exception {
    limit(null, true);
    assertThat(ask(Projects.GET, new Projects.GetProject(VISION)).quota()).isEqualTo("{}");
    limit("{\"gpu\":8}", false);
    limit(null, false);
    assertThat(ask(Projects.GET, new Projects.GetProject(VISION)).quota()).isEqualTo("{\"gpu\":8}");
  }

  private static Hold gpus(String experiment, String user, int each, int wanted) {
    return new Hold(
        new QuotaObject("experiment", experiment),
        VISION,
        user,
        1,
        new Amounts(Map.of(QuotaResource.GPU, (long) each, QuotaResource.TRIALS, 1L)),
        wanted);
  }

  @Test
  void unitsAreHeldAsFarAsTheyFitAndTheReasonCounts() throws Exception {
    limit("{\"gpu\": 8, \"member\": {\"gpu\": 6}}", true);

    assertThat(ask(Quotas.HOLD, gpus("e1", "ann", 1, 8)))
        .isEqualTo(
            new HoldAnswer(6, "quota of ann in vision: 6 of 6 GPUs in use", QuotaScope.MEMBER));
    assertThat(ask(Quotas.HOLD, gpus("e2", "bob", 2, 4)))
        .isEqualTo(
            new HoldAnswer(
                1, "quota of vision: 8 of 8 GPUs in use: ann 6, bob 2", QuotaScope.PROJECT));
    assertThat(ask(Quotas.HOLD, gpus("e3", "cleo", 1, 1)).units()).isZero();

    Quotas.Usage usage = ask(Quotas.USAGE, new Quotas.AskUsage(VISION));
    assertThat(usage.used().get(QuotaResource.GPU)).isEqualTo(8);
    assertThat(usage.used().get(QuotaResource.TRIALS)).isEqualTo(7);
    assertThat(usage.members()).extracting(Quotas.MemberUsage::user).containsExactly("ann", "bob");
    assertThat(usage.objects())
        .extracting(Quotas.ObjectUsage::name)
        .containsExactlyInAnyOrder("e1", "e2");
  }

  @Test
  void whatIsGivenBackIsAnnouncedAndCanBeHeldByOthers() throws Exception {
    limit("{\"gpu\": 2}", true);
    ConcurrentLinkedQueue<Quotas.Freed> freed = new ConcurrentLinkedQueue<>();
    bus.listen(Quotas.FREED, freed::add);
    ask(Quotas.HOLD, gpus("e1", "ann", 1, 2));
    assertThat(freed).isEmpty();

    assertThat(ask(Quotas.HOLD, gpus("e1", "ann", 1, 1)).units()).isEqualTo(1);
    assertThat(ask(Quotas.HOLD, gpus("e2", "bob", 1, 1)).reason()).isNull();
    await().until(() -> freed.size() == 1);

    ask(Quotas.RELEASE, new Quotas.Release("experiment", "e1", 1, List.of()));
    assertThat(ask(Quotas.HOLD, gpus("e2", "bob", 1, 2)).units()).isEqualTo(2);
    limit("{\"gpu\": 3}", false);
    assertThat(ask(Quotas.HOLD, gpus("e2", "bob", 1, 4)).units()).isEqualTo(3);
    limit("{}", false);
    assertThat(ask(Quotas.HOLD, gpus("e2", "bob", 1, 4)).reason()).isNull();
  }

  @Test
  void partsOfAnObjectAreGivenBackWithItOrWithoutSome() throws Exception {
    limit("{}", true);
    for (String part : List.of("", "s1", "s2")) {
      ask(
          Quotas.HOLD,
          new Hold(
              new QuotaObject("run", "r1", part),
              VISION,
              "ann",
              1,
              Amounts.of(QuotaResource.GPU, 1),
              1));
    }
    ask(Quotas.RELEASE, new Quotas.Release("run", "r1", 1, List.of("", "s2")));

    assertThat(ask(Quotas.HELD, new Quotas.HeldBy("run")).items())
        .extracting(each -> each.object().part())
        .containsExactly("", "s2");
    ask(Quotas.RELEASE, new Quotas.Release("run", "r1", 1, List.of()));
    assertThat(ask(Quotas.HELD, new Quotas.HeldBy("run")).items()).isEmpty();
  }

  @Test
  void anEarlierOwnerChangesNothing() throws Exception {
    limit("{\"gpu\": 4}", true);
    Hold second =
        new Hold(
            new QuotaObject("experiment", "e1"),
            VISION,
            "ann",
            2,
            Amounts.of(QuotaResource.GPU, 1),
            3);
    ask(Quotas.HOLD, second);

    assertThat(refused(Quotas.HOLD, gpus("e1", "ann", 1, 1))).isInstanceOf(Problem.Conflict.class);
    ask(Quotas.RELEASE, new Quotas.Release("experiment", "e1", 1, List.of()));
    assertThat(ask(Quotas.HELD, new Quotas.HeldBy("experiment")).items())
        .containsExactly(new Quotas.HeldUnits(second.object(), 3));
  }

  @Test
  void whatCanNeverFitIsSaidWithLimitAndAmount() throws Exception {
    limit("{\"gpu\": 8, \"memory\": \"64G\", \"member\": {\"gpu\": 2}}", true);

    assertThat(
            ask(
                    Quotas.CHECK,
                    new Quotas.Check(
                        VISION,
                        "a trial of it",
                        new Amounts(
                            Map.of(QuotaResource.GPU, 4L, QuotaResource.MEMORY, 65L << 30))))
                .findings())
        .containsExactlyInAnyOrder(
            "a trial of it is charged 4 GPUs, and the quota of vision is 2 for each member",
            "a trial of it is charged 65G of memory, and the quota of vision is 64G");
  }

  @Test
  void manyServersAtOnceNeverHoldMoreThanTheLimit() throws Exception {
    limit("{\"gpu\": 20}", true);
    List<Future<HoldAnswer>> asked = new ArrayList<>();
    List<QuotaHandler> servers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      servers.add(new QuotaHandler(bus, store, new SystemClock(vertx), Map.of()));
    }
    for (int i = 0; i < 30; i++) {
      asked.add(servers.get(i % 3).hold(gpus("e" + i, "u" + i % 4, 1, 3)));
    }
    success(Future.join(asked));

    int held = asked.stream().mapToInt(each -> each.result().units()).sum();
    assertThat(held).isEqualTo(20);
    assertThat(ask(Quotas.USAGE, new Quotas.AskUsage(VISION)).used().get(QuotaResource.GPU))
        .isEqualTo(20);
  }

  private static Hold gpus(ProjectName project, String experiment, int wanted) {
    return new Hold(
        new QuotaObject("experiment", experiment),
        project,
        "ann",
        1,
        Amounts.of(QuotaResource.GPU, 1),
        wanted);
  }

  @Test
  void allProjectsTogetherNeverHoldMoreThanTheServerMayGive() throws Exception {
    limit("{\"gpu\": 20}", true);
    ask(
        Projects.PUT,
        new Projects.PutProject(ANN_HERSELF, SPEECH, "Speech", "{}", null, true, null));
    List<QuotaHandler> servers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      servers.add(
          new QuotaHandler(bus, store, new SystemClock(vertx), Map.of(QuotaResource.GPU, 9L)));
    }
    List<Future<HoldAnswer>> asked = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      asked.add(servers.get(i % 3).hold(gpus(i % 2 == 0 ? VISION : SPEECH, "e" + i, 2)));
    }
    success(Future.join(asked));
    assertThat(asked.stream().mapToInt(each -> each.result().units()).sum()).isEqualTo(9);

    HoldAnswer refused = success(servers.getFirst().hold(gpus(VISION, "late", 1)));
    long ofVision = ask(Quotas.USAGE, new Quotas.AskUsage(VISION)).used().get(QuotaResource.GPU);
    assertThat(refused)
        .isEqualTo(
            new HoldAnswer(
                0,
                "limit of the server: 9 of 9 GPUs in use, %d by vision".formatted(ofVision),
                QuotaScope.SERVER));

    String busy =
        asked.get(0).result().units() > 0
            ? "e0"
            : "e" + (asked.get(1).result().units() > 0 ? 1 : 2);
    ask(Quotas.RELEASE, new Quotas.Release("experiment", busy, 1, List.of()));
    assertThat(success(servers.get(1).hold(gpus(VISION, "late", 1))).units()).isEqualTo(1);
  }
}
