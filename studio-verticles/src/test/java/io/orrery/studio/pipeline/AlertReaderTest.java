package io.orrery.studio.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.run.DueAlert;
import io.orrery.core.run.RunAlerts;
import io.orrery.core.run.RunStatus;
import io.orrery.studio.document.DocumentKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads the alerts of a pipeline's document. */
class AlertReaderTest {
  private final List<Finding> findings = new ArrayList<>();

  private @Nullable RunAlerts read(String alerts) {
    ObjectNode json = (ObjectNode) Document.read("alerts: " + alerts).root();
    return AlertReader.read(DocumentKeys.of(json, "", List.of("alerts"), findings::add));
  }

  private static RunAlerts alerts(List<RunStatus> on, String webhook) {
    return new RunAlerts(on, webhook, List.of(), List.of(), RunAlerts.USUALLY_LATE);
  }

  /** Each line has one fault. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                          | /alerts/webhook | such as secret:hook
          {webhook: 'secret:Hook!'}                   | /alerts/webhook | such as secret:hook
          {webhook: 'https://example.com'}            | /alerts/webhook | such as secret:hook
          {webhook: 'secret:hook', on: []}            | /alerts/on      | a status at least
          {webhook: 'secret:hook', on: FAILED}        | /alerts/on      | a list
          {webhook: 'secret:hook', on: [FAILD]}       | /alerts/on      | did you mean 'FAILED'
          {mail: []}                                  | /alerts/mail    | an address at least
          {mail: ['Ann <a@b.c>']}                     | /alerts/mail    | no address
          {mail: ['a@b.c, d@e.f']}                    | /alerts/mail    | no address
          {mail: [a@b.c], on: [LATER]}                | /alerts/on      | did you mean 'LATE'
          {mail: [a@b.c], late: never}                | /alerts/late    | a duration
          {webhook: 'secret:hook', url: x}            | /alerts/url     | no key 'url'
          later                                       | /alerts         | an object
          """)
  void aFaultIsFoundWithItsPlace(String alerts, String pointer, String message) {
    read(alerts);

    assertThat(findings)
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.pointer()).isEqualTo(pointer);
          assertThat(finding.message()).contains(message);
        });
  }

  @Test
  void alertsAreAboutFailuresUnlessTheySaySo() {
    assertThat(read("{webhook: 'secret:hook'}"))
        .isEqualTo(alerts(List.of(RunStatus.FAILED), "hook"));
    assertThat(read("{on: [STOPPED, SUCCEEDED, STOPPED], webhook: 'secret:hook'}"))
        .isEqualTo(alerts(List.of(RunStatus.SUCCEEDED, RunStatus.STOPPED), "hook"));
    assertThat(read("{on: [LATE, FAILED], late: 1h, mail: [a@b.c, d@e.f, a@b.c]}"))
        .isEqualTo(
            new RunAlerts(
                List.of(RunStatus.FAILED),
                null,
                List.of("a@b.c", "d@e.f"),
                List.of(DueAlert.LATE),
                Duration.ofHours(1)));
    assertThat(read("null")).isNull();
    assertThat(findings).isEmpty();
  }
}
