package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of one project: its secrets and settings, changed in two windows at once. */
@Timeout(300)
class ProjectPageIT {
  private static final String VALUE = "kestrel-77-orchid";

  @TempDir Path temp;

  @Test
  void whatAnotherWindowHasChangedIsNotOverwrittenUnseen() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    try (Chromium chromium = Chromium.launch();
        ServerProcess server = ServerProcess.start(home);
        Visit first = new Visit(chromium, server.url());
        Visit second = new Visit(chromium, server.url())) {
      server.send("PUT", "/projects/vision", BodyPublishers.ofString("{\"title\": \"Vision\"}"));
      first.to("/projects/vision");
      second.to("/projects/vision");
      assertThat(second.at("project-secrets").getByText("None yet.")).isVisible();

      setSecret(first, "hub", VALUE);
      assertThat(first.at("tr[data-secret=hub]")).isVisible();
      // The second window does not list it, and so does not replace it.
      setSecret(second, "hub", "lost");
      assertThat(second.at(".toast.bad")).containsText("Secret hub is there already");
      assertThat(server.get("/projects/vision/secrets/hub").get("revision").intValue())
          .isEqualTo(1);
      second.at(".toast.bad button").click();
      // Now it lists the one that the first window then changes.
      assertThat(second.at("tr[data-secret=hub]")).isVisible();
      setSecret(first, "hub", VALUE + " again");
      assertThat(first.at(".toast").last()).containsText("hub has a new value");
      setSecret(second, "hub", "lost");
      assertThat(second.at(".toast.bad")).containsText("Secret hub has been changed");
      assertThat(second.at("textarea[name=value]")).hasValue("lost");
      assertThat(server.get("/projects/vision/secrets/hub").get("revision").intValue())
          .isEqualTo(2);
      assertThat(first.page().content() + second.page().content()).doesNotContain(VALUE);

      first.at("input[name=title]").fill("Seen");
      first.button("Save").click();
      assertThat(first.at(".page-head")).containsText("Seen");
      Locator title = second.at("input[name=title]");
      title.fill("Mine");
      second.button("Save").click();
      assertThat(second.at("project-page .fault").getByText("It is “Seen” now.")).isVisible();
      assertThat(title).hasValue("Mine");
      assertThat(server.get("/projects/vision").get("title").textValue()).isEqualTo("Seen");
      second.button("Save").click();
      assertThat(second.at(".page-head")).containsText("Mine");

      second.button("Delete hub").click();
      second
          .at("dialog")
          .getByText("Delete", new Locator.GetByTextOptions().setExact(true))
          .click();
      assertThat(second.at("tr[data-secret=hub]")).hasCount(0);
    }
  }

  @Test
  void aMemberThatAnotherWindowHasAddedIsNotGivenAnotherRoleUnseen() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    try (Chromium chromium = Chromium.launch();
        ServerProcess server = ServerProcess.start(home);
        Visit first = new Visit(chromium, server.url());
        Visit second = new Visit(chromium, server.url())) {
      server.post("/users", "{\"name\": \"bob\"}");
      server.send("PUT", "/projects/vision", BodyPublishers.ofString("{\"title\": \"Vision\"}"));
      first.to("/projects/vision");
      second.to("/projects/vision");
      assertThat(second.at("table[aria-label=Members]")).isVisible();

      addBob(first, "ops");
      assertThat(first.at("tr[data-user=bob] select")).hasValue("ops");
      addBob(second, "viewer");
      assertThat(second.at(".toast.bad")).containsText("Member bob of vision is there already");
      assertThat(second.at("tr[data-user=bob] select")).hasValue("ops");

      // One that is listed is changed by the same form.
      addBob(second, "viewer");
      assertThat(second.at("tr[data-user=bob] select")).hasValue("viewer");
      assertThat(server.get("/projects/vision/members/bob").get("revision").intValue())
          .isEqualTo(2);
    }
  }

  private static void addBob(Visit visit, String role) {
    visit.at("input[name=user]").fill("bob");
    visit.at("select[name=role]").selectOption(role);
    visit.button("Add").click();
  }

  private static void setSecret(Visit visit, String name, String value) {
    visit.at("input[name=secret]").fill(name);
    visit.at("textarea[name=value]").fill(value);
    visit.button("Set").click();
  }
}
