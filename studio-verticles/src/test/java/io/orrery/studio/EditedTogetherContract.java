package io.orrery.studio;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Secrets;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Has two people change the same member or secret: what one has written is not lost. */
abstract class EditedTogetherContract extends StudioFixture {
  private static final Actor ONE = new Actor("ann", "10.0.0.2");
  private static final Actor OTHER = new Actor("root", "10.0.0.1");

  @BeforeEach
  void createProject() throws Exception {
    success(
        bus.serve(
            Secrets.SEAL,
            asked -> Future.succeededFuture(new Secrets.SealedValue("sealed:" + asked.value()))));
    setUpAnn();
    createBob(UserRole.USER);
    ask(Projects.PUT, new Projects.PutProject(ONE, VISION, "Vision", "{}", "{}", true, null));
  }

  private Projects.PutMember role(Actor by, ProjectRole role, Long ifRevision) {
    return new Projects.PutMember(by, VISION, BOB, role, ifRevision);
  }

  private Secrets.PutSecret value(Actor by, String value, Long ifRevision) {
    return new Secrets.PutSecret(by, VISION, "hub", value, ifRevision);
  }

  private Projects.Member bob() throws Exception {
    return ask(Projects.MEMBERS, new Projects.GetProject(VISION)).items().stream()
        .filter(member -> member.user().equals(BOB))
        .findFirst()
        .orElseThrow();
  }

  private String sealed() throws Exception {
    return ask(Secrets.FIND, new Secrets.FindSecrets(VISION, List.of("hub"))).sealed().get("hub");
  }

  private long changes(String kind) throws Exception {
    return ask(Audits.LIST, new Audits.ListEntries(null, kind, null, null, null, null, null, 100))
        .items()
        .size();
  }

  /** The number of questions that are answered; the others are conflicts. */
  private <Q> int answered(Address<Q, ?> address, List<Q> questions) throws Exception {
    List<Future<?>> all = new ArrayList<>();
    questions.forEach(question -> all.add(bus.request(address, question)));
    success(Future.join(all).transform(ended -> Future.succeededFuture()));
    for (Future<?> each : all) {
      if (each.failed()) {
        assertThat(Problem.of(each.cause())).isInstanceOf(Problem.Conflict.class);
        assertThat(each.cause()).as("in words").hasMessageNotContaining("rows");
      }
    }
    return (int) all.stream().filter(Future::succeeded).count();
  }

  @Test
  void theSecondOfTwoWhoChangeTheRoleThatTheyHaveReadIsRefused() throws Exception {
    Projects.Member read = ask(Projects.PUT_MEMBER, role(ONE, ProjectRole.MEMBER, null));
    assertThat(read.revision()).isEqualTo(1);
    assertThat(ask(Projects.PUT_MEMBER, role(ONE, ProjectRole.OPS, 1L)).revision()).isEqualTo(2);
    long audited = changes("member");

    assertThat(refused(Projects.PUT_MEMBER, role(OTHER, ProjectRole.VIEWER, 1L)))
        .isInstanceOf(Problem.Conflict.class);
    assertThat(refused(Projects.REMOVE_MEMBER, new Projects.RemoveMember(OTHER, VISION, BOB, 1L)))
        .isInstanceOf(Problem.Conflict.class);

    assertThat(bob()).isEqualTo(new Projects.Member(BOB, "Bob", ProjectRole.OPS, 2));
    assertThat(changes("member")).isEqualTo(audited);
    assertThat(ask(Projects.PUT_MEMBER, role(OTHER, ProjectRole.VIEWER, null)).revision())
        .isEqualTo(3);
    ask(Projects.REMOVE_MEMBER, new Projects.RemoveMember(OTHER, VISION, BOB, 3L));
    assertThat(refused(Projects.PUT_MEMBER, role(ONE, ProjectRole.OPS, 3L)))
        .isInstanceOf(Problem.Conflict.class);
  }

