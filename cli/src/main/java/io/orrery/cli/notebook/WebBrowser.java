package io.orrery.cli.notebook;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Map;

/** Opens an address in the browser of a desktop, where there is one. */
final class WebBrowser {
  private static final List<String> DISPLAYS = List.of("DISPLAY", "WAYLAND_DISPLAY");

  private WebBrowser() {}

  /** Opens an address; without a desktop it does nothing. */
  static void open(String url, Map<String, String> environment) {
    boolean desktop =
        DISPLAYS.stream().anyMatch(name -> !environment.getOrDefault(name, "").isEmpty());
    boolean mac = System.getProperty("os.name", "").startsWith("Mac");
    if (!desktop && !mac) {
      return;
    }
    try {
      new ProcessBuilder(mac ? "open" : "xdg-open", url)
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start();
    } catch (IOException none) {
      // The address is printed already.
    }
  }
}
