package io.orrery.gateway.metric;

import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a line as nearly every sender writes it, in one pass over its bytes: the fields that we
 * know, ASCII texts without escapes, a number as value. Any other line it leaves alone, good or
 * bad; {@link LineReader} reads those and says what is wrong with them. So what this reader takes,
 * LineReader takes as well, and as the same.
 *
 * <p>A general parser costs three times as much as storing the point does. A batch of one sender is
 * cheaper still: its lines differ in their numbers only ({@link LineTemplate}). The file is longer
 * than 400 lines, because one pass over the bytes shares its position among all fields.
 */
final class PlainReader {
  /** The longest that the metric log takes. */
  private static final int MAX_NAME = 1_024;

  /** Digits that are a long, whatever they are. */
  private static final int MAX_DIGITS = 18;

  /** Whole numbers up to here, and powers of ten up to 10^22, are exact as doubles. */
  private static final long MAX_EXACT = 1L << 53;

  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  /** Longest number that is read here. */
  private static final int MAX_NUMBER = 40;

  private static final int NOT_PLAIN = -1;

  /** A line with more is no template. */
  private static final int MOST_NUMBERS = 8;

  /** Bits of the fields that are no numbers, after those of {@link LineTemplate.Numeral}. */
  private static final int OF_TRIAL = 1 << 16;

  private static final int OF_KIND = 1 << 17;
  private static final int OF_SOURCE = 1 << 18;

  private static final byte[] TRIAL = ascii("trial");
  private static final byte[] KIND = ascii("kind");
  private static final byte[] VALUE = ascii("value");
  private static final byte[] SEQUENCE = ascii("sequence");
  private static final byte[] SOURCE = ascii("source");
  private static final byte[] ATTEMPT = ascii("attempt");
  private static final byte[] ORDINAL = ascii("ordinal");
  private static final byte[] TIME = ascii("time");
  private static final byte[] INTERMEDIATE = ascii("intermediate");
  private static final byte[] FINAL = ascii("final");

  private final Memo<TrialRef> trials;
  private final Memo<String> sources;

  /** What the next line probably looks like. */
  private @Nullable LineTemplate template;

  /** Where the numbers of the present line begin and end, and which they are. */
  private final int[] numbersFrom = new int[MOST_NUMBERS];

  private final int[] numbersTo = new int[MOST_NUMBERS];
  private final LineTemplate.Numeral[] numbers = new LineTemplate.Numeral[MOST_NUMBERS];
  private int numberCount;

  private byte[] bytes = new byte[0];
  private int at;
  private int to;

  // What the line has said so far.
  private @Nullable TrialRef trial;
  private @Nullable MetricKind kind;
  private String source = "";
  private long sequence;
  private long ordinal;
  private int attempt;
  private long time;
  private double value;
  private boolean hasValue;

  /** The bits of the fields that were there. */
  private int seen;

  PlainReader() {
    this(new Memo<>(TrialRef::parse), new Memo<>(source -> source));
  }

  private PlainReader(Memo<TrialRef> trials, Memo<String> sources) {
    this.trials = trials;
    this.sources = sources;
  }

  /** One for the lines of a single sender, which remembers the same names. */
  PlainReader ofOneSender() {
    return new PlainReader(trials, sources);
  }

  /**
   * Reads the line that begins at a place.
   *
   * @param end where the bytes end
   * @param complete whether the end of the bytes is the end of a line
   * @param number the line's place in its batch, from 1
   * @param now the time of a line that names none
   * @return null when the line is not plain, or not all there
   */
  @Nullable MetricLine read(
      byte[] from, int start, int end, boolean complete, int number, long now) {
    bytes = from;
    to = end;
    if (!fromTemplate(start, complete, now) && !fromScratch(start, complete, now)) {
      return null;
    }
    if (trial == null || kind == null || sequence < 0 || !hasValue) {
      return null;
    }
    return new MetricLine(
        number,
        trial,
        attempt == 0 ? null : attempt,
        source,
        ordinal < 0 ? sequence : ordinal,
        kind,
        sequence,
        null,
        time,
        MetricValue.of(value));
  }

  private boolean fromTemplate(int start, boolean complete, long now) {
    LineTemplate known = template;
    if (known == null || known.pass(0, bytes, start, to) < 0) {
      return false;
    }
    begin(start, now);
    trial = known.trial();
    kind = known.kind();
    source = known.source();
    for (int i = 0; i < known.numbers(); i++) {
      at = known.pass(i, bytes, at, to);
      if (at < 0 || !number(known.number(i))) {
        return false;
      }
    }
    at = known.pass(known.numbers(), bytes, at, to);
    return at >= 0 && lineEnd(complete);
  }

