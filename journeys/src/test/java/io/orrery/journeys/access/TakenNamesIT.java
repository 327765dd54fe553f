package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.net.FreePort;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Has a stranger ask for the id, the port and the prefix of an experiment of another project. */
@Timeout(120)
class TakenNamesIT {
  private static final String EXPERIMENT =
      """
      trialCommand: sleep 1000
      trialConcurrency: 1
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random}
      trainingService: {platform: local}
      """;

  @TempDir Path temp;

  private Reply create(ServerUsers users, Person person, String query) throws Exception {
    String base = URLEncoder.encode(temp.toAbsolutePath().toString(), StandardCharsets.UTF_8);
    return users.send(person, "POST", "/api/v1/experiments?base=" + base + "&" + query, EXPERIMENT);
  }

  @Test
  void aStrangerLearnsNothingOfTheExperimentThatHasThem() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    int port = FreePort.take();
    try (ServerProcess server = ServerProcess.start(home);
        ServerUsers users = new ServerUsers(server)) {
      Person root = users.administrator();
      Person ann = users.user(root, "ann");
      Person sam = users.user(root, "sam");
      assertThat(users.send(ann, "PUT", "/api/v1/projects/vision", "{}").status()).isEqualTo(201);
      Reply made = create(users, ann, "project=vision&id=retina&urlPrefix=eyes&port=" + port);
      assertThat(made.status()).as(made.body()).isEqualTo(201);
      JsonNode free = create(users, sam, "dryRun=true&id=cornea").json();

      for (String query : new String[] {"id=retina", "urlPrefix=eyes", "port=" + port}) {
        Reply refused = create(users, sam, query);
        assertThat(refused.status()).as(query + refused.body()).isEqualTo(409);
        assertThat(refused.body().replace("'retina'", ""))
            .doesNotContain("retina", "vision", "ann", "RUNNING");
      }
      assertThat(create(users, sam, "id=retina").json().get("detail").textValue())
          .isEqualTo("The id 'retina' is not free: choose another, or leave it out and get one.")
          .isEqualTo(create(users, ann, "id=retina").json().get("detail").textValue());
      assertThat(create(users, sam, "dryRun=true&id=retina").json()).isEqualTo(free);
      assertThat(users.get(sam, "/api/v1/experiments").json().get("items")).isEmpty();

      for (String query : new String[] {"urlPrefix=eyes", "port=" + port}) {
        assertThat(create(users, ann, query).body())
            .as("who may see it is told")
            .contains("belongs to experiment retina, which has not ended");
      }
    }
  }
}
