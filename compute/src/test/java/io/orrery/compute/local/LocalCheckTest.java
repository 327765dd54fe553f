package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.BareJob;
import io.orrery.compute.gpu.GpuProbe;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.TrainingServices.Verdict;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.process.SearchPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks of this machine before a trial runs on it. */
class LocalCheckTest {
  @TempDir private Path directory;

  @Test
  void aMachineThatHasWhatATrialNeedsIsGoodThroughout() throws Exception {
    Path python = Files.writeString(directory.resolve("python3"), "#!/bin/sh\necho Python 3.99\n");
    assertThat(python.toFile().setExecutable(true)).isTrue();

    List<Item> items = check(directory.resolve("home"), "python3 train.py", null);

    assertThat(items)
        .extracting(Item::what)
        .containsExactly("home", "disk", "code directory", "python", "GPUs");
    assertThat(items)
        .filteredOn(item -> !item.what().equals("disk"))
        .extracting(Item::verdict)
        .containsOnly(Verdict.GOOD);
    assertThat(item(items, "python").found()).isEqualTo("Python 3.99 at " + python);
    assertThat(item(items, "disk").found()).matches("[0-9]+\\.[0-9] GB free for trials' files");
  }

  @Test
  void aHomeThatCannotBeWrittenIsBad() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));

    Item home = item(check(file, "true", null), "home");

    assertThat(home.verdict()).isEqualTo(Verdict.BAD);
    assertThat(home.found()).contains(file + " cannot be written");
    assertThat(home.remedy()).contains("--home");
  }

  @Test
  void aMissingPythonIsInTheWayOfTrialsInPythonOnly() throws Exception {
    assertThat(item(check(directory, "python3 train.py", null), "python").verdict())
        .isEqualTo(Verdict.BAD);
    assertThat(item(check(directory, "./train", null), "python").verdict())
        .isEqualTo(Verdict.DOUBTFUL);
  }

  @Test
  void gpusThatAreAskedForAndNotThereAreBad() throws Exception {
    Item gpus = item(check(directory, "true", 1), "GPUs");

    assertThat(gpus.verdict()).isEqualTo(Verdict.BAD);
    assertThat(gpus.found()).contains("no nvidia-smi");
    assertThat(gpus.remedy()).contains("trialGpuNumber");
  }

  private static Item item(List<Item> items, String what) {
    return items.stream().filter(item -> item.what().equals(what)).findFirst().orElseThrow();
  }

  private List<Item> check(Path home, String command, @Nullable Integer gpus) {
    String path = directory.toString();
    return new LocalCheck(
            home,
            new SearchPath(path),
            new EnvironmentPlace(home.resolve("builds")),
            new GpuProbe(new SearchPath(path), GpuProbe.LIMIT))
        .of(BareJob.on("local", command, path, gpus));
  }
}
