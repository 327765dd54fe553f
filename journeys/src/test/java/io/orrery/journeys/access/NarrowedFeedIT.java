package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import io.orrery.journeys.ServersTogether;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Follows the feed of all experiments as people of different projects. */
@Timeout(300)
class NarrowedFeedIT {
  private static final String EXPERIMENT =
      """
      trialCommand: 'echo "orrery: final 1"'
      trialConcurrency: 1
      maxTrialNumber: 1
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random, classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  @TempDir Path temp;

  private String create(ServerUsers users, Person person, String project) throws Exception {
    String base = temp.toAbsolutePath().toString().replace(" ", "%20");
    Reply created =
        users.send(
            person,
            "POST",
            "/api/v1/experiments?project=%s&base=%s".formatted(project, base),
            EXPERIMENT);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.json().get("id").textValue();
  }

  @Test
  void theFeedTellsOfTheProjectsOfItsReaderAlone() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    // The client closes last: it waits for the streams, which end with the server.
    try (HttpClient http = HttpClient.newHttpClient();
        ServerProcess server = ServerProcess.start(home);
        ServerUsers users = new ServerUsers(server)) {
      Person root = users.administrator();
      Person ann = users.user(root, "ann");
      Person sam = users.user(root, "sam");
      assertThat(users.send(ann, "PUT", "/api/v1/projects/vision", "{}").status()).isEqualTo(201);
      OpenStream member =
          OpenStream.events(http, server.url(), "Cookie", users.signIn("ann").cookie());
      OpenStream stranger = OpenStream.events(http, server.url(), "Cookie", sam.cookie());

      String hidden = create(users, ann, "vision");
      ServersTogether.await("the feed", () -> member.told().contains(hidden));
      // Both are told of this one, after all that was to be told of the other. No order holds
      // between two streams.
      String open = create(users, ann, "public");
      ServersTogether.await("the feed", () -> stranger.told().contains(open));
      ServersTogether.await("the member's feed", () -> member.told().contains(open));

      assertThat(stranger.told()).doesNotContain(hidden);
      assertThat(stranger.isOpen()).isTrue();
    }
  }
}
