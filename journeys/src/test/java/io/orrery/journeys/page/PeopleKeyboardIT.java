package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Goes from the set-up of a server to a member of a project with the keys alone. */
@Timeout(300)
class PeopleKeyboardIT {
  private static final Pattern CODE = Pattern.compile("with the code (orrery_[A-Za-z0-9_-]+)");
  private static final String PASSWORD = "three red boats";

  @TempDir Path temp;
  private Chromium chromium;
  private ServerProcess server;
  private Visit visit;
  private Page page;
  private Keys keys;

  @BeforeEach
  void open() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    chromium = Chromium.launch();
    server = ServerProcess.start(home);
    visit = new Visit(chromium, server.url());
    page = visit.page();
    keys = new Keys(page);
  }

  @AfterEach
  void close() {
    if (visit != null) {
      visit.close();
    }
    if (server != null) {
      server.close();
    }
    if (chromium != null) {
      chromium.close();
    }
  }

  private Locator label(String text) {
    return page.getByLabel(text, new Page.GetByLabelOptions().setExact(true));
  }

  private void setUpAndSignIn(String code) {
    page.navigate(server.url() + "/setup");
    keys.fill(visit.at("input[name=code]"), code);
    keys.fill(visit.at("input[name=user]"), "root");
    keys.fill(visit.at("input[name=password]"), PASSWORD);
    keys.press("Enter");
    page.waitForURL(Pattern.compile(".*/login.*"));
    keys.fill(visit.at("input[name=user]"), "root");
    keys.fill(visit.at("input[name=password]"), PASSWORD);
    keys.press("Enter");
    assertThat(visit.at("h1")).hasText("Experiments");
  }

  /** Opens a page by the menu of the account. */
  private void open(String name) {
    keys.use(visit.at(".top .menu summary"));
    keys.use(visit.at(".top .menu .list").getByText(name, exactly()));
    assertThat(visit.at("h1")).hasText(name);
    assertThat(visit.at("main")).isFocused();
  }

  private static Locator.GetByTextOptions exactly() {
    return new Locator.GetByTextOptions().setExact(true);
  }

  @Test
  void aMemberIsInvitedAndATokenMadeAndRevokedWithoutAMouse() throws Exception {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> CODE.matcher(server.log()).find());
    Matcher code = CODE.matcher(server.log());
    assertThat(code.find()).isTrue();
    setUpAndSignIn(code.group(1));

    open("People");
    addAnn();
    open("Projects");
    keys.fill(label("Name"), "vision");
    keys.press("Enter");
    assertThat(visit.at("h1")).hasText("vision");
    inviteAnn();
    settings();
    open("Account");
    token();
    open("Audit");
    keys.fill(label("Kind"), "member");
    assertThat(visit.at("table[aria-label=Audit] tbody tr").first()).containsText("ann");
    assertThat(visit.at("table[aria-label=Audit] tbody tr:not(:has-text('member'))")).hasCount(0);

    open("Account");
    keys.use(visit.button("Sign out"));
    assertThat(visit.at("sign-in h1")).hasText("Sign in");
    assertThat(visit.at("sign-in input[name=user]")).isFocused();
    keys.type("root");
    keys.fill(visit.at("sign-in input[name=password]"), PASSWORD);
    keys.press("Enter");
    assertThat(visit.at("h1")).hasText("Account");
  }

  private void addAnn() {
    keys.fill(label("Name"), "ann");
    keys.press("Enter");
    assertThat(visit.at("tr[data-user=ann]")).containsText("has no password yet");
    assertThat(visit.at(".once .toolbar code")).containsText("orrery_");

    keys.use(visit.button("Set the password of ann"));
    assertThat(label("New password of ann")).isFocused();
    keys.type("four blue cups");
    keys.press("Enter");
    assertThat(visit.at("tr[data-user=ann]")).containsText("active");
    assertThat(visit.button("Set the password of ann")).isFocused();

    keys.to(label("Role of ann"));
    keys.press("ArrowDown");
    assertThat(visit.at(".toast").last()).hasText(Pattern.compile("ann is viewer now.*"));
    assertThat(label("Role of ann")).isFocused();
    keys.press("ArrowUp");
    assertThat(visit.at(".toast").last()).hasText(Pattern.compile("ann is user now.*"));
  }

  private void inviteAnn() {
    keys.fill(label("Person"), "ann");
    keys.to(visit.at("form:has(input[name=user]) select[name=role]"));
    keys.press("ArrowUp");
    keys.to(visit.button("Add"));
    keys.press("Space");
    assertThat(label("Role of ann")).hasValue("ops");
    assertThat(visit.button("Add")).isFocused();

    keys.use(visit.button("Remove ann"));
    assertThat(visit.at("dialog[open]")).containsText("Remove ann from vision?");
    keys.press("Escape");
    assertThat(visit.at("dialog[open]")).hasCount(0);
    assertThat(visit.button("Remove ann")).isFocused();
    keys.press("Enter");
    keys.press("Enter");
    assertThat(visit.at("tr[data-user=ann]")).hasCount(0);
    // The next stop is where the row was, and not at the head of the page.
    keys.press("Tab");
    assertThat(label("Person")).isFocused();
    keys.type("ann");
    keys.press("Enter");
    assertThat(label("Role of ann")).hasValue("member");
  }

  private void settings() {
    Locator selector = visit.at("input[name=node_selector]");
    keys.fill(selector, "zone");
    keys.press("Enter");
    assertThat(selector).hasAttribute("aria-invalid", "true");
    assertThat(selector).isFocused();
    keys.type("=a");
    keys.press("Enter");
    assertThat(selector).hasAttribute("aria-invalid", "false");
    assertThat(visit.at("project-page .fault:has-text('zone')")).hasCount(0);
  }

  private void token() {
    keys.fill(label("Name"), "ci");
    keys.to(visit.at("select[name=scope]"));
    keys.press("ArrowDown");
    keys.use(visit.button("Create"));
    assertThat(visit.at(".once code")).containsText("orrery_");
    assertThat(visit.at("table[aria-label='Personal tokens']")).containsText("read only");
    keys.use(visit.button("Revoke"));
    keys.press("Enter");
    assertThat(visit.at("main")).containsText("None yet.");

    keys.fill(label("Present password"), PASSWORD);
    keys.fill(label("New password"), "five green hats");
    keys.press("Enter");
    assertThat(visit.at(".toast").last()).containsText("Password changed");
    keys.fill(label("Present password"), "five green hats");
    keys.fill(label("New password"), PASSWORD);
    keys.press("Enter");
    assertThat(label("Present password")).hasValue("");
  }
}
