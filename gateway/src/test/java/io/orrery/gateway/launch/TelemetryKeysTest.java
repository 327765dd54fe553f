package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.orrery.core.problem.Problem;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TelemetryKeysTest {
  private static String refusal(String file, Map<String, String> variables) {
    Problem problem =
        Problem.of(catchThrowable(() -> ServerConfig.read(file, variables, Map.of())));
    assertThat(problem).isInstanceOf(Problem.Refused.class);
    return problem.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{Authorization: [hush-4711]}",
        "{\"Authori zation\": hush-4711}",
        "{Authorization: \"hush-4711\\u0007\"}",
        "[hush-4711]",
        "hush-4711",
        "\"Authorization=hush-4711,=hush-4712\""
      })
  void headersThatAreRefusedAreNotRepeated(String headers) {
    assertThat(refusal("traces: {url: \"http://c:1/v1\", headers: " + headers + "}", Map.of()))
        .contains("traces.headers must be {name: text}")
        .doesNotContain("hush");
  }

  @Test
  void headersOfTheEnvironmentThatAreRefusedAreNotRepeated() {
    assertThat(refusal(null, Map.of("ORRERY_TRACES_HEADERS", "hush-4711")))
        .contains("ORRERY_TRACES_HEADERS", "traces.headers must be {name: text}")
        .doesNotContain("hush");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://ann:hush@c:4318/v1", "ftp://c/hush", "[hush]", "''"})
  void anAddressThatIsRefusedIsNotRepeated(String url) {
    assertThat(refusal("traces: {url: " + url + "}", Map.of()))
        .contains("/traces/url", "traces.url must be an address such as")
        .doesNotContain("hush");
  }

  @Test
  void headersAreReadFromATextOrAnObject() {
    Map<String, String> wanted = Map.of("A", "1=2", "B", "3");
    String url = "traces: {url: \"http://c:1/v1\", headers: ";

    for (String headers : new String[] {"{A: \"1=2\", B: \"3\"}", "\"A=1=2,B=3\""}) {
      assertThat(ServerConfig.read(url + headers + "}", Map.of(), Map.of()).telemetry().traces())
          .satisfies(collector -> assertThat(collector.headers()).isEqualTo(wanted));
    }
  }
}
