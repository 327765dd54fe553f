package io.orrery.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.process.PersonPrograms.Program;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PersonProgramsTest {
  private static final Instant NOW = Instant.EPOCH.plusSeconds(1_000);
  private static final long GIBIBYTE = 1L << 30;

  private final PersonPrograms people = new PersonPrograms(new PersonLimits(100, 10 * GIBIBYTE));

  private Program open(String person) {
    return people.open(person, NOW);
  }

  private static String tasks(Program program, long tasks) {
    return program.uses(NOW, tasks, () -> 0, () -> 0);
  }

  private static String memory(Program program, long resident, long exact) {
    return program.uses(NOW, 1, () -> resident * GIBIBYTE, () -> exact * GIBIBYTE);
  }

  @Test
  void theProgramThatHasTheMostIsEndedAndTheOthersGoOn() {
    Program small = open("ann");
    Program large = open("ann");
    Program other = open("ben");
    assertThat(tasks(small, 40)).isEmpty();
    assertThat(tasks(other, 100)).isEmpty();
    assertThat(tasks(large, 60)).isEmpty();
    assertThat(tasks(small, 41)).as("it is not the one that has the most").isEmpty();
    assertThat(tasks(large, 60))
        .isEqualTo(
            "it was ended because the programs of ann had 101 processes and threads, more than the"
                + " 100 of auth.personProcesses, and it had the most of them");
    assertThat(tasks(small, 90)).as("what is being ended does not count").isEmpty();
    assertThat(tasks(other, 100)).isEmpty();
  }

  @Test
  void theNewestOfEqualProgramsIsEnded() {
    Program first = open("ann");
    Program second = open("ann");
    tasks(first, 10);
    tasks(second, 51);
    assertThat(tasks(first, 51)).isEmpty();
    assertThat(tasks(second, 51)).contains("102 processes");
  }

  @Test
  void pagesThatProcessesShareCountOnceWhenAPersonHasTooMuch() {
    Program workers = open("ann");
    Program notebook = open("ann");
    assertThat(memory(workers, 9, 2)).isEmpty();
    assertThat(memory(notebook, 3, 3)).as("the other was measured quickly").isEmpty();
    assertThat(memory(workers, 9, 2)).as("2 and 3 together").isEmpty();
    assertThat(people.full("ann", NOW)).isEmpty();
    assertThat(memory(notebook, 9, 9))
        .isEqualTo(
            "it was ended because the programs of ann had 11G of memory, more than the 10G of"
                + " auth.personMemory, and it had the most of it");
    assertThat(memory(workers, 9, 9)).isEmpty();
  }

  @Test
  void memoryIsNotMeasuredExactlyWithoutNeed() {
    AtomicInteger measured = new AtomicInteger();
    Program program = open("ann");
    program.uses(NOW, 1, () -> 9 * GIBIBYTE, measured::incrementAndGet);
    assertThat(measured).hasValue(0);
    program.uses(NOW, 1, () -> 10 * GIBIBYTE, measured::incrementAndGet);
    assertThat(measured).hasValue(1);
    PersonPrograms counting = new PersonPrograms(new PersonLimits(100, Long.MAX_VALUE));
    counting.open("ann", NOW).uses(NOW, 1, measured::incrementAndGet, measured::incrementAndGet);
    assertThat(measured).hasValue(1);
  }

  @Test
  void aPersonWhoHasAllThatIsAllowedStartsNothingUntilSomethingHasEnded() {
    Program first = open("ann");
    Program second = open("ann");
    tasks(first, 50);
    tasks(second, 50);
    assertThat(people.full("ann", NOW))
        .isEqualTo(
            "it starts when other programs of ann have ended: they have 100 processes and threads,"
                + " and auth.personProcesses is 100");
    assertThat(people.full("ben", NOW)).isEmpty();
    second.close();
    assertThat(people.full("ann", NOW)).isEmpty();
    assertThat(tasks(second, 100)).as("it is over").isEmpty();
    memory(first, 10, 10);
    assertThat(people.full("ann", NOW)).contains("they have 10G of memory");
  }

  @Test
  void aProgramCountsFromItsStart() {
    for (int i = 0; i < 100; i++) {
      assertThat(people.full("ann", NOW)).isEmpty();
      open("ann");
    }
    assertThat(people.full("ann", NOW)).contains("100 processes");
  }

  @Test
  void aProgramOfWhichNothingIsHeardCountsNoMore() {
    Program left = open("ann");
    tasks(left, 100);
    Instant later = NOW.plusSeconds(121);
    assertThat(people.full("ann", later)).isEmpty();
    assertThat(left.uses(later, 100, () -> 0, () -> 0)).isEmpty();
    assertThat(people.full("ann", later)).as("it was heard of again").isNotEmpty();
  }

  @Test
  void programsWithoutAUserAndThoseOfAServerWithoutAccountsHaveNoLimit() {
    assertThat(tasks(open(""), 1_000)).isEmpty();
    assertThat(people.full("", NOW)).isEmpty();
    assertThat(tasks(PersonPrograms.UNLIMITED.open("ann", NOW), 1_000_000)).isEmpty();
    assertThat(PersonPrograms.UNLIMITED.full("ann", NOW)).isEmpty();
  }
}
