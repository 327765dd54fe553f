package io.orrery.compute.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.bus.contract.TrainingServices.Verdict;
import io.orrery.core.experiment.SharedStorageSpec.Nfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageMountTest {
  @TempDir Path directory;
  private Path point;
  private Path table;

  @BeforeEach
  void layOut() throws IOException {
    point = directory.resolve("point");
    table = Files.createFile(directory.resolve("fstab"));
  }

  private StorageMount mount(boolean mounts, boolean root) {
    return new StorageMount(
        new Nfs(point.toString(), "/mnt", mounts, "nfs1", "/export"), table, root);
  }

  @Test
  void oneThatItsUserMountsMustBeThere() throws Exception {
    assertThat(mount(false, true).findings())
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.pointer()).isEqualTo("/sharedStorage/localMountPoint");
          assertThat(finding.message()).contains("mount -t nfs nfs1:/export " + point);
        });
    assertThat(mount(false, true).check().verdict()).isEqualTo(Verdict.BAD);

    Files.createDirectory(point);

    assertThat(mount(false, true).findings()).isEmpty();
    assertThat(mount(false, true).check().verdict())
        .as("it may be the exported directory itself, or nothing")
        .isEqualTo(Verdict.DOUBTFUL);
    mount(false, true).open();
  }

  @Test
  void theServerMountsOnlyWhereItMay() throws Exception {
    assertThat(mount(true, false).check().verdict()).isEqualTo(Verdict.BAD);
    assertThatThrownBy(() -> mount(true, false).open())
        .hasMessageContaining("uses no sudo")
        .hasMessageContaining("usermount");
    assertThat(point).doesNotExist();

    Files.writeString(table, "# nfs\nnfs1:/export " + point + " nfs rw,user,noauto 0 0\n");

    assertThat(mount(true, false).check().verdict()).isEqualTo(Verdict.GOOD);
    assertThat(point).as("a check changes nothing").doesNotExist();
    Files.writeString(table, "nfs1:/export " + point + " nfs rw,nousers 0 0\n");
    assertThat(mount(true, false).findings()).hasSize(1);
    assertThat(mount(true, true).findings()).isEmpty();
  }

  @Test
  void whatIsMountedIsKnown() throws IOException {
    // Every Linux has one.
    StorageMount there =
        new StorageMount(new Nfs("/proc", "/mnt", true, "nfs1", "/export"), table, false);

    assertThat(Files.isDirectory(Path.of("/proc/self"))).isTrue();
    // Who may write there depends on who runs this.
    assertThat(there.findings())
        .as("none has to mount it")
        .noneMatch(finding -> finding.pointer().endsWith("localMounted"));
  }
}
