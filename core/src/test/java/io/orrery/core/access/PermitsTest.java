package io.orrery.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PermitsTest {
  private static final ProjectName VISION = new ProjectName("vision");
  private static final ResourceOwner OF_ANN = new ResourceOwner(VISION, "ann");
  private static final ResourceOwner OF_BOB = new ResourceOwner(VISION, "bob");

  /** The whole truth table of a person: A allowed, F forbidden, for their own and another's. */
  @ParameterizedTest
  @CsvSource({
    "CREATOR, READ,    A, A",
    "CREATOR, CREATE,  A, A",
    "CREATOR, OPERATE, A, A",
    "CREATOR, CHANGE,  A, A",
    "CREATOR, MANAGE,  A, A",
    "OPS,     READ,    A, A",
    "OPS,     CREATE,  F, F",
    "OPS,     OPERATE, A, A",
    "OPS,     CHANGE,  F, F",
    "OPS,     MANAGE,  F, F",
    "MEMBER,  READ,    A, A",
    "MEMBER,  CREATE,  A, A",
    "MEMBER,  OPERATE, A, F",
    "MEMBER,  CHANGE,  A, F",
    "MEMBER,  MANAGE,  F, F",
    "VIEWER,  READ,    A, A",
    "VIEWER,  CREATE,  F, F",
    "VIEWER,  OPERATE, F, F",
    "VIEWER,  CHANGE,  F, F",
    "VIEWER,  MANAGE,  F, F",
  })
  void aPersonMayDoWhatTheRoleInTheProjectAllows(
      ProjectRole role, Need need, String own, String others) {
    Caller ann = person(UserRole.USER, Map.of(VISION, role));

    assertThat(Permits.decide(ann, need, OF_ANN)).isEqualTo(verdict(own));
    assertThat(Permits.decide(ann, need, OF_BOB)).isEqualTo(verdict(others));
  }

  @ParameterizedTest
  @EnumSource(Need.class)
  void anObjectOfAnotherProjectIsHidden(Need need) {
    Caller ann = person(UserRole.USER, Map.of(ProjectName.PUBLIC, ProjectRole.MEMBER));

    assertThat(Permits.decide(ann, need, OF_ANN)).isEqualTo(AccessDecision.HIDDEN);
  }

  @ParameterizedTest
  @EnumSource(Need.class)
  void anAdministratorMayDoEverythingEverywhere(Need need) {
    Caller root = person(UserRole.ADMIN, Map.of());

    assertThat(Permits.decide(root, need, OF_BOB)).isEqualTo(AccessDecision.ALLOWED);
  }

  @ParameterizedTest
  @EnumSource(Need.class)
  void aTokenOfScopeReadReadsOnlyWhateverItsOwnerMay(Need need) {
    Caller token = new Caller("root", UserRole.ADMIN, Caller.Kind.TOKEN, Map.of(), true);

    assertThat(Permits.decide(token, need, OF_BOB))
        .isEqualTo(need == Need.READ ? AccessDecision.ALLOWED : AccessDecision.FORBIDDEN);
  }

  @ParameterizedTest
  @EnumSource(Need.class)
  void aViewerOfTheServerReadsItsProjectsOnly(Need need) {
    Caller ann = person(UserRole.VIEWER, Map.of(VISION, ProjectRole.CREATOR));

    assertThat(Permits.decide(ann, need, OF_ANN))
        .isEqualTo(need == Need.READ ? AccessDecision.ALLOWED : AccessDecision.FORBIDDEN);
    assertThat(Permits.decide(ann, need, ResourceOwner.PUBLIC)).isEqualTo(AccessDecision.HIDDEN);
  }

  @ParameterizedTest
  @EnumSource(Need.class)
  void aServiceAccountWithTheRoleViewerReadsEveryProject(Need need) {
    Caller scraper = Caller.service("scraper", UserRole.VIEWER);

    assertThat(Permits.decide(scraper, need, OF_ANN))
        .isEqualTo(need == Need.READ ? AccessDecision.ALLOWED : AccessDecision.FORBIDDEN);
  }

  @Test
  void anUnclaimedObjectBelongsToNoMember() {
    Caller ann = person(UserRole.USER, Map.of(ProjectName.PUBLIC, ProjectRole.MEMBER));

    assertThat(Permits.decide(ann, Need.CHANGE, ResourceOwner.PUBLIC))
        .isEqualTo(AccessDecision.FORBIDDEN);
  }

  private static Caller person(UserRole role, Map<ProjectName, ProjectRole> projects) {
    return new Caller("ann", role, Caller.Kind.PERSON, projects, false);
  }

  private static AccessDecision verdict(String letter) {
    return letter.equals("A") ? AccessDecision.ALLOWED : AccessDecision.FORBIDDEN;
  }
}
