package io.orrery.benchmarks.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HttpAnswerTest {
  private static final String OURS =
      "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 14\r\n\r\n{\"accepted\":1}";
  private static final String NOTHING = "HTTP/1.1 204 No Content\r\nRequest-Id: 7\r\n\r\n";
  private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  @Test
  void answersThatComeTogetherAreTakenOneByOne() throws IOException {
    ByteBuffer read = bytes(OURS + NOTHING + EMPTY);
    for (String expected : new String[] {OURS, NOTHING, EMPTY}) {
      HttpAnswer answer = HttpAnswer.take(read);
      assertThat(answer).isEqualTo(new HttpAnswer(expected));
      assertThat(answer.good()).isTrue();
    }
    assertThat(HttpAnswer.take(read)).isNull();
  }

  @Test
  void whatIsNotAllThereStays() throws IOException {
    for (int length = 0; length < OURS.length(); length++) {
      ByteBuffer read = bytes(OURS.substring(0, length));
      assertThat(HttpAnswer.take(read)).isNull();
      assertThat(read.remaining()).isEqualTo(length);
    }
  }

  @Test
  void aRefusalIsNotGood() throws IOException {
    HttpAnswer answer =
        HttpAnswer.take(bytes("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nfull"));
    assertThat(answer).isNotNull();
    assertThat(answer.good()).isFalse();
    assertThat(answer.text()).endsWith("full");
  }

  @Test
  void anAnswerWithoutALengthIsRefused() {
    assertThatThrownBy(() -> HttpAnswer.take(bytes("HTTP/1.1 200 OK\r\n\r\n{}")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("unknown length");
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
