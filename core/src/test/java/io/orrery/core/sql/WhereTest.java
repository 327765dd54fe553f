package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WhereTest {
  @Test
  void aPageHasTheConditionsThatAreGivenWithTheirArgumentsInOrder() {
    Statement page =
        new Where()
            .and("(at, id) < (?, ?)", 7L, "x")
            .equal("owner", "ann")
            .contains("name", "DIG%")
            .contains(List.of("name", "lower(title)"), "a_\\")
            .in("project", List.of("vision", "speech"))
            .page("select name from t", "at desc, id", 20);

    assertThat(page.sql())
        .isEqualTo(
            "select name from t where (at, id) < (?, ?) and owner = ? and name like ? escape '\\'"
                + " and (name like ? escape '\\' or lower(title) like ? escape '\\')"
                + " and project in (?, ?) order by at desc, id limit ?");
    assertThat(page.arguments())
        .containsExactly(
            7L, "x", "ann", "%dig\\%%", "%a\\_\\\\%", "%a\\_\\\\%", "vision", "speech", 21);
  }

  @Test
  void whatIsNotAskedForIsNoCondition() {
    Statement page =
        new Where()
            .equal("owner", null)
            .contains("name", null)
            .in("project", null)
            .page("select name from t", "name", 1);

    assertThat(page.sql()).isEqualTo("select name from t order by name limit ?");
    assertThat(page.arguments()).containsExactly(2);
  }

  @Test
  void noneOfNoValuesFits() {
    Statement page = new Where().in("project", List.of()).page("select name from t", "name", 1);

    assertThat(page.sql()).isEqualTo("select name from t where 1 = 0 order by name limit ?");
  }
}
