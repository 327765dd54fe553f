package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.options.ColorScheme;
import io.orrery.core.json.Json;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Checks every page by the rules of axe for accessibility, in both themes. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class AxeIT extends InShop {
  /** All that axe finds wrong: {rule, impact, where, what}. */
  private static final String FAULTS =
      """
      async () => {
        const found = await axe.run(document, {resultTypes: ['violations']});
        return JSON.stringify(found.violations.flatMap(({id, impact, nodes}) => nodes.map(node =>
          ({rule: id, impact, where: node.target.join(' '), what: node.html.slice(0, 160)}))));
      }
      """;

  /** Whether no movement is under way that comes to an end. */
  private static final String AT_REST =
      """
      () => document.getAnimations().every(it => it.playState !== 'running' || it.effect.getComputedTiming().endTime === Infinity)
      """;

  /** Besides those of all tests: pages of what this test makes. */
  private static final List<String> MADE =
      List.of(
          "/services/keeps",
          "/pipelines/steps",
          "/pipelines/steps/schedule",
          "/documents/build/new");

  private static String axe() throws Exception {
    try (InputStream script = AxeIT.class.getResourceAsStream("/axe.min.js")) {
      return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The addresses of all pages, with something to show on each. */
  private static List<String> addresses() throws Exception {
    String id = shop.finished("checked", "1, 2", "quick, fails");
    String trial = shop.trial(id, "1");
    put("/services/keeps", "{command: sleep 600}");
    put(
        "/pipelines/steps",
        "{tasks: [{name: a, command: echo}, {name: b, command: echo, after: [a]}], schedule: {cron: '0 3 1 1 *'}}");
    String run = shop.server().post("/pipelines/steps/run", "{}").get("id").textValue();
    List<String> all = new ArrayList<>(PAGES);
    all.addAll(MADE);
    all.add("/experiments/" + id + "/overview?trial=" + trial);
    TABS.forEach(tab -> all.add("/experiments/" + id + "/" + tab + "?trial=" + trial));
    all.add("/runs/" + run + "?step=a");
    return all;
  }

  private static void put(String path, String document) throws Exception {
    var done = shop.server().send("PUT", path, BodyPublishers.ofString(document));
    assertThat(done.statusCode()).as(done.body()).isIn(200, 201);
  }

  @Test
  void noPageBreaksARule() throws Exception {
    noPageBreaksARule(ColorScheme.LIGHT);
  }

  @Test
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  void noPageBreaksARuleInTheDark() throws Exception {
    noPageBreaksARule(ColorScheme.DARK);
  }

  private void noPageBreaksARule(ColorScheme scheme) throws Exception {
    String axe = axe();
    Set<String> faults = new TreeSet<>();
    var options = new Browser.NewContextOptions().setViewportSize(1440, 900).setColorScheme(scheme);
    try (Visit visit = new Visit(chromium, shop.server().url(), options)) {
      for (String address : addresses()) {
        visit.to(address);
        assertThat(visit.at("main h1, main h2").first()).isVisible();
        look(visit, axe, address, faults);
      }
      for (String address : List.of("/login", "/docs")) {
        visit.page().navigate(shop.server().url() + address);
        assertThat(visit.at("h1")).isVisible();
        look(visit, axe, address, faults);
      }
    }
    assertThat(faults).isEmpty();
  }

  private static void look(Visit visit, String axe, String address, Set<String> faults) {
    // Neither what stands only while a list is loaded, nor half a movement, is the page.
    assertThat(visit.at("main .bone")).hasCount(0);
    // It stays while only the fragment of the address changes.
    if (!(Boolean) visit.page().evaluate("() => 'axe' in window")) {
      visit.page().evaluate(axe);
    }
    visit.page().waitForFunction(AT_REST);
    for (JsonNode fault : Json.parse(visit.page().evaluate(FAULTS).toString())) {
      faults.add(fault + " in " + address);
    }
  }
}
