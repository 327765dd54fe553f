package io.orrery.studio;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.Caller;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The studio answers alike on every store. */
abstract class StudioContract extends StudioFixture {
  // ---- accounts ------------------------------------------------------------------------------

  @Test
  void theFirstCodeMakesOneAdministratorAndNoSecond() throws Exception {
    setUpAnn();

    assertThat(ask(People.GET, new People.GetUser(ANN)).role()).isEqualTo(UserRole.ADMIN);
    assertThat(ask(People.FIRST, new People.FirstSetUp("ab".repeat(32))).needed()).isFalse();
    assertThat(
            refused(
                People.SET_UP,
                new People.SetUp(new BearerToken("first").sha256(), "eve", PASSWORD, "10.0.0.9")))
        .isInstanceOf(Problem.Unauthorized.class);
  }

  @Test
  void aSessionSurvivesARestartOfTheStudio() throws Exception {
    setUpAnn();
    String session = signIn(ANN);
    success(vertx.undeploy(deployment));
    deploy();

    assertThat(caller(session).name()).isEqualTo("ann");
    ask(People.SIGN_OUT, new People.SignOut(session, null));
    assertThat(caller(session)).isNull();
  }

  @Test
  void aSessionByATokenOpensWhatTheTokenDoesAsLongAsThatLasts() throws Exception {
    setUpAnn();
    String token = new BearerToken("ann's token").sha256();
    ask(
        People.CREATE_TOKEN,
        new People.CreateToken(ROOT, ANN, "ci", People.Scope.READ, null, null, token));
    String session = new BearerToken("by a token").sha256();
    ask(People.TOKEN_SIGN_IN, new People.TokenSignIn(token, null, session, "10.0.0.3"));

    assertThat(caller(session).name()).isEqualTo("ann");
    assertThat(caller(session).kind()).isEqualTo(Caller.Kind.TOKEN);
    assertThat(caller(session).readOnly()).isTrue();

    ask(People.DELETE_TOKEN, new People.DeleteToken(ROOT, ANN, "ci"));
    assertThat(caller(session)).isNull();
    assertThat(
            refused(
                People.TOKEN_SIGN_IN,
                new People.TokenSignIn(token, null, "ab".repeat(32), "10.0.0.3")))
        .isInstanceOf(Problem.Unauthorized.class);
  }

  @Test
  void aSessionOfAServiceAccountNamesItsTokenUntilItIsOver() throws Exception {
    String token = new BearerToken("of ci").sha256();
    String session = new BearerToken("of a browser").sha256();
    ask(People.TOKEN_SIGN_IN, new People.TokenSignIn(token, "ci", session, "10.0.0.3"));

    People.Identity found = ask(People.IDENTIFY, new People.Identify(session));
    assertThat(found.service()).isEqualTo(token);
    assertThat(found.caller()).isNull();

    ask(People.SIGN_OUT, new People.SignOut(session, "ci"));
    assertThat(ask(People.IDENTIFY, new People.Identify(session)).service()).isNull();
  }

  @Test
  void aWrongNameAndAWrongPasswordAreToldAlike() throws Exception {
    setUpAnn();

    Problem password =
        refused(People.SIGN_IN, new People.SignIn("ann", "wrong", "ab".repeat(32), "10.0.0.3"));
    Problem name =
        refused(People.SIGN_IN, new People.SignIn("eve", PASSWORD, "ab".repeat(32), "10.0.0.3"));

    assertThat(password).isInstanceOf(Problem.Unauthorized.class).isEqualTo(name);
  }

  @Test
  void guessesFromElsewhereDoNotLockAUserOut() throws Exception {
    setUpAnn();
    signIn(ANN);
    Problem last = null;
    for (int i = 0; i < 12; i++) {
      last =
          refused(
              People.SIGN_IN, new People.SignIn("ann", "guess" + i, "ab".repeat(32), "6.6.6." + i));
    }

    assertThat(last).isInstanceOf(Problem.Busy.class);
    assertThat(caller(signIn(ANN)).name()).isEqualTo("ann");
  }

