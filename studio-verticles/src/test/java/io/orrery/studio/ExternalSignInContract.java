package io.orrery.studio;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.contract.People;
import io.orrery.core.problem.Problem;
import org.junit.jupiter.api.Test;

/** The sign-in of users whom a provider or a proxy has authenticated, over any store. */
abstract class ExternalSignInContract extends StudioFixture {
  private static People.ExternalSignIn external(
      String name, String subject, Boolean admin, String session) {
    return new People.ExternalSignIn(
        new UserName(name),
        subject == null ? null : new People.ExternalId("https://id.example.com", subject),
        "Bob",
        "bob@example.com",
        admin,
        new BearerToken(session).sha256(),
        "10.0.0.4");
  }

  @Test
  void aProvidersUserIsKnownByTheIdThereWhateverTheNameBecomes() throws Exception {
    assertThat(ask(People.EXTERNAL_SIGN_IN, external("bob", "7", null, "first")).role())
        .isEqualTo(UserRole.USER);
    assertThat(ask(People.EXTERNAL_SIGN_IN, external("robert", "7", null, "second")).name())
        .isEqualTo(BOB);
    assertThat(caller(new BearerToken("second").sha256()).name()).isEqualTo("bob");

    assertThat(refused(People.EXTERNAL_SIGN_IN, external("bob", "8", null, "third")))
        .isInstanceOf(Problem.Forbidden.class);
    assertThat(caller(new BearerToken("third").sha256())).isNull();
  }

  @Test
  void aProvidersUserNeverOpensAnAccountWithAPasswordButOneThatWasMadeForIt() throws Exception {
    setUpAnn();
    assertThat(refused(People.EXTERNAL_SIGN_IN, external("ann", "1", true, "thief")))
        .isInstanceOf(Problem.Forbidden.class);

    String code = new BearerToken("bob's code").sha256();
    ask(People.CREATE, new People.CreateUser(ROOT, BOB, "Bob", "", UserRole.VIEWER, null, code));
    assertThat(ask(People.EXTERNAL_SIGN_IN, external("bob", "7", false, "bob")).role())
        .isEqualTo(UserRole.VIEWER);
    assertThat(refused(People.SET_UP, new People.SetUp(code, null, PASSWORD, "10.0.0.2")))
        .isInstanceOf(Problem.Unauthorized.class);
  }

  @Test
  void groupsAtTheProviderDecideWhoIsAnAdministrator() throws Exception {
    ask(People.EXTERNAL_SIGN_IN, external("bob", "7", true, "first"));
    String session = new BearerToken("first").sha256();
    assertThat(caller(session).role()).isEqualTo(UserRole.ADMIN);

    ask(People.EXTERNAL_SIGN_IN, external("bob", "7", null, "second"));
    assertThat(caller(session).role()).isEqualTo(UserRole.ADMIN);
    ask(People.EXTERNAL_SIGN_IN, external("bob", "7", false, "third"));
    assertThat(caller(session).role()).isEqualTo(UserRole.USER);
    assertThat(ask(People.SIGN_OUT, new People.SignOut(session, null)).external()).isTrue();
  }

  @Test
  void aProxyOpensAnyAccountByItsNameButNotADisabledOne() throws Exception {
    setUpAnn();
    ask(People.EXTERNAL_SIGN_IN, external("ann", null, null, "ann"));
    assertThat(caller(new BearerToken("ann").sha256()).role()).isEqualTo(UserRole.ADMIN);
    ask(People.EXTERNAL_SIGN_IN, external("bob", null, null, "bob"));
    ask(People.CHANGE, new People.ChangeUser(ROOT, BOB, null, null, null, false, null));

    assertThat(refused(People.EXTERNAL_SIGN_IN, external("bob", null, null, "again")))
        .isInstanceOf(Problem.Forbidden.class);
    assertThat(caller(new BearerToken("bob").sha256())).isNull();
  }

  @Test
  void anIdAtAProviderGoesWithItsAccount() throws Exception {
    setUpAnn();
    ask(People.EXTERNAL_SIGN_IN, external("bob", "7", null, "first"));
    ask(People.DELETE, new People.DeleteUser(ROOT, BOB));
    createBob(UserRole.USER);

    assertThat(refused(People.EXTERNAL_SIGN_IN, external("bob", "7", null, "second")))
        .isInstanceOf(Problem.Forbidden.class);
  }
}