  private boolean number(LineTemplate.Numeral field) {
    return switch (field) {
      case SEQUENCE -> sequence();
      case ORDINAL -> ordinal();
      case ATTEMPT -> attempt();
      case TIME -> time();
      case VALUE -> value();
    };
  }

  private boolean fromScratch(int start, boolean complete, long now) {
    TrialRef trialBefore = trial;
    String sourceBefore = source;
    begin(start, now);
    if (!object()) {
      return false;
    }
    int objectEnd = at;
    if (!lineEnd(complete)) {
      return false;
    }
    // Of senders that take turns, a template is of no use to the next line.
    if (trial != null
        && kind != null
        && trial.equals(trialBefore)
        && source.equals(sourceBefore)
        && numberCount < MOST_NUMBERS) {
      template =
          new LineTemplate(
              trial,
              kind,
              source,
              bytes,
              start,
              objectEnd,
              Arrays.copyOf(numbers, numberCount),
              numbersFrom,
              numbersTo);
    }
    return true;
  }

  private void begin(int start, long now) {
    at = start;
    numberCount = 0;
    trial = null;
    kind = null;
    source = "";
    sequence = NOT_PLAIN;
    ordinal = NOT_PLAIN;
    attempt = 0;
    time = now;
    hasValue = false;
    seen = 0;
  }

  /** Where the line that was read ended: the first byte of the next one. */
  int end() {
    return at;
  }

  private boolean object() {
    if (!taken('{')) {
      return false;
    }
    do {
      skipBlanks();
      int nameFrom = at + 1;
      int nameTo = text();
      if (nameTo < 0 || !taken(':')) {
        return false;
      }
      skipBlanks();
      if (!field(nameFrom, nameTo)) {
        return false;
      }
    } while (taken(','));
    return taken('}');
  }

  /** Their first letters nearly tell the fields apart; of an empty name it is the quote. */
  private boolean field(int nameFrom, int nameTo) {
    return switch (bytes[nameFrom]) {
      case 't' ->
          is(TRIAL, nameFrom, nameTo)
              ? isFirst(OF_TRIAL) && trial()
              : is(TIME, nameFrom, nameTo) && noted(LineTemplate.Numeral.TIME);
      case 'k' -> is(KIND, nameFrom, nameTo) && isFirst(OF_KIND) && kind();
      case 'v' -> is(VALUE, nameFrom, nameTo) && noted(LineTemplate.Numeral.VALUE);
      case 's' ->
          is(SEQUENCE, nameFrom, nameTo)
              ? noted(LineTemplate.Numeral.SEQUENCE)
              : is(SOURCE, nameFrom, nameTo) && isFirst(OF_SOURCE) && source();
      case 'o' -> is(ORDINAL, nameFrom, nameTo) && noted(LineTemplate.Numeral.ORDINAL);
      case 'a' -> is(ATTEMPT, nameFrom, nameTo) && noted(LineTemplate.Numeral.ATTEMPT);
      default -> false;
    };
  }

  /** Whether a field was not there before; a line that has one twice is not plain. */
  private boolean isFirst(int bit) {
    boolean first = (seen & bit) == 0;
    seen |= bit;
    return first;
  }

  /** Reads a number, and remembers where it stood. */
  private boolean noted(LineTemplate.Numeral field) {
    int from = at;
    boolean good = isFirst(field.bit) && number(field);
    if (good && numberCount < MOST_NUMBERS) {
      numbers[numberCount] = field;
      numbersFrom[numberCount] = from;
      numbersTo[numberCount++] = at;
    }
    return good;
  }

  private boolean sequence() {
    sequence = whole();
    return sequence >= 0;
  }

  private boolean ordinal() {
    ordinal = whole();
    return ordinal >= 0;
  }

  private boolean time() {
    time = whole();
    return time >= 0;
  }

  private boolean attempt() {
    long given = whole();
    attempt = (int) given;
    return given >= 1 && given <= Integer.MAX_VALUE;
  }

