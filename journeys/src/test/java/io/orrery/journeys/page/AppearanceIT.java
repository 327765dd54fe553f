package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The looks of all pages (G5): one style, text that can be read, no sideways scrolling. */
@Timeout(120)
class AppearanceIT extends InShop {
  private static final int NARROW = 390;

  /** Each visible text whose colour is too near to the ground below it, with its contrast. */
  private static final String HARD_TO_READ =
      """
      () => {
        const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
        const light = ([r, g, b]) => [r, g, b]
          .map(part => part / 255)
          .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
          .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
        const ground = element => {
          for (let at = element; at; at = at.parentElement) {
            const found = numbers(getComputedStyle(at).backgroundColor);
            if (found.length === 3 || found[3] === 1) return found;
          }
          return [255, 255, 255];
        };
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const bad = new Set();
        while (texts.nextNode()) {
          const element = texts.currentNode.parentElement;
          if (!texts.currentNode.data.trim() || element.closest('.unseen, .marks span, script, option, :disabled, dialog:not([open])') || !element.checkVisibility()) continue;
          const [one, other] = [light(numbers(getComputedStyle(element).color)), light(ground(element))].sort((a, b) => b - a);
          const contrast = (one + 0.05) / (other + 0.05);
          if (contrast < 4.5) bad.add(`${contrast.toFixed(2)} "${texts.currentNode.data.trim().slice(0, 40)}" in ${element.tagName}.${element.className}`);
        }
        return [...bad];
      }
      """;

  private static void isReadable(Page page, String where) {
    assertThat((List<?>) page.evaluate(HARD_TO_READ)).as(where).isEmpty();
  }

