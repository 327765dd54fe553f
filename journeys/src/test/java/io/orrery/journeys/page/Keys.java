package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;

/** A keyboard without a mouse beside it: what it reaches is in sight, and shows the focus. */
final class Keys {
  /** The most stops of the Tab key from one control to another. */
  private static final int MOST_STOPS = 80;

  /**
   * The element with the focus when it cannot be seen, or looks as without; empty when all is well.
   */
  static final String FAULT_OF_FOCUS =
      """
      () => {
        const at = document.activeElement;
        if (at === document.body) return '';
        // Of a field for a file its label is what is seen.
        const seen = at.matches('input.unseen') ? at.closest('label') : at;
        const box = seen.getBoundingClientRect();
        const isInSight = box.width > 1 && box.height > 1
          && box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight;
        const shows = element => {
          const style = getComputedStyle(element);
          return style.boxShadow !== 'none' || style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
        };
        return isInSight && (shows(seen) || at.closest('label, .editor') && shows(at.closest('label, .editor'))) ? '' : at.outerHTML.slice(0, 200);
      }
      """;

  private final Page page;

  Keys(Page page) {
    this.page = page;
  }

  void press(String... keys) {
    for (String key : keys) {
      page.keyboard().press(key);
    }
  }

  void type(String text) {
    page.keyboard().type(text);
  }

  /** Presses Tab until a control has the focus. */
  void to(Locator control) {
    assertThat(control).isVisible();
    for (int stop = 0; stop < MOST_STOPS; stop++) {
      press("Tab");
      assertThat(page.evaluate(FAULT_OF_FOCUS)).as("on the way to %s", control).isEqualTo("");
      if ((boolean) control.evaluate("control => control === document.activeElement")) {
        return;
      }
    }
    throw new AssertionError(
        "%d stops of the Tab key do not lead to %s".formatted(MOST_STOPS, control));
  }

  /** Types into a field that the Tab key leads to. */
  void fill(Locator field, String text) {
    to(field);
    type(text);
  }

  /** Presses a button, or follows a link, that the Tab key leads to. */
  void use(Locator control) {
    to(control);
    press("Enter");
  }
}
