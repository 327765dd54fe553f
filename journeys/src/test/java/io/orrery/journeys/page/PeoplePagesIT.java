package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Sets up two accounts that share a project, with nothing but the page. */
@Timeout(300)
class PeoplePagesIT {
  private static final Pattern CODE = Pattern.compile("with the code (orrery_[A-Za-z0-9_-]+)");
  private static final String PASSWORD = "three red boats";

  @TempDir Path temp;

  @Test
  void anAdministratorAddsAPersonWhoAsksToJoinAProjectAndMakesAToken() throws Exception {
    Path home = temp.toAbsolutePath().resolve("home");
    Files.createDirectories(home);
    Files.writeString(home.resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    try (Chromium chromium = Chromium.launch();
        ServerProcess server = ServerProcess.start(home);
        Visit first = new Visit(chromium, server.url());
        Visit second = new Visit(chromium, server.url(), new Browser.NewContextOptions())) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> CODE.matcher(server.log()).find());
      Matcher code = CODE.matcher(server.log());
      assertThat(code.find()).isTrue();
      setUp(first.page(), server, code.group(1), "root");
      signIn(first.page(), server, "root");

      first.to("/people");
      first.page().getByLabel("Name", exactly()).fill("ann");
      first.button("Add").click();
      String setUpCode = first.at(".once .toolbar code").textContent();
      assertThat(first.at("tr[data-user=ann]")).containsText("has no password yet");

      first.to("/projects");
      first.page().getByLabel("Name", exactly()).fill("vision");
      first.button("Create").click();
      assertThat(first.at("h1")).hasText("vision");

      setUp(second.page(), server, setUpCode, "");
      signIn(second.page(), server, "ann");
      second.to("/projects/vision");
      second.page().getByLabel("Message to its creators").fill("I label images");
      second.button("Ask to join").click();
      assertThat(second.at(".toast")).containsText("Asked");

      first.page().reload();
      assertThat(first.at("[data-request=ann]")).containsText("I label images");
      first.button("Accept").click();
      assertThat(first.at("tr[data-user=ann] select")).hasValue("member");

      second.to("/account");
      second.page().reload();
      assertThat(second.at("main")).containsText("vision");
      second.page().getByLabel("Name", exactly()).fill("ci");
      second.button("Create").click();
      String token = second.at(".once code").textContent();
      assertThat(status(server, token)).isEqualTo(200);
      second.page().reload();
      assertThat(second.at("table[aria-label='Personal tokens']")).containsText("ci");
      assertThat(second.page().content()).doesNotContain(token);

      filterLists(first);
      first.to("/people");
      first.at("tr[data-user=ann] button.danger").click();
      assertThat(first.at("tr[data-user=ann]")).containsText("disabled");
      Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> status(server, token) == 401);
      second.to("/projects");
      assertThat(second.at("sign-in h1")).hasText("Sign in");

      first.to("/audit?kind=user&name=ann");
      assertThat(first.at("table[aria-label=Audit] tbody tr").first()).containsText("root");
    }
  }

  private static void filterLists(Visit visit) {
    visit.to("/people");
    visit.page().getByLabel("Filter by role").selectOption("admin");
    assertThat(visit.at("tr[data-user=ann]")).hasCount(0);
    assertThat(visit.at("tr[data-user=root]")).isVisible();
    visit.page().getByLabel("Filter by role").selectOption("");
    visit.page().getByLabel("Filter by state").selectOption("false");
    assertThat(visit.at("main")).containsText("No account fits.");

    visit.to("/projects");
    visit.page().getByLabel("Member").fill("ann");
    visit.page().getByLabel("Filter by role").selectOption("creator");
    assertThat(visit.at("main")).containsText("No project fits.");
    visit.page().getByLabel("Filter by role").selectOption("member");
    assertThat(visit.at("tr[data-name=vision]")).containsText("member");
    assertThat(visit.at("table[aria-label=Projects] thead")).containsText("Role of ann");
    // A name that is taken is found although the list does not show it.
    visit.page().getByPlaceholder("Name or title").fill("none");
    assertThat(visit.at("tr[data-name=vision]")).hasCount(0);
    visit.page().getByLabel("Name", exactly()).fill("vision");
    visit.button("Create").click();
    assertThat(visit.at("#project-fault")).containsText("There is a project vision already.");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void theProjectThatIsChosenInTheHeadIsThatOfAllLists() throws Exception {
    Path home = temp.toAbsolutePath().resolve("home");
    Files.createDirectories(home);
    Files.writeString(home.resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    try (Chromium chromium = Chromium.launch();
        ServerProcess server = ServerProcess.start(home);
        Visit visit = new Visit(chromium, server.url())) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> CODE.matcher(server.log()).find());
      Matcher code = CODE.matcher(server.log());
      assertThat(code.find()).isTrue();
      setUp(visit.page(), server, code.group(1), "root");
      signIn(visit.page(), server, "root");
      put(visit, "projects/vision", "{\"title\": \"Vision\"}");
      put(visit, "projects/speech", "{\"title\": \"Speech\"}");
      String tasks = "{\"tasks\": [{\"name\": \"say\", \"command\": \"echo 1\"}]}";
      put(visit, "pipelines/see?project=vision", tasks);
      put(visit, "pipelines/hear?project=speech", tasks);

      visit.to("/pipelines");
      visit.page().reload();
      assertThat(visit.link("see")).isVisible();
      assertThat(visit.link("hear")).isVisible();

      visit.page().getByLabel("Project", exactly()).selectOption("vision");
      assertThat(visit.link("see")).isVisible();
      assertThat(visit.link("hear")).hasCount(0);

      visit.page().reload();
      assertThat(visit.link("see")).isVisible();
      assertThat(visit.link("hear")).hasCount(0);
      assertThat(visit.page().getByLabel("Project", exactly())).hasValue("vision");

      visit.page().getByLabel("Project", exactly()).selectOption("");
      assertThat(visit.link("hear")).isVisible();
    }
  }

  private static void put(Visit visit, String path, String body) {
    Object status =
        visit
            .page()
            .evaluate(
                "async ([path, body]) => (await fetch('api/v1/' + path, {method: 'PUT', body,"
                    + " headers: {'Content-Type': 'application/json'}})).status",
                List.of(path, body));
    assertThat(status).as(path).isEqualTo(201);
  }

  private static Page.GetByLabelOptions exactly() {
    return new Page.GetByLabelOptions().setExact(true);
  }

  /** The forms before the first session work without a script. */
  private static void setUp(Page page, ServerProcess server, String code, String user) {
    page.navigate(server.url() + "/setup");
    page.locator("input[name=code]").fill(code);
    page.locator("input[name=user]").fill(user);
    page.locator("input[name=password]").fill(PASSWORD);
    page.locator("button.primary").click();
  }

  private static void signIn(Page page, ServerProcess server, String user) {
    page.navigate(server.url() + "/login");
    page.locator("input[name=user]").fill(user);
    page.locator("input[name=password]").fill(PASSWORD);
    page.locator("button.primary").click();
    assertThat(page.locator("h1")).hasText("Experiments");
    assertThat(page.locator(".top .account")).containsText(user);
  }

  private static int status(ServerProcess server, String token) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(server.url().resolve("/api/v1/me"))
                  .header("Authorization", "Bearer " + token)
                  .build(),
              BodyHandlers.discarding())
          .statusCode();
    }
  }
}