  @Test
  void aDisabledUserHasNoSessionAndNoTokenAnyMore() throws Exception {
    setUpAnn();
    createBob(UserRole.USER);
    String session = signIn(BOB);
    String token = new BearerToken("bob's token").sha256();
    ask(
        People.CREATE_TOKEN,
        new People.CreateToken(
            new Actor("bob", ""), BOB, "ci", People.Scope.FULL, null, null, token));
    assertThat(caller(token).kind()).isEqualTo(Caller.Kind.TOKEN);
    List<Long> heard = new ArrayList<>();
    bus.listen(People.CHANGED, now -> heard.add(now.number()));
    long before = ask(People.REVISION, new People.AskRevision()).number();

    ask(People.CHANGE, new People.ChangeUser(ROOT, BOB, null, null, null, false, null));

    assertThat(caller(session)).isNull();
    assertThat(caller(token)).isNull();
    assertThat(ask(People.REVISION, new People.AskRevision()).number()).isGreaterThan(before);
    await().until(() -> !heard.isEmpty());
  }

  @Test
  void theLastActiveAdministratorStays() throws Exception {
    setUpAnn();

    assertThat(
            refused(
                People.CHANGE,
                new People.ChangeUser(ROOT, ANN, null, null, UserRole.USER, null, null)))
        .isInstanceOf(Problem.Conflict.class)
        .extracting(Problem::detail)
        .asString()
        .contains("only active administrator");
    assertThat(refused(People.DELETE, new People.DeleteUser(ROOT, ANN)))
        .isInstanceOf(Problem.Conflict.class);
  }

  @Test
  void aChangeOfAnOlderRevisionIsAConflict() throws Exception {
    setUpAnn();
    ask(People.CHANGE, new People.ChangeUser(ROOT, ANN, "Ann S.", null, null, null, 1L));

    assertThat(
            refused(
                People.CHANGE, new People.ChangeUser(ROOT, ANN, "Ann T.", null, null, null, 1L)))
        .isInstanceOf(Problem.Conflict.class);
    assertThat(ask(People.GET, new People.GetUser(ANN)).displayName()).isEqualTo("Ann S.");
  }

  @Test
  void aNewPasswordEndsAllOtherSessions() throws Exception {
    setUpAnn();
    String session = signIn(ANN);
    String other = new BearerToken("another").sha256();
    ask(People.SIGN_IN, new People.SignIn("ann", PASSWORD, other, "10.0.0.2"));

    ask(
        People.SET_PASSWORD,
        new People.SetPassword(
            new Actor("ann", "10.0.0.2"), ANN, PASSWORD, "four green boats", session));

    assertThat(caller(session)).isNotNull();
    assertThat(caller(other)).isNull();
    assertThat(
            refused(
                People.SIGN_IN, new People.SignIn("ann", PASSWORD, "cd".repeat(32), "10.0.0.2")))
        .isInstanceOf(Problem.Unauthorized.class);
  }

  @Test
  void aTokenForSomeProjectsOpensTheseAlone() throws Exception {
    setUpAnn();
    put(VISION, "ann");
    String token = new BearerToken("narrow").sha256();
    ask(
        People.CREATE_TOKEN,
        new People.CreateToken(
            new Actor("ann", ""), ANN, "ci", People.Scope.READ, List.of(VISION), null, token));

    Caller narrow = caller(token);

    assertThat(narrow.role()).isEqualTo(UserRole.USER);
    assertThat(narrow.projects()).containsOnlyKeys(VISION);
    assertThat(narrow.readsOnly()).isTrue();
  }

  // ---- projects ------------------------------------------------------------------------------

  private Projects.PutDone put(ProjectName name, String by) throws Exception {
    return ask(
        Projects.PUT,
        new Projects.PutProject(new Actor(by, "10.0.0.2"), name, "Vision", "{}", "{}", true, null));
  }

