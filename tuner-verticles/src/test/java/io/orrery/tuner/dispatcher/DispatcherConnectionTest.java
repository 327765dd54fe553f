package io.orrery.tuner.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.metric.Direction;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.dispatcher.Command.Spelling;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands as NNI's releases spell them, and a connection that comes and goes. */
class SeriesReducerTest {
  private static final Command REQUEST = new Command(Command.REQUEST_TRIALS, "2");

  /** A socket that keeps what was sent through it. */
  private static final class Sent implements SocketLine.Socket {
    final List<String> messages = new ArrayList<>();
    boolean parted;

    @Override
    public void tell(String message) {
      messages.add(message);
    }

    @Override
    public void part() {
      parted = true;
    }
  }

  @Test
  void aCommandIsSpelledAsTheReleaseReadsIt() {
    assertThat(REQUEST.message(Spelling.OBJECT)).isEqualTo("{\"type\":\"GE\",\"content\":\"2\"}");
    assertThat(REQUEST.message(Spelling.PREFIX)).isEqualTo("GE2");
    assertThat(new Command(Command.TERMINATE, "").message(Spelling.OBJECT))
        .isEqualTo("{\"type\":\"TE\"}");
    assertThat(PipeLine.frame(new Command("ME", "{\"value\": \"é\"}")))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("ME00000000000015{\"value\": \"é\"}");
  }

  @Test
  void aCommandIsReadHoweverItIsSpelled() throws IOException {
    assertThat(Command.read(REQUEST.message(Spelling.OBJECT))).isEqualTo(REQUEST);
    assertThat(Command.read("GE2")).isEqualTo(REQUEST);
    assertThat(Command.read("{\"type\":\"ID\",\"content\":null}")).isEqualTo(new Command("ID", ""));
    assertThat(PipeLine.read(new ByteArrayInputStream(PipeLine.frame(REQUEST)))).isEqualTo(REQUEST);
  }

  @Test
  void eachReleaseReadsTheConfigurationInItsOwnForm() {
    AlgorithmSpec dngo = AlgorithmSpec.named("DNGO");
    assertThat(parameters(dngo, "3.0"))
        .isEqualTo(
            "{\"experimentType\":\"hpo\",\"tuner\":{\"name\":\"DNGO\",\"classArgs\":{\"optimize_mode\":\"minimize\"}}}");
    assertThat(parameters(dngo, "1.9")).contains("\"builtinTunerName\":\"DNGO\"");
    assertThat(parameters(AlgorithmSpec.named("nni:Random"), "2.10"))
        .isEqualTo("{\"experimentType\":\"hpo\",\"tuner\":{\"name\":\"Random\"}}");
    AlgorithmSpec bohb = AlgorithmSpec.named("nni:BOHB");
    AlgorithmSpec own = new AlgorithmSpec(null, "a.b.Mine", "/code", Parameters.EMPTY);
    String ownClass = "{\"className\":\"a.b.Mine\",\"codeDirectory\":\"/code\"}";
    assertThat(parameters(bohb, "2.9")).contains("\"advisor\":{\"name\":\"BOHB\"");
    assertThat(parameters(own, "2.9")).contains("\"advisor\":" + ownClass);
    // D4: an advisor is a tuner since 2.10.
    for (String release : List.of("2.10", "3.0")) {
      assertThat(parameters(bohb, release)).contains("\"tuner\":{\"name\":\"BOHB\"");
      assertThat(parameters(own, release)).contains("\"tuner\":" + ownClass);
    }
    assertThat(parameters(own, "1.9"))
        .contains("\"codeDir\":\"/code\",\"classFileName\":\"a/b.py\",\"className\":\"Mine\"");
  }

  private static String parameters(AlgorithmSpec spec, String release) {
    return StockDispatcher.parameters(spec, Direction.MINIMIZE, Version.of(release)).toString();
  }

  @Test
  void whatIsNoCommandIsSaid() {
    assertThatThrownBy(() -> Command.read("x")).hasMessageContaining("no command");
    assertThatThrownBy(() -> Command.read("{}")).hasMessageContaining("without a type");
    assertThatThrownBy(() -> read("GE0000000000000x2")).hasMessageContaining("begins no command");
    assertThatThrownBy(() -> read("GE99999999999999")).hasMessageContaining("bytes");
    assertThatThrownBy(() -> read("GE000000000000052")).isInstanceOf(EOFException.class);
  }

  private static Command read(String bytes) throws IOException {
    return PipeLine.read(new ByteArrayInputStream(bytes.getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void messagesWithoutAConnectionAreSentWhenThereIsOne() throws InterruptedException {
    SocketLine line = new SocketLine(Spelling.PREFIX);
    line.send(REQUEST);
    Sent first = new Sent();
    line.connected(first);
    assertThat(first.messages).containsExactly("GE2");

    line.disconnected();
    line.send(new Command(Command.TRIAL_END, "{}"));
    line.heard("NO");
    Sent second = new Sent();
    line.connected(second);
    assertThat(second.messages).containsExactly("EN{}");
    assertThat(line.take()).isEqualTo(new Command(Command.NO_MORE_TRIALS, ""));
    assertThat(line.take(Duration.ZERO)).isNull();
  }

  @Test
  void oneThatSaysFarewellOrNonsenseIsGone() throws InterruptedException {
    SocketLine leaving = new SocketLine(Spelling.OBJECT);
    leaving.heard("{\"type\":\"_nop_\"}");
    leaving.heard("{\"type\":\"ID\"}");
    leaving.heard("{\"type\":\"_bye_\"}");
    assertThat(leaving.take().type()).isEqualTo("ID");
    assertThatThrownBy(leaving::take).hasMessageContaining("closed the connection");
    assertThatThrownBy(leaving::take).hasMessageContaining("closed the connection");
    assertThatThrownBy(() -> leaving.send(REQUEST)).hasMessageContaining("closed the connection");

    SocketLine mad = new SocketLine(Spelling.OBJECT);
    mad.heard("{\"content\":\"2\"}");
    assertThat(mad.isOver()).isTrue();
  }

  @Test
  void oneThatIsClosedIsToldToGo() {
    SocketLine line = new SocketLine(Spelling.OBJECT);
    Sent sent = new Sent();
    line.connected(sent);
    line.close();
    assertThat(sent.messages).containsExactly("{\"type\":\"TE\"}", "{\"type\":\"_bye_\"}");
    assertThat(sent.parted).isTrue();
    assertThat(line.isOver()).isTrue();
  }
}
