package io.orrery.journeys.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A visit of a user to the page. When the visit ends, nothing must have gone wrong unseen: no
 * script has failed, nothing was complained about on the console, no rule of the security policy
 * was broken. What the server refuses is the page's business to show, so answers of 400 and 404
 * that the browser notes there do not count, nor what it could not load while the server was away
 * or not all there yet.
 */
final class Visit implements AutoCloseable {
  private static final Pattern EXPECTED =
      Pattern.compile(
          "Failed to load resource: .*(status of 4|status of"
              + " 503|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_SOCKET|ERR_EMPTY).*");
  private static final int PATIENCE_MS = 20_000;

  private final URI server;
  private final BrowserContext context;
  private final Page page;
  private final List<String> complaints = new ArrayList<>();

  static {
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
  }

  Visit(Chromium chromium, URI server) {
    this(chromium, server, new Browser.NewContextOptions().setViewportSize(1440, 900));
  }

  Visit(Chromium chromium, URI server, Browser.NewContextOptions options) {
    this.server = server;
    context = chromium.browser().newContext(options);
    page = context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.onPageError(complaints::add);
    page.onConsoleMessage(message -> {
      boolean isBad = message.type().equals("error") || message.type().equals("warning");
      if (isBad && !EXPECTED.matcher(message.text()).matches()) {
        complaints.add(message.text() + " (" + message.location() + ")");
      }
    });
  }

  /** Goes to an address of the page, such as {@code /experiments/abc}. */
  Visit to(String address) {
    page.navigate(server + "/#" + address);
    return this;
  }

  Page page() {
    return page;
  }

  /** A module that draws nothing, by its path below the page's own files. */
  Pure pure(String module) {
    return new Pure(page, module);
  }

  Locator at(String selector) {
    return page.locator(selector);
  }

  Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator link(String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  /** The row of a trial in the table. */
  Locator row(String trial) {
    return page.locator(".rows .row[data-trial='" + trial + "']");
  }

  /** The words in one column of the table, from above. */
  List<String> column(String key) {
    return page.evaluate(
            """
            key => {
              const at = [...document.querySelectorAll('.rows .head .cell')].findIndex(cell => cell.dataset.column === key);
              return [...document.querySelectorAll('.rows .row[data-trial]')].map(row => row.children[at].textContent.trim()).join('\\n');
            }
            """,
            key)
        .toString()
        .lines()
        .toList();
  }

  @Override
  public void close() {
    context.close();
    assertThat(complaints).isEmpty();
  }
}
