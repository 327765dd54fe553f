package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys {@code access} and {@code inject} of a table. */
class OriginAccessTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          access: {audience: 'A b'}                            | /services/0/access/audience
          access: {epoch: 1}                                   | /services/0/access/audience
          access: {audience: a, epoch: -1}                     | /services/0/access/epoch
          access: {audience: a, secret: x}                     | /services/0/access
          inject: {authorization: derived}                     | /services/0/inject
          access: {audience: a}, inject: {authorization: mine} | /services/0/inject/authorization
          access: {audience: a}, split: 'b:10%'                | /services/0/split
          access: {audience: a}, mirror: 'b:10%'               | /services/0/mirror
          split: 'c:10%'                                       | /services/0/split
          mirror: 'c:10%'                                      | /services/0/mirror
          """)
  void aTableWithAWrongGuardIsRefusedWithItsPlace(String keys, String pointer) {
    String table =
        """
        services:
          - {name: a, endpoints: ['127.0.0.1:1'], %s}
          - {name: b, endpoints: ['127.0.0.1:2']}
          - {name: c, endpoints: ['127.0.0.1:3'], access: {audience: c, epoch: 3}}
        """
            .formatted(keys);
    assertThatThrownBy(() -> RouteReader.read(table, "example.com"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused ->
                assertThat(((Problem.Refused) refused.problem()).findings())
                    .extracting(Finding::pointer)
                    .anyMatch(place -> place.startsWith(pointer)));
  }
}
