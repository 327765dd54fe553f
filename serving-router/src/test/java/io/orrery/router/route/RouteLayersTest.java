package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.route.RouteLayer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The layers of a table and their owners. */
class RouteLayersTest {
  private static final String DOMAIN = "example.com";
  private static final RouteTable STUDIO =
      RouteTable.empty(DOMAIN)
          .with(
              RouteLayer.STUDIO,
              7,
              "services: [{name: s, hosts: [model.example.com], limits: {requests: 5}}, {name: t},"
                  + " {name: p, tcp: {port: 31000}}]",
              References.REQUIRED);

  @Test
  void theTableHasTheServicesOfAllLayersInTheirOrder() {
    RouteTable both = table(STUDIO, "services: [{name: a}, {name: b}]");

    assertThat(both.services()).extracting(Service::name).containsExactly("a", "b", "s", "t", "p");
    assertThat(both.services()).extracting(Service::place).containsExactly(0, 1, 2, 3, 4);
    assertThat(both.services(RouteLayer.STUDIO))
        .extracting(Service::name)
        .containsExactly("s", "t", "p");
    assertThat(both.revision(RouteLayer.STUDIO)).isEqualTo(7);
    assertThat(both.sole("model.example.com").name()).isEqualTo("s");
    assertThat(both.sole("a.service.example.com").name()).isEqualTo("a");
  }

  @Test
  void aLayerThatIsReplacedLeavesTheOtherAlone() {
    RouteTable both = table(STUDIO, "services: [{name: a}]");

    RouteTable less = both.with(RouteLayer.STUDIO, 8, "services: []", References.REQUIRED);

    assertThat(less.services()).extracting(Service::name).containsExactly("a");
    assertThat(less.revision(RouteLayer.STUDIO)).isEqualTo(8);
    assertThat(table(both, "services: []").services())
        .extracting(Service::name)
        .containsExactly("s", "t", "p");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{name: s}",
        "{name: s, stage: test}",
        "{name: a, hosts: [model.example.com]}",
        "{name: a, hosts: [t.service.example.com]}",
        "{name: a, tcp: {port: 31000}}"
      })
  void aNameOrHostOfAnotherLayerIsAConflictThatNamesItsOwner(String service) {
    assertThat(problem(STUDIO, "services: [" + service + "]"))
        .isInstanceOfSatisfying(
            Problem.Conflict.class,
            conflict -> assertThat(conflict.detail()).contains("layer studio"));
  }

  @Test
  void anOwnHostThatAnotherLayerListsIsAConflict() {
    RouteTable hosting =
        table(RouteTable.empty(DOMAIN), "services: [{name: a, hosts: [n.service.example.com]}]");

    ProblemException refused =
        catchThrowableOfType(
            ProblemException.class,
            () -> hosting.with(RouteLayer.STUDIO, 1, "services: [{name: n}]", References.OPTIONAL));

    assertThat(refused.problem()).isInstanceOf(Problem.Conflict.class);
    assertThat(refused)
        .hasMessageContaining("n.service.example.com")
        .hasMessageContaining("layer table");
  }

  @Test
  void aSplitOrMirrorMayNameAServiceOfAnotherLayer() {
    RouteTable both = table(STUDIO, "services: [{name: a, split: 's:25%', mirror: 't:100%'}]");

    Service a = both.services().getFirst();
    assertThat(both.split(a).part(1)).isEqualTo(0.25);
    assertThat(both.mirrors(a)).containsExactly(2);
  }

  @Test
  void whatASplitNamesMayLeaveItsLayerAndComeBack() {
    RouteTable both =
        table(STUDIO, "services: [{name: a, split: 's:25%', mirror: 't:1%'}, {name: b}]");

    RouteTable without = both.with(RouteLayer.STUDIO, 8, "services: []", References.REQUIRED);

    Service a = without.services().getFirst();
    assertThat(without.split(a).divided()).isFalse();
    assertThat(without.mirrors(a)).containsExactly(RouteTable.ABSENT);
    assertThat(without.missing("a")).containsExactly("s", "t");
    RouteTable again = without.with(RouteLayer.STUDIO, STUDIO, References.REQUIRED);
    assertThat(again.split(again.services().getFirst()).part(2)).isEqualTo(0.25);
    assertThat(again.missing("a")).isEmpty();
  }

  @Test
  void aNameThatIsNotThereIsAFindingUnlessTheServiceHadItBefore() {
    String text = "services: [{name: a, split: 's:25%'}]";
    RouteTable without =
        table(STUDIO, text).with(RouteLayer.STUDIO, 8, "services: []", References.REQUIRED);

    assertThat(table(without, text).missing("a")).containsExactly("s");
    assertThat(findings(without, "services: [{name: a, split: 'x:25%'}]"))
        .extracting(Finding::pointer)
        .containsExactly("/services/0/split");
    assertThat(findings(without, "services: [{name: b, split: 's:25%'}]")).hasSize(1);
  }

  @Test
  void aServiceMarkedAsAnotherLayersStaysAsItIsThere() {
    RouteTable both =
        table(
            STUDIO,
            """
            {"services": [{"name": "t", "layer": "studio", "state": {"inFlight": 1}},
              {"name": "a", "layer": "table"},
              {"name": "s", "limits": {"requests": 5.0}, "hosts": ["model.example.com"], "layer": "studio"}]}
            """);

    assertThat(both.services()).extracting(Service::name).containsExactly("a", "s", "t", "p");
    assertThat(both.document(RouteLayer.TABLE)).isEqualTo("[{\"name\":\"a\"}]");
    assertThat(both.document(RouteLayer.STUDIO)).isEqualTo(STUDIO.document(RouteLayer.STUDIO));
  }

  @Test
  void aServiceMarkedAsAnotherLayersAndChangedIsAFinding() {
    String changed =
        "services: [{name: a}, {name: s, layer: studio}, {name: x, layer: studio}, {name: t, layer: studio}]";

    assertThat(findings(STUDIO, changed))
        .extracting(Finding::pointer)
        .containsExactly("/services/1", "/services/2");
    assertThat(findings(STUDIO, "services: [{name: a, layer: mine}]"))
        .extracting(Finding::pointer)
        .containsExactly("/services/0/layer");
  }

  @Test
  void findingsBehindAMarkedServiceHaveTheirPlaceInTheDocument() {
    assertThat(findings(STUDIO, "services: [{name: t, layer: studio}, {name: a, split: 'x:1%'}]"))
        .extracting(Finding::pointer)
        .containsExactly("/services/1/split");
  }

  @Test
  void aCircleThroughTwoLayersIsRefused() {
    RouteTable table = table(STUDIO, "services: [{name: a, split: 's:25%'}]");

    ProblemException refused =
        catchThrowableOfType(
            ProblemException.class,
            () ->
                table.with(
                    RouteLayer.STUDIO,
                    9,
                    "services: [{name: s, split: 'a:1%'}]",
                    References.OPTIONAL));

    assertThat(refused).hasMessageContaining("a → s → a");
  }

  private static RouteTable table(RouteTable others, String text) {
    return others.with(RouteLayer.TABLE, 0, text, References.REQUIRED);
  }

  private static Problem problem(RouteTable others, String text) {
    return catchThrowableOfType(ProblemException.class, () -> table(others, text)).problem();
  }

  private static List<Finding> findings(RouteTable others, String text) {
    return ((Problem.Refused) problem(others, text)).findings();
  }
}
