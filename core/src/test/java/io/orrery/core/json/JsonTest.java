package io.orrery.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void namesOfOthersAreNotKept() {
    String text = "{\"k:{uid}\": 1}";

    assertThat(Json.parse(text).fieldNames().next())
        .isEqualTo("k:{uid}")
        .isNotSameAs(Json.parse(text).fieldNames().next());
  }

  @Test
  void threadsThatShareBuffersReadAndWriteTheirOwn() throws Exception {
    List<Callable<Void>> works = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      String given = Integer.toString(i).repeat(1 + i % 50);
      works.add(() -> {
        String text = Json.write(Map.of("given", given));
        Thread.yield();
        assertThat(Json.parse(text).path("given").textValue()).isEqualTo(given);
        assertThat(Json.read(text, JsonNode.class)).isEqualTo(Json.parse(text));
        return null;
      });
    }

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> work : threads.invokeAll(works)) {
        assertThat(work.get()).isNull();
      }
    }
  }
}