  @Test
  void whoCreatesAProjectIsItsCreatorAndStaysUntilThereIsAnother() throws Exception {
    setUpAnn();
    createBob(UserRole.USER);
    assertThat(put(VISION, "ann").created()).isTrue();
    assertThat(caller(signIn(ANN)).in(VISION)).isEqualTo(ProjectRole.CREATOR);

    assertThat(refused(Projects.REMOVE_MEMBER, new Projects.RemoveMember(ROOT, VISION, ANN, null)))
        .isInstanceOf(Problem.Conflict.class);
    ask(Projects.PUT_MEMBER, new Projects.PutMember(ROOT, VISION, BOB, ProjectRole.CREATOR, null));
    ask(Projects.REMOVE_MEMBER, new Projects.RemoveMember(ROOT, VISION, ANN, null));

    assertThat(ask(Projects.MEMBERS, new Projects.GetProject(VISION)).items())
        .containsExactly(new Projects.Member(BOB, "Bob", ProjectRole.CREATOR, 1));
  }

  @Test
  void aRequestToJoinIsAnsweredOnce() throws Exception {
    setUpAnn();
    createBob(UserRole.USER);
    put(VISION, "ann");
    ask(Projects.ASK, new Projects.AskToJoin(new Actor("bob", ""), VISION, BOB, "please"));

    assertThat(ask(Projects.REQUESTS, new Projects.GetProject(VISION)).items())
        .extracting(Projects.JoinRequest::message)
        .containsExactly("please");
    ask(Projects.ANSWER, new Projects.Answer(ROOT, VISION, BOB, true));

    assertThat(caller(signIn(BOB)).in(VISION)).isEqualTo(ProjectRole.MEMBER);
    assertThat(refused(Projects.ANSWER, new Projects.Answer(ROOT, VISION, BOB, false)))
        .isInstanceOf(Problem.NotFound.class);
  }

  @Test
  void allUsersBelongToPublicAndItStays() throws Exception {
    setUpAnn();
    createBob(UserRole.USER);

    assertThat(caller(signIn(BOB)).in(ProjectName.PUBLIC)).isEqualTo(ProjectRole.MEMBER);
    assertThat(refused(Projects.DELETE, new Projects.DeleteProject(ROOT, ProjectName.PUBLIC)))
        .isInstanceOf(Problem.Conflict.class);
  }

  @Test
  void aListShowsTheProjectsAmongWhichItIsAsked() throws Exception {
    for (int i = 0; i < 5; i++) {
      put(new ProjectName("p" + i), "ann");
    }
    var some = List.of(new ProjectName("p1"), new ProjectName("p3"), new ProjectName("p4"));

    var first = ask(Projects.LIST, new Projects.ListProjects(some, null, null, null, null, 2));
    var second =
        ask(Projects.LIST, new Projects.ListProjects(some, null, null, null, first.next(), 2));

    assertThat(first.items()).extracting(p -> p.name().value()).containsExactly("p1", "p3");
    assertThat(second.items()).extracting(p -> p.name().value()).containsExactly("p4");
    assertThat(second.next()).isNull();
  }

  private List<String> projectsOf(@Nullable String member, @Nullable ProjectRole role)
      throws Exception {
    var wanted = new Projects.ListProjects(null, null, member, role, null, 10);
    return ask(Projects.LIST, wanted).items().stream().map(p -> p.name().value()).toList();
  }

  @Test
  void projectsAreListedByAMemberAndItsRole() throws Exception {
    setUpAnn();
    createBob(UserRole.USER);
    put(VISION, "ann");
    put(new ProjectName("speech"), "ann");
    ask(Projects.PUT_MEMBER, new Projects.PutMember(ROOT, VISION, BOB, ProjectRole.OPS, null));

    assertThat(projectsOf(null, null)).contains("public", "speech", "vision");
    assertThat(projectsOf("bob", null)).containsExactly("public", "vision");
    assertThat(projectsOf("bob", ProjectRole.OPS)).containsExactly("vision");
    assertThat(projectsOf("bob", ProjectRole.MEMBER)).containsExactly("public");
    assertThat(projectsOf("stranger", null)).isEmpty();
    var wanted = new Projects.ListProjects(null, null, "bob", null, null, 10);
    assertThat(ask(Projects.LIST, wanted).memberRoles())
        .isEqualTo(Map.of("public", ProjectRole.MEMBER, "vision", ProjectRole.OPS));
  }