  @Test
  void theSecondOfTwoWhoChangeTheSecretThatTheyHaveReadIsRefused() throws Exception {
    assertThat(ask(Secrets.PUT, value(ONE, "first", null)).revision()).isEqualTo(1);
    assertThat(ask(Secrets.PUT, value(ONE, "second", 1L)).revision()).isEqualTo(2);
    long audited = changes("secret");

    assertThat(refused(Secrets.PUT, value(OTHER, "lost", 1L))).isInstanceOf(Problem.Conflict.class);
    assertThat(refused(Secrets.DELETE, new Secrets.DeleteSecret(OTHER, VISION, "hub", 1L)))
        .isInstanceOf(Problem.Conflict.class);

    assertThat(sealed()).isEqualTo("sealed:second");
    assertThat(changes("secret")).isEqualTo(audited);
    assertThat(ask(Secrets.PUT, value(OTHER, "third", null)).revision()).isEqualTo(3);
    ask(Secrets.DELETE, new Secrets.DeleteSecret(OTHER, VISION, "hub", 3L));
    assertThat(refused(Secrets.PUT, value(ONE, "fourth", 3L))).isInstanceOf(Problem.Conflict.class);
  }

  @Test
  void whoAddsAMemberOrSecretThatIsThereByNowIsRefused() throws Exception {
    assertThat(ask(Projects.PUT_MEMBER, role(ONE, ProjectRole.OPS, RevisionCheck.NONE)).revision())
        .isEqualTo(1);
    assertThat(ask(Secrets.PUT, value(ONE, "first", RevisionCheck.NONE)).revision()).isEqualTo(1);
    long members = changes("member");
    long secrets = changes("secret");

    assertThat(refused(Projects.PUT_MEMBER, role(OTHER, ProjectRole.VIEWER, RevisionCheck.NONE)))
        .isEqualTo(
            new Problem.Conflict("Member bob of vision is there already: it has the revision 1."));
    assertThat(refused(Secrets.PUT, value(OTHER, "lost", RevisionCheck.NONE)))
        .isEqualTo(new Problem.Conflict("Secret hub is there already: it has the revision 1."));

    assertThat(bob()).isEqualTo(new Projects.Member(BOB, "Bob", ProjectRole.OPS, 1));
    assertThat(sealed()).isEqualTo("sealed:first");
    assertThat(changes("member")).isEqualTo(members);
    assertThat(changes("secret")).isEqualTo(secrets);
  }

  @Test
  void oneOfManyWhoAddTheSameAtTheSameMomentIsAnswered() throws Exception {
    List<Projects.PutMember> roles = new ArrayList<>();
    List<Secrets.PutSecret> values = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      roles.add(role(ONE, i % 2 == 0 ? ProjectRole.OPS : ProjectRole.VIEWER, RevisionCheck.NONE));
      values.add(value(ONE, "value " + i, RevisionCheck.NONE));
    }

    assertThat(answered(Projects.PUT_MEMBER, roles)).isEqualTo(1);
    assertThat(answered(Secrets.PUT, values)).isEqualTo(1);