  private static void fits(Page page, String where) {
    assertThat(page.evaluate("document.documentElement.scrollWidth")).as(where).isEqualTo(NARROW);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void allTextHasAContrastOfFourAndAHalfInBothThemes() throws Exception {
    String id = shop.finished("readable", "1, 2", "quick, fails");
    String trial = shop.trial(id, "1");
    for (ColorScheme scheme : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
      var options =
          new Browser.NewContextOptions().setViewportSize(1440, 900).setColorScheme(scheme);
      try (Visit visit = new Visit(chromium, shop.server().url(), options)) {
        for (String tab :
            new String[] {"overview", "trials", "parameters", "curves", "configuration", "log"}) {
          visit.to("/experiments/" + id + "/" + tab + "?trial=" + trial);
          assertThat(visit.at(".tabs [aria-current=page]")).containsText(tab.substring(1));
          assertThat(visit.at(".panel header .pill")).isVisible();
          isReadable(visit.page(), scheme + " " + tab);
        }
        for (String address : PAGES) {
          visit.to(address);
          assertThat(visit.at("h1, h2").first()).isVisible();
          isReadable(visit.page(), scheme + " " + address);
        }
        for (String address : new String[] {"/login", "/docs"}) {
          visit.page().navigate(shop.server().url() + address);
          assertThat(visit.at("h1")).isVisible();
          isReadable(visit.page(), scheme + " " + address);
        }
      }
    }
  }

  @Test
  void loginAndReferenceHaveTheStyleAndTheThemeOfThePageAndFitANarrowScreen() {
    var options = new Browser.NewContextOptions().setViewportSize(NARROW, 844);
    try (Visit visit = new Visit(chromium, shop.server().url(), options).to("/")) {
      visit.button("dark theme").click();
      String ground = "getComputedStyle(document.documentElement).backgroundColor";
      Object dark = visit.page().evaluate(ground);
      String brand = "getComputedStyle(document.querySelector('.brand')).font";
      Object font = visit.page().evaluate(brand);
      for (String address : new String[] {"/login", "/docs"}) {
        visit.page().navigate(shop.server().url() + address);
        assertThat(visit.at("h1")).isVisible();
        assertThat(visit.page().evaluate(ground)).as(address).isEqualTo(dark);
        assertThat(visit.page().evaluate(brand)).as(address).isEqualTo(font);
        fits(visit.page(), address);
      }
      visit.at(".brand").click();
      assertThat(visit.at("h1")).hasText("Experiments");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void noPageNeedsSidewaysScrollingOnATelephone() throws Exception {
    String id = shop.finished("narrow", "1, 2", "quick");
    String other = shop.finished("another one, with a name that is long", "2, 3", "quick");
    String experiment = "/experiments/" + id;
    shop.server()
        .patch(experiment + "/annotation", "{\"tags\": [\"a rather long tag of many words\"]}");
    List<String> addresses = new ArrayList<>(PAGES);
    addresses.add(experiment);
    TABS.forEach(tab -> addresses.add(experiment + "/" + tab));
    addresses.add("/compare?e=" + id + "&e=" + other);
    addresses.add(experiment + "/trials?trial=" + shop.trial(id, "1"));
    var options = new Browser.NewContextOptions().setViewportSize(NARROW, 844);
    try (Visit visit = new Visit(chromium, shop.server().url(), options)) {
      for (String address : addresses) {
        visit.to(address);
        assertThat(visit.at("h1, h2").first()).isVisible();
        fits(visit.page(), address);
      }
      visit.to("/new");
      visit.at("select[name=platform]").selectOption("hybrid");
      visit.at("[data-list=services] [data-option=platform]").selectOption("remote");
      assertThat(visit.at("[data-list=machineList]")).isVisible();
      fits(visit.page(), "/new with several platforms");
    }
  }

  @Test
  void aNarrowListShowsAReasonWholeAndTheBarShowsWhereOneIs() throws Exception {
    String id =
        shop.server()
            .post("/experiments", shop.config("hopeless", "1, 2", "fails") + "maxFailedTrials: 1\n")
            .get("id")
            .textValue();
    shop.server().awaitStatus(id, Duration.ofSeconds(60), "ERROR");
    var options = new Browser.NewContextOptions().setViewportSize(NARROW, 844);
    try (Visit visit = new Visit(chromium, shop.server().url(), options).to("/")) {
      Locator reason = visit.at("tr[data-id='" + id + "'] .fault");
      assertThat(reason).containsText("failed");
      assertThat(reason.evaluate("fault => fault.scrollWidth - fault.clientWidth")).isEqualTo(0);
      visit.to("/services");
      String place =
          """
          () => {
            const nav = document.querySelector('.top nav').getBoundingClientRect();
            const here = document.querySelector('.top nav [aria-current=page]').getBoundingClientRect();
            return here.left >= nav.left && here.right <= nav.right;
          }
          """;
      visit.page().waitForFunction(place);
    }
  }

  @Test
  void everyStopOfTheTabKeyIsInSightAndShowsThatItHasTheFocus() throws Exception {
    String id = shop.finished("walked", "1, 2", "quick");
    String trial = shop.trial(id, "1");
    try (Visit visit = new Visit(chromium, shop.server().url())) {
      for (String address :
          new String[] {
            "/",
            "/new",
            "/documents/pipeline",
            "/templates",
            "/registration",
            "/apply",
            "/check",
            "/editor?sample=approve",
            "/services",
            "/people",
            "/projects",
            "/projects/public",
            "/account",
            "/audit",
            "/experiments/" + id + "/trials?trial=" + trial
          }) {
        visit.to(address);
        assertThat(visit.at("main h1, main h2").first()).isVisible();
        for (int stop = 0; stop < 30; stop++) {
          visit.page().keyboard().press("Tab");
          assertThat(visit.page().evaluate(Keys.FAULT_OF_FOCUS)).as(address).isEqualTo("");
        }
      }
    }
  }

  @Test
  void aMessageOfAnErrorGoesByItselfUnlessItIsBeingRead() {
    try (Visit visit = new Visit(chromium, shop.server().url())) {
      visit.page().clock().install();
      visit.to("/");
      assertThat(visit.at("h1")).hasText("Experiments");
      String say =
          """
          async () => {
            const base = document.querySelector('script[type=module]').src.replace(/app\\.js$/, '');
            (await import(base + 'shell/toasts.js')).toast('It was refused.', 'bad');
          }
          """;
      visit.page().evaluate(say);
      assertThat(visit.at(".toast.bad")).isVisible();
      visit.at(".toast.bad").hover();
      visit.page().clock().fastForward(60_000);
      assertThat(visit.at(".toast.bad")).isVisible();
      visit.page().mouse().move(2, 2);
      visit.page().clock().fastForward(20_000);
      assertThat(visit.at(".toast.bad")).hasCount(0);
    }
  }
}
