package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.journeys.ServerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what the page's terminal makes of what programs write, and of keys. */
@Timeout(120)
class TerminalScreenIT {
  @TempDir static Path temp;
  private static Chromium chromium;
  private static ServerProcess server;
  private static Visit visit;

  @BeforeAll
  static void open() throws Exception {
    chromium = Chromium.launch();
    server = ServerProcess.start(temp.resolve("home").toAbsolutePath());
    visit = new Visit(chromium, server.url()).to("/");
    assertThat(visit.at(".state")).containsText("No experiments yet");
  }

  @AfterAll
  static void close() {
    if (visit != null) {
      visit.close();
    }
    if (chromium != null) {
      chromium.close();
    }
    if (server != null) {
      server.close();
    }
  }

  /** Of a screen of 10 columns and 4 rows; lines are parted by |. */
  private static String shown(String written) {
    return visit
        .pure("terminal/screen.js")
        .value(
            "(screen => (screen.write(\"%s\"), screen.text.replaceAll('\\n', '|')))(new Screen(10, 4))"
                .formatted(written))
        .toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "a\\r\\nb~a|b",
        "abc\\rx~xbc",
        "abc\\x08\\x08X~aXc",
        "0123456789ab~0123456789|ab",
        "0123456789\\rx~x123456789",
        "\\x1b[?7l0123456789ab~012345678b",
        "a\\tb~a       b",
        "1\\r\\n2\\r\\n3\\r\\n4\\r\\n5~2|3|4|5",
        "\\x1b[2;3Hx\\x1b[1;1Hy~y|  x",
        "abc\\x1b[2Dx~axc",
        "abcdef\\x1b[3G\\x1b[K~ab",
        "abcdef\\x1b[3G\\x1b[1K~   def",
        "abc\\x1b[2J\\x1b[Hx~x",
        "a\\r\\nb\\r\\nc\\x1b[2;1H\\x1b[J~a",
        "abcdef\\x1b[2G\\x1b[2P~adef",
        "abcdef\\x1b[2G\\x1b[2@~a  bcdef",
        "abcdef\\x1b[2G\\x1b[2X~a  def",
        "a\\r\\nb\\r\\nc\\x1b[2;1H\\x1b[L~a||b|c",
        "a\\r\\nb\\r\\nc\\x1b[2;1H\\x1b[M~a|c",
        "1\\r\\n2\\r\\n3\\r\\n4\\x1b[2;3r\\x1b[3;1H\\nx~1|3|x|4",
        "1\\r\\n2\\r\\n3\\x1b[1;1H\\x1bMx~x|1|2|3",
        "\\x1b]0;a title\\x07b~b",
        "\\x1b]8;;http://x\\x1b\\\\l~l",
        "\\x1bPq#0\\x1b\\\\b~b",
        "a\\x1b[?1049hother\\x1b[?1049lb~ab",
        "\\x1b(0lqk\\x1b(B lqk~┌─┐ lqk",
        "\\x1b7ab\\x1b8c~cb",
        "日本x~日本x",
        "e\u0301x~e\u0301x",
        "\\x1b[999999999Cx~         x",
        "\\x1b[1;2;3;4;5;6;7zx~x",
        "\\x1b[4hb\\x1b[1Ga~ab",
      })
  void aScreenShowsWhatXtermWould(String written, String shown) {
    assertThat(shown(written)).isEqualTo(shown);
  }

  @Test
  void linesThatLeaveTheScreenStayAboveItUpToALimit() {
    Pure screen = visit.pure("terminal/screen.js");
    String many =
        "(screen => { for (let i = 0; i < 5000; i++) screen.write(i + '\\r\\n'); return %s; })(new Screen(10, 4))";
    screen.gives(many.formatted("screen.lines.length"), 2_004);
    screen.gives(many.formatted("screen.lines[0].text"), "2997");
    screen.gives(many.formatted("screen.dropped"), 2_997);
    screen.gives(many.formatted("screen.text"), "4997\n4998\n4999");
  }

  @Test
  void coloursAndQuestionsAreUnderstood() {
    Pure screen = visit.pure("terminal/screen.js");
    String after = "(screen => (screen.write('%s'), %s))(new Screen(10, 4))";
    screen.gives(
        after.formatted("\\x1b[1;31;44ma", "JSON.stringify(screen.lines[0].cells[0].pen)"),
        "{\"bold\":true,\"colour\":1,\"background\":4}");
    screen.gives(
        after.formatted("\\x1b[38;5;200;48;2;1;2;3ma", "JSON.stringify(screen.pen)"),
        "{\"colour\":200,\"background\":\"#010203\"}");
    screen.gives(after.formatted("\\x1b[1;31m\\x1b[0ma", "JSON.stringify(screen.pen)"), "{}");
    screen.gives(after.formatted("ab\\x1b[6n", "screen.takeAnswers()"), "\u001b[1;3R");
    screen.gives(after.formatted("\\x1b[c", "screen.takeAnswers()"), "\u001b[?1;2c");
  }

  @Test
  void whatIsThereStaysWhenTheSizeChanges() {
    Pure screen = visit.pure("terminal/screen.js");
    String resized =
        "(screen => { screen.write('1\\r\\n2\\r\\n3\\r\\n4\\r\\n5'); screen.resize(%d, %d); screen.write('x'); return screen.text.replaceAll('\\n', '|'); })(new Screen(10, 4))";
    screen.gives(resized.formatted(10, 2), "4|5x");
    screen.gives(resized.formatted(10, 5), "1|2|3|4|5x");
    screen.gives(resized.formatted(20, 4), "2|3|4|5x");
    screen.gives(resized.formatted(1, 4), "2|3|4|x");

    String behind =
        "(screen => { screen.write('1\\r\\n2\\r\\n3\\r\\n4\\r\\n5\\x1b[?1049hvi'); screen.resize(10, %d); screen.write('\\x1b[?1049lx'); return screen.text.replaceAll('\\n', '|'); })(new Screen(10, 4))";
    screen.gives(behind.formatted(2), "4|5x");
    screen.gives(behind.formatted(6), "1|2|3|4|5x");
    screen.gives(
        "(screen => { screen.write('long line'); screen.lines.forEach(line => line.changed = false); screen.resize(5, 4); return screen.lines.every(line => line.changed); })(new Screen(10, 4))",
        true);
  }

  @Test
  void keysAreThoseOfXterm() {
    Pure keys = visit.pure("terminal/keys.js");
    String of = "textOf({key: '%s', ctrlKey: %b, shiftKey: %b, altKey: %b}, {applicationKeys: %b})";
    keys.gives(of.formatted("ArrowUp", false, false, false, false), "\u001b[A");
    keys.gives(of.formatted("ArrowUp", false, false, false, true), "\u001bOA");
    keys.gives(of.formatted("ArrowRight", true, false, false, false), "\u001b[1;5C");
    keys.gives(of.formatted("Delete", false, false, false, false), "\u001b[3~");
    keys.gives(of.formatted("F1", false, false, false, false), "\u001bOP");
    keys.gives(of.formatted("c", true, false, false, false), "\u0003");
    keys.gives(of.formatted("C", true, true, false, false), null);
    keys.gives(of.formatted("b", false, false, true, false), "\u001bb");
    keys.gives(of.formatted("a", false, false, false, false), null);
    keys.gives(of.formatted("Tab", false, true, false, false), "\u001b[Z");
    keys.gives("pasted('a\\nb', {pasteMarks: true})", "\u001b[200~a\rb\u001b[201~");
    keys.gives("pasted('a\\x1b[201~b', {pasteMarks: false})", "a[201~b");
  }
}