    assertThat(bob().revision()).isEqualTo(1);
  }

  /**
   * The removal is asked a little later each time, so that the change comes before, amid, after.
   */
  @Test
  void whoRemovesAnyRevisionIsNotRefusedForAChangeAtTheSameMoment() throws Exception {
    for (int later = 0; later < 12; later++) {
      ask(Projects.PUT_MEMBER, role(ONE, ProjectRole.MEMBER, null));
      ask(Secrets.PUT, value(ONE, "first", null));
      Future<?> change = bus.request(Projects.PUT_MEMBER, role(OTHER, ProjectRole.OPS, 1L));
      Future<?> rotation = bus.request(Secrets.PUT, value(OTHER, "second", 1L));
      Future<?> waited = Future.succeededFuture();
      for (int i = 0; i < later; i++) {
        waited = waited.compose(before -> bus.request(Secrets.LIST, new Secrets.SecretsOf(VISION)));
      }
      Future<?> asked = waited;

      success(
          asked.compose(now ->
              Future.join(
                  bus.request(
                      Projects.REMOVE_MEMBER, new Projects.RemoveMember(ONE, VISION, BOB, null)),
                  bus.request(
                      Secrets.DELETE, new Secrets.DeleteSecret(ONE, VISION, "hub", null)))));

      for (Future<?> late : List.of(change, rotation)) {
        success(late.transform(ended -> Future.succeededFuture()));
        if (late.failed()) {
          assertThat(Problem.of(late.cause()))
              .isInstanceOfAny(Problem.Conflict.class, Problem.NotFound.class);
        }
      }
      assertThat(ask(Projects.MEMBERS, new Projects.GetProject(VISION)).items())
          .extracting(Projects.Member::user)
          .doesNotContain(BOB);
    }
  }

  @Test
  void theSecondOfTwoWhoRemoveTheSameIsToldThatItIsGone() throws Exception {
    ask(Projects.PUT_MEMBER, role(ONE, ProjectRole.MEMBER, null));
    ask(Secrets.PUT, value(ONE, "first", null));
    List<Future<?>> all = new ArrayList<>();
    for (Actor by : List.of(ONE, OTHER)) {
      all.add(
          bus.request(Projects.REMOVE_MEMBER, new Projects.RemoveMember(by, VISION, BOB, null)));
      all.add(bus.request(Secrets.DELETE, new Secrets.DeleteSecret(by, VISION, "hub", null)));
    }

    success(Future.join(all).transform(ended -> Future.succeededFuture()));

    assertThat(all.stream().filter(Future::succeeded)).hasSize(2);
    assertThat(all.stream().filter(Future::failed).map(each -> Problem.of(each.cause())))
        .containsExactlyInAnyOrder(
            new Problem.NotFound("bob is not a member of vision."),
            new Problem.NotFound("Project vision has no secret hub."));
  }

  /** Two creators who step down at once leave one of them. */
  @Test
  void aProjectKeepsACreatorWhenTwoStepDownAtTheSameMoment() throws Exception {
    for (int round = 0; round < 5; round++) {
      ask(Projects.PUT_MEMBER, role(ONE, ProjectRole.CREATOR, null));
      ask(
          Projects.PUT_MEMBER,
          new Projects.PutMember(OTHER, VISION, ANN, ProjectRole.CREATOR, null));
      success(
          Future.join(
                  bus.request(Projects.PUT_MEMBER, role(ONE, ProjectRole.VIEWER, null)),
                  bus.request(
                      Projects.REMOVE_MEMBER, new Projects.RemoveMember(ONE, VISION, ANN, null)))
              .transform(ended -> Future.succeededFuture()));

      assertThat(ask(Projects.MEMBERS, new Projects.GetProject(VISION)).items())
          .extracting(Projects.Member::role)
          .containsOnlyOnce(ProjectRole.CREATOR);
    }
  }

  @Test
  void oneOfManyWhoChangeTheSameAtTheSameMomentIsAnswered() throws Exception {
    ask(Projects.PUT_MEMBER, role(ONE, ProjectRole.MEMBER, null));
    ask(Secrets.PUT, value(ONE, "first", null));
    List<Projects.PutMember> roles = new ArrayList<>();
    List<Secrets.PutSecret> values = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      roles.add(role(ONE, i % 2 == 0 ? ProjectRole.OPS : ProjectRole.VIEWER, 1L));
      values.add(value(ONE, "value " + i, 1L));
    }

    assertThat(answered(Projects.PUT_MEMBER, roles)).isEqualTo(1);
    assertThat(answered(Secrets.PUT, values)).isEqualTo(1);

    assertThat(bob().revision()).isEqualTo(2);
    assertThat(ask(Secrets.LIST, new Secrets.SecretsOf(VISION)).items())
        .extracting(Secrets.ProjectSecret::revision)
        .containsExactly(2L);
  }
}
