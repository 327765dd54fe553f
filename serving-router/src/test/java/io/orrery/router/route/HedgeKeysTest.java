package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.router.route.Hedge.Delay;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the keys by which requests are hedged. */
class HedgeKeysTest {
  private static Service read(String keys) {
    return RouteReader.read("services:\n  - name: a\n    " + keys + "\n", "example.com")
        .services()
        .getFirst();
  }

  private static List<Finding> findings(String keys) {
    ProblemException e = catchThrowableOfType(ProblemException.class, () -> read(keys));
    return ((Problem.Refused) e.problem()).findings();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hedge: {after: soon} | /services/0/hedge/after | a percentile from p50 to p99.9",
        "hedge: {after: p49} | /services/0/hedge/after | not 'p49'",
        "hedge: {after: p100} | /services/0/hedge/after | not 'p100'",
        "hedge: {after: 0.5ms} | /services/0/hedge/after | a time from 1ms to 1h",
        "hedge: {after: 2h} | /services/0/hedge/after | a time from 1ms to 1h",
        "hedge: {budget: 0%} | /services/0/hedge/budget | above 0%, up to 100%",
        "hedge: {budget: 101%} | /services/0/hedge/budget | above 0%, up to 100%",
        "hedge: {methods: []} | /services/0/hedge/methods | 1 to 16 methods, not 0",
        "hedge: {methods: GET} | /services/0/hedge/methods | a list",
        "hedge: {methods: [get]} | /services/0/hedge/methods | not 'get'",
        "hedge: {methods: [CONNECT]} | /services/0/hedge/methods | not CONNECT",
        "hedge: {delay: 5ms} | /services/0/hedge/delay | there is no key delay",
        "hedge: 50ms | /services/0/hedge | after, budget, methods"
      })
  void aFaultIsRefusedWithItsPlace(String keys, String pointer, String words) {
    List<Finding> findings = findings(keys);

    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().pointer()).isEqualTo(pointer);
    assertThat(findings.getFirst().message()).contains(words);
    assertThat(findings.getFirst().line()).isEqualTo(3);
  }

  @Test
  void aHedgeIsReadAsItIsWritten() {
    assertThat(read("hedge: {after: 50ms, budget: 12.5%, methods: [GET, POST]}").hedge())
        .isEqualTo(new Hedge(new Delay.Fixed(Duration.ofMillis(50)), 0.125, Set.of("GET", "POST")));
    assertThat(read("hedge: {after: p99.5, budget: 1}").hedge())
        .isEqualTo(new Hedge(new Delay.Quantile(0.995), 0.01, Set.of("GET", "HEAD")));
  }

  @Test
  void nothingIsHedgedUnlessAServiceSaysSo() {
    assertThat(read("retries: {attempts: 2}").hedge()).isNull();
    assertThat(read("hedge: {}").hedge())
        .isEqualTo(new Hedge(new Delay.Quantile(0.95), 0.05, Set.of("GET", "HEAD")));
  }

  @Test
  void connectionsAreNotHedged() {
    assertThat(findings("tcp: {port: 31000}\n    hedge: {}"))
        .anyMatch(each -> each.pointer().equals("/services/0/hedge"));
  }

  @Test
  void aServiceKeepsItsHedgeAtAnotherPlaceOfTheTable() {
    Service service = read("hedge: {after: 50ms}");

    assertThat(service.at(7))
        .extracting(Service::place, Service::hedge)
        .containsExactly(7, service.hedge());
  }
}