  private boolean trial() {
    int from = at + 1;
    int end = text();
    if (end < 0) {
      return false;
    }
    try {
      trial = trials.of(bytes, from, end);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean kind() {
    int from = at + 1;
    int end = text();
    if (end < 0) {
      return false;
    }
    if (is(INTERMEDIATE, from, end)) {
      kind = MetricKind.INTERMEDIATE;
      return true;
    }
    kind = MetricKind.FINAL;
    return is(FINAL, from, end);
  }

  private boolean source() {
    int from = at + 1;
    int end = text();
    if (end < 0 || end - from > MAX_NAME) {
      return false;
    }
    source = sources.of(bytes, from, end);
    return true;
  }

  /** Reads a number as JSON has it (RFC 8259): no sign of plus, no leading zero, no bare point. */
  private boolean value() {
    int from = at;
    boolean negative = at < to && bytes[at] == '-';
    if (negative) {
      at++;
    }
    int digitsFrom = at;
    long digits = 0;
    while (at < to && digit(bytes[at])) {
      digits = 10 * digits + bytes[at++] - '0';
    }
    int count = at - digitsFrom;
    if (count == 0 || (bytes[digitsFrom] == '0' && count > 1)) {
      return false;
    }
    int power = 0;
    if (at < to && bytes[at] == '.') {
      int pointAt = at++;
      while (at < to && digit(bytes[at])) {
        digits = 10 * digits + bytes[at++] - '0';
      }
      power = pointAt + 1 - at;
      count -= power;
      if (power == 0) {
        return false;
      }
    }
    boolean exponent = at < to && (bytes[at] == 'e' || bytes[at] == 'E');
    if (exponent && !exponent()) {
      return false;
    }
    if (!atDelimiter() || at - from > MAX_NUMBER) {
      return false;
    }
    value = number(from, negative ? -digits : digits, count, power, exponent);
    hasValue = true;
    return true;
  }

  /**
   * The double that is nearest to a number.
   *
   * @param from where it begins; it ends here
   * @param digits all of its digits and its sign as a whole number, unless there are too many
   * @param power of ten, 0 or less, that the digits are to be multiplied with
   */
  private double number(int from, long digits, int count, int power, boolean exponent) {
    boolean exact =
        !exponent
            && count <= MAX_DIGITS
            && Math.abs(digits) <= MAX_EXACT
            && -power < POWERS.length
            && (digits != 0 || power == 0);
    return exact
        ? digits / POWERS[-power]
        : Double.parseDouble(new String(bytes, from, at - from, StandardCharsets.US_ASCII));
  }

  /** Passes over the exponent of a number; false when it has no digits. */
  private boolean exponent() {
    at++;
    if (at < to && (bytes[at] == '-' || bytes[at] == '+')) {
      at++;
    }
    int from = at;
    while (at < to && digit(bytes[at])) {
      at++;
    }
    return at > from;
  }

  /** Reads a whole number from 0; {@link #NOT_PLAIN} when it is not one, or a very long one. */
  private long whole() {
    int from = at;
    long number = 0;
    while (at < to && digit(bytes[at]) && at - from <= MAX_DIGITS) {
      number = 10 * number + bytes[at++] - '0';
    }
    int count = at - from;
    boolean good =
        count > 0 && count <= MAX_DIGITS && (bytes[from] != '0' || count == 1) && atDelimiter();
    return good ? number : NOT_PLAIN;
  }

  /** Passes over a text with its quotes; where its last character ended, or {@link #NOT_PLAIN}. */
  private int text() {
    if (at >= to || bytes[at] != '"') {
      return NOT_PLAIN;
    }
    for (at++; at < to; at++) {
      byte next = bytes[at];
      if (next == '"') {
        return at++;
      }
      // Control characters, and negative ones: bytes of characters beyond ASCII.
      if (next < ' ' || next == '\\') {
        return NOT_PLAIN;
      }
    }
    return NOT_PLAIN;
  }

  private boolean taken(char wanted) {
    skipBlanks();
    if (at < to && bytes[at] == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void skipBlanks() {
    while (at < to && (bytes[at] == ' ' || bytes[at] == '\t')) {
      at++;
    }
  }

  private boolean lineEnd(boolean complete) {
    while (at < to && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
      at++;
    }
    if (at == to) {
      return complete;
    }
    return bytes[at++] == '\n';
  }

  /** A number that something else follows than the end of the field is not one. */
  private boolean atDelimiter() {
    return at < to
        && (bytes[at] == ',' || bytes[at] == '}' || bytes[at] == ' ' || bytes[at] == '\t');
  }

  private boolean is(byte[] word, int from, int end) {
    if (end - from != word.length) {
      return false;
    }
    for (int i = 0; i < word.length; i++) {
      if (bytes[from + i] != word[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean digit(byte character) {
    return character >= '0' && character <= '9';
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
