package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server with accounts and a browser in which the first person has signed in. */
abstract class SignedInPage {
  private static final Pattern CODE = Pattern.compile("with the code (orrery_[A-Za-z0-9_-]+)");
  private static final String PASSWORD = "three red boats";

  @TempDir Path temp;
  ServerProcess server;
  Visit visit;
  private Chromium chromium;

  /** The name of the person. */
  String person() {
    return "ann";
  }

  /** The keys of the configuration of the server besides accounts. */
  String configuration() throws Exception {
    return "";
  }

  @BeforeEach
  void signIn() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(
        home.resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n" + configuration());
    chromium = Chromium.launch();
    server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of()).ready();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> CODE.matcher(server.log()).find());
    Matcher code = CODE.matcher(server.log());
    assertThat(code.find()).isTrue();
    visit = new Visit(chromium, server.url());
    Page page = visit.page();
    page.navigate(server.url() + "/setup");
    page.locator("input[name=code]").fill(code.group(1));
    page.locator("input[name=user]").fill(person());
    page.locator("input[name=password]").fill(PASSWORD);
    page.locator("button.primary").click();
    page.navigate(server.url() + "/login");
    page.locator("input[name=user]").fill(person());
    page.locator("input[name=password]").fill(PASSWORD);
    page.locator("button.primary").click();
    assertThat(page.locator(".top .account")).containsText(person());
  }

  @AfterEach
  void close() throws Exception {
    try {
      visit.close();
    } finally {
      server.close();
      chromium.close();
    }
  }

  static Page.GetByLabelOptions exactly() {
    return new Page.GetByLabelOptions().setExact(true);
  }
}
