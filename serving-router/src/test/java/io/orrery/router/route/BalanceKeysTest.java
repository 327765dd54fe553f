package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the keys by which requests are balanced and shed. */
class BalanceKeysTest {
  private static Service read(String keys) {
    return RouteReader.read("services:\n  - name: a\n    " + keys + "\n", "example.com")
        .services()
        .getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "balance: {hash: 'path:0'} | /services/0/balance/hash | path:N with 1 to 16 parts",
        "balance: {hash: 'body:0'} | /services/0/balance/hash | body:N with 1 to 65536 bytes",
        "balance: {hash: 'body:65537'} | /services/0/balance/hash | 1 to 65536 bytes; not 65537",
        "limits: {rate: 1/hour, rateBy: 'body:5'} | /services/0/limits/rateBy | 16 parts; not",
        "balance: {hash: client, maxLoad: 99%} | /services/0/balance/maxLoad | from 100%",
        "balance: {leastCost: x} | /services/0/balance/leastCost | header:NAME",
        "balance: {leastCost: 'header:x', hash: client} | /services/0/balance/hash | either",
        "limits: {rate: 1/hour, rateBy: user} | /services/0/limits/rateBy | header:NAME",
        "limits: {rateBy: client} | /services/0/limits/rateBy | there is no rate",
        "limits: {priority: {}} | /services/0/limits/priority/header | the class of a request",
        "limits: {priority: {header: x, classes: {a: 101%}}} |"
            + " /services/0/limits/priority/classes/a | 0% to 100%",
        "limits: {priority: {header: x, other: much}} | /services/0/limits/priority/other | 100%"
      })
  void aFaultIsRefusedWithItsPlace(String keys, String pointer, String words) {
    ProblemException e = catchThrowableOfType(ProblemException.class, () -> read(keys));

    Finding finding = ((Problem.Refused) e.problem()).findings().getFirst();
    assertThat(finding.pointer()).isEqualTo(pointer);
    assertThat(finding.message()).contains(words);
    assertThat(finding.line()).isEqualTo(3);
  }

  @Test
  void aBalanceIsReadAsItIsWritten() {
    assertThat(read("balance: {hash: 'path:3', maxLoad: 125%}").balance())
        .isEqualTo(new Balance.Hash(new RequestKey.PathPrefix(3), 1.25));
    assertThat(read("balance: {hash: 'body:1024'}").balance())
        .isEqualTo(new Balance.Hash(new RequestKey.BodyPrefix(1_024), Double.POSITIVE_INFINITY));
    assertThat(read("balance: {leastCost: 'header:X-Tokens'}").balance())
        .isEqualTo(new Balance.LeastCost(new RequestCost("x-tokens")));
  }

  @Test
  void prioritiesAreReadAsTheyAreWritten() {
    String keys = "limits: {priority: {header: X-Class, classes: {batch: 50%, urgent: 100}}}";

    assertThat(read(keys).limits().priorities())
        .isEqualTo(new Priorities("x-class", Map.of("batch", 50.0, "urgent", 100.0), 100));
    assertThat(read("limits: {requests: 5}").limits().priorities()).isNull();
  }

  @Test
  void connectionsHaveNoPriority() {
    ProblemException e =
        catchThrowableOfType(
            ProblemException.class,
            () -> read("tcp: {port: 31000}\n    limits: {priority: {header: x}}"));

    List<Finding> findings = ((Problem.Refused) e.problem()).findings();
    assertThat(findings).anyMatch(each -> each.pointer().endsWith("/limits/priority"));
  }
}
