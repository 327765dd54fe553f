package io.orrery.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.cli.print.Prompt;
import io.orrery.core.json.Document;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AskedSecretsTest {
  private final List<String> questions = new ArrayList<>();

  private String filled(String text) {
    return new AskedSecrets("exp.yml", text)
        .filled(question -> {
          questions.add(question);
          return "it's \"" + questions.size() + "\" #";
        });
  }

  @Test
  void eachNameIsAskedForOnceAndPutWhereItStands() {
    String text =
        """
        trialCommand: python a.py --text prompt:lab   # not prompt:lab
        trainingService:
          platform: remote
          machineList:   # prompt:lab
            - {host: a, password: prompt:lab}
            - {host: b, password: 'prompt:lab'}
            - host: c
              ssh_passphrase:
                "prompt:key"
        """;

    String filled = filled(text);

    assertThat(questions)
        .containsExactly(
            "exp.yml: lab (trainingService/machineList/0/password): ",
            "exp.yml: key (trainingService/machineList/2/ssh_passphrase): ");
    var machines = Document.read(filled).root().at("/trainingService/machineList");
    assertThat(machines.at("/0/password").asText()).isEqualTo("it's \"1\" #");
    assertThat(machines.at("/1/password").asText()).isEqualTo("it's \"1\" #");
    assertThat(machines.at("/2/ssh_passphrase").asText()).isEqualTo("it's \"2\" #");
    assertThat(filled.lines().count()).isEqualTo(text.lines().count());
    assertThat(filled.lines().findFirst()).isEqualTo(text.lines().findFirst());
  }

  @Test
  void severalOnOneLineAndInJsonAreToldApart() {
    String filled =
        filled(
            "{\"paiConfig\": {\"passWord\": \"prompt:a\"}, \"machineList\": [{\"passwd\":"
                + " \"prompt:a.b\"}, {\"passphrase\": \"prompt:a\"}]}");

    assertThat(Document.read(filled).root().toString())
        .isEqualTo(
            "{\"paiConfig\":{\"passWord\":\"it's \\\"1\\\" #\"},\"machineList\":[{\"passwd\":\"it's"
                + " \\\"2\\\" #\"},{\"passphrase\":\"it's \\\"1\\\" #\"}]}");
  }

  @Test
  void whatIsNoKeyOfASecretIsLeftAlone() {
    String text =
        """
        searchSpace: {token: {_type: choice, _value: ["prompt:a", "prompt:b"]}}
        experimentName: prompt:c
        """;

    assertThat(filled(text)).isEqualTo(text);
    assertThat(questions).isEmpty();
  }

  @Test
  void withoutAnAnswerNothingIsSent() {
    AskedSecrets secrets = new AskedSecrets("exp.yml", "a: 1\npaiConfig: {token: prompt:pai}\n");

    assertThatThrownBy(() -> secrets.filled(Prompt.NONE))
        .hasMessageContaining("exp.yml:2: /paiConfig/token: no user can be asked for 'pai'")
        .hasMessageContaining("env:NAME");
    assertThatThrownBy(() -> secrets.filled(question -> ""))
        .hasMessageContaining("nothing was given");
  }

  @Test
  void aCommentThatStandsBeforeTheNameIsNotMistakenForIt() {
    AskedSecrets secrets =
        new AskedSecrets("exp.yml", "paiConfig:\n  token:   # prompt:pai\n    prompt:pai\n");

    assertThatThrownBy(() -> secrets.filled(question -> "x"))
        .hasMessageContaining("/paiConfig/token: write prompt:pai on the line of its key");
  }
}
