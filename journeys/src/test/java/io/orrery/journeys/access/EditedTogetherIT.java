package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Has two people change the same object of a project over HTTP, each from what they have read. */
@Timeout(300)
class EditedTogetherIT {
  private static final String VISION = "/api/v1/projects/vision";

  @TempDir Path temp;

  @Test
  void theSecondOfTwoIsRefusedAndToldWhatIsThere() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    try (ServerProcess server = ServerProcess.start(home);
        ServerUsers users = new ServerUsers(server)) {
      Person root = users.administrator();
      Person ann = users.user(root, "ann");
      users.user(root, "bob");
      put(users, ann, VISION, "{\"title\": \"Vision\"}", "", 201);
      put(users, ann, VISION + "/members/bob", "{\"role\": \"member\"}", "", 200);
      put(users, ann, VISION + "/secrets/hub", "{\"value\": \"of-the-hub\"}", "", 200);

      together(users, ann, root, VISION, "{\"title\": \"%s\"}", "title", "Seen", "Lost");
      together(
          users, ann, root, VISION + "/members/bob", "{\"role\": \"%s\"}", "role", "ops", "viewer");
      together(
          users, ann, root, VISION + "/secrets/hub", "{\"value\": \"%s\"}", "changedBy", "a", "b");

      for (String path : new String[] {VISION + "/members/bob", VISION + "/secrets/hub"}) {
        String tag = users.get(ann, path).tag();
        Reply late = users.send(root, "DELETE", path, "", "If-Match", "\"1\"");
        assertThat(late.status()).as(late.body()).isEqualTo(409);
        assertThat(users.get(ann, path).tag()).as(path).isEqualTo(tag);
        assertThat(users.send(root, "DELETE", path, "", "If-Match", tag).status()).isEqualTo(204);
        Reply gone = users.send(ann, "PUT", path, body(path), "If-Match", tag);
        assertThat(gone.status()).as(gone.body()).isEqualTo(409);
        assertThat(gone.json().has("present")).isFalse();
        assertThat(users.get(ann, path).status()).isEqualTo(404);
        addedTogether(users, ann, root, path);
      }
      assertThat(server.log()).doesNotContain("of-the-hub");
    }
  }

  /** Both find none; one adds it, then the other. */
  private static void addedTogether(ServerUsers users, Person one, Person other, String path)
      throws Exception {
    Reply added = users.send(one, "PUT", path, body(path), "If-None-Match", "*");
    assertThat(added.status()).as(path + added.body()).isEqualTo(200);
    assertThat(added.tag()).as("a new one begins anew").isEqualTo("\"1\"");

    for (String way : new String[] {path + "?dryRun=true", path}) {
      Reply refused = users.send(other, "PUT", way, body(path), "If-None-Match", "*");
      assertThat(refused.status()).as(way + refused.body()).isEqualTo(409);
      assertThat(refused.body()).contains("is there already: it has the revision 1");
      assertThat(refused.json().get("present").get("revision").longValue()).isEqualTo(1);
    }
    assertThat(users.get(other, path).tag()).isEqualTo(added.tag());

    for (String[] wrong :
        new String[][] {
          {"If-None-Match", "\"1\""},
          {"If-Match", "\"0\""},
          {"If-None-Match", "*", "If-Match", added.tag()}
        }) {
      assertThat(users.send(one, "PUT", path, body(path), wrong).status())
          .as(String.join(" ", wrong))
          .isEqualTo(400);
    }
  }

  private static String body(String path) {
    return path.contains("/members/") ? "{\"role\": \"ops\"}" : "{\"value\": \"x\"}";
  }

  /** Both read; one writes, then the other. */
  private static void together(
      ServerUsers users,
      Person one,
      Person other,
      String path,
      String body,
      String key,
      String first,
      String second)
      throws Exception {
    String tag = users.get(one, path).tag();
    assertThat(users.get(other, path).tag()).as(path).isEqualTo(tag).isNotEmpty();

    Reply written = put(users, one, path, body.formatted(first), tag, 200);
    assertThat(written.tag()).as(path).isNotEqualTo(tag);
    Reply checked =
        users.send(other, "PUT", path + "?dryRun=true", body.formatted(second), "If-Match", tag);
    Reply refused = put(users, other, path, body.formatted(second), tag, 409);

    Reply present = users.get(one, path);
    assertThat(present.tag()).as(path).isEqualTo(written.tag());
    assertThat(refused.json().get("present").get(key))
        .as(refused.body())
        .isEqualTo(written.json().get(key))
        .isEqualTo(present.json().get(key));
    assertThat(refused.json().get("present").get("revision"))
        .isEqualTo(present.json().get("revision"));
    if (!path.equals(VISION)) {
      assertThat(checked.status()).as(checked.body()).isEqualTo(409);
    }
    put(users, other, path, body.formatted(second), present.tag(), 200);
  }

  private static Reply put(
      ServerUsers users, Person person, String path, String body, String tag, int status)
      throws Exception {
    Reply reply =
        tag.isEmpty()
            ? users.send(person, "PUT", path, body)
            : users.send(person, "PUT", path, body, "If-Match", tag);
    assertThat(reply.status()).as(path + reply.body()).isEqualTo(status);
    return reply;
  }
}
