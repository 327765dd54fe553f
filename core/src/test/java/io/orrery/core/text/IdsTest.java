package io.orrery.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class IdsTest {
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{1,32}");

  @Test
  void anIdIsValidWhenItHasTheForm() {
    SplittableRandom chance = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(Ids.random(chance, 1 + chance.nextInt(34)));
      if (chance.nextBoolean()) {
        text.setCharAt(chance.nextInt(text.length()), (char) chance.nextInt(300));
      }
      assertThat(Ids.valid(text.toString())).isEqualTo(FORM.matcher(text).matches());
    }
    assertThat(Ids.valid("")).isFalse();
  }
}
