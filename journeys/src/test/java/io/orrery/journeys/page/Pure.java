package io.orrery.journeys.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;

/** A module of the page that draws nothing: its functions are called in the browser. */
final class Pure {
  private final Page page;
  private final String module;

  /**
   * @param page any page of the server
   * @param module its path below the page's own files
   */
  Pure(Page page, String module) {
    this.page = page;
    this.module = module;
  }

  /**
   * The value of an expression, in which the functions of the module have their names.
   *
   * @param expression JavaScript
   */
  Object value(String expression) {
    // Written into the script: the page's security policy allows no evaluation of text.
    return page.evaluate(
        """
        async module => {
          const base = document.querySelector('script[type=module]').src.replace(/app\\.js$/, '');
          with (await import(base + module)) {
            return (%s);
          }
        }
        """
            .formatted(expression),
        module);
  }

  void gives(String expression, Object expected) {
    assertThat(value(expression)).as(expression).isEqualTo(expected);
  }
}