  private List<String> users(@Nullable UserRole role, @Nullable Boolean active) throws Exception {
    var wanted = new People.ListUsers(null, false, role, active, null, 10);
    return ask(People.LIST, wanted).items().stream().map(u -> u.name().value()).toList();
  }

  private List<String> usersWith(String text, boolean byMail) throws Exception {
    var wanted = new People.ListUsers(text, byMail, null, null, null, 10);
    return ask(People.LIST, wanted).items().stream().map(u -> u.name().value()).toList();
  }

  @Test
  void usersAreFoundByTheTextAsItIsAndByMailForAdministratorsAlone() throws Exception {
    setUpAnn();
    createBob(UserRole.USER);
    ask(
        People.CHANGE,
        new People.ChangeUser(ROOT, BOB, "Bob_100%", "b@x.example", null, null, null));

    assertThat(usersWith("BOB_1", false)).containsExactly("bob");
    assertThat(usersWith("b_b", false)).isEmpty();
    assertThat(usersWith("%", false)).containsExactly("bob");
    assertThat(usersWith("x.example", false)).isEmpty();
    assertThat(usersWith("x.example", true)).containsExactly("bob");
  }

  @Test
  void usersAreListedByRoleAndState() throws Exception {
    setUpAnn();
    createBob(UserRole.VIEWER);
    ask(People.CHANGE, new People.ChangeUser(ROOT, BOB, null, null, null, false, null));

    assertThat(users(null, null)).containsExactly("ann", "bob");
    assertThat(users(UserRole.VIEWER, null)).containsExactly("bob");
    assertThat(users(UserRole.VIEWER, true)).isEmpty();
    assertThat(users(null, false)).containsExactly("bob");
    assertThat(users(null, true)).containsExactly("ann");
  }

  // ---- audit ---------------------------------------------------------------------------------

  @Test
  void everyChangeStandsInTheAuditLogNewestFirstWithoutASecret() throws Exception {
    setUpAnn();
    createBob(UserRole.VIEWER);
    put(VISION, "ann");
    ask(Projects.PUT_MEMBER, new Projects.PutMember(ROOT, VISION, BOB, ProjectRole.OPS, null));

    var all = ask(Audits.LIST, search(null, null, 100)).items();
    var ofProject = ask(Audits.LIST, search(null, VISION, 100)).items();

    assertThat(all)
        .extracting(entry -> entry.action() + " " + entry.kind() + " " + entry.name())
        .containsExactly(
            "add member bob",
            "create project vision",
            "set-up user bob",
            "create user bob",
            "set-up user ann");
    assertThat(ofProject).hasSize(2).allMatch(entry -> entry.result().equals("done"));
    assertThat(all.toString()).doesNotContain(PASSWORD).doesNotContain("argon2");
  }

  @Test
  void theAuditLogComesInPages() throws Exception {
    for (int i = 0; i < 5; i++) {
      put(new ProjectName("p" + i), "ann");
    }
    List<String> names = new ArrayList<>();
    String cursor = null;
    do {
      var page = ask(Audits.LIST, search(cursor, null, 2));
      page.items().forEach(entry -> names.add(entry.name()));
      cursor = page.next();
    } while (cursor != null);

    assertThat(names).containsExactly("p4", "p3", "p2", "p1", "p0");
  }

  private static Audits.ListEntries search(String cursor, ProjectName project, int limit) {
    return new Audits.ListEntries(null, null, null, project, null, null, cursor, limit);
  }
}
