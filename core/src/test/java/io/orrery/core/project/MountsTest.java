package io.orrery.core.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MountsTest {
  private static Mounts mounts(String text) {
    Parsed<Mounts> read = Mounts.read(text);
    assertThat(read.findings()).as(text).isEmpty();
    return read.value();
  }

  private static TextFinding only(String text) {
    List<TextFinding> findings = Mounts.read(text).findings();
    assertThat(findings).as(text).hasSize(1);
    return findings.getFirst();
  }

  @Test
  void theExampleOfTheUserGuideIsRead() {
    Mounts read =
        mounts(
            "kubeflow-user-workspace(pvc):/mnt/;data/aidata(hostpath):/aidata;4G(memory):/dev/shm");
    assertThat(read.mounts())
        .containsExactly(
            new VolumeMount(VolumeKind.PVC, "kubeflow-user-workspace", "/mnt"),
            new VolumeMount(VolumeKind.HOSTPATH, "/data/aidata", "/aidata"),
            new VolumeMount(VolumeKind.MEMORY, "4G", "/dev/shm"));
    assertThat(read.text())
        .isEqualTo(
            "kubeflow-user-workspace(pvc):/mnt;/data/aidata(hostpath):/aidata;4G(memory):/dev/shm");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "pvc(pvc):/a > pvc(pvc):/a",
        "a(pvc-share):/a,b(storage):/b > a(pvc-share):/a;b(storage):/b",
        "a(configmap):/a;;b(secret):/b; > a(configmap):/a;b(secret):/b",
        " a ( pvc ) : /a > a(pvc):/a",
        "a(pvc):/a//b/// > a(pvc):/a/b",
        "/x y(hostpath):/x y > /x y(hostpath):/x y",
        "a(pvc):/a;a(pvc):/b > a(pvc):/a;a(pvc):/b",
        "a(pvc):/mnt;b(pvc):/mnt/b > a(pvc):/mnt;b(pvc):/mnt/b",
        "/var/run/d.sock:/var/run/d.sock > /var/run/d.sock(hostpath):/var/run/d.sock",
        "512M(memory):/m > 512M(memory):/m",
      })
  void aTextHasOneCanonicalForm(String text, String canonical) {
    assertThat(mounts(text).text()).isEqualTo(canonical);
    assertThat(mounts(canonical)).isEqualTo(mounts(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a(pvc):/a\nb(pvc):/b", "a(pvc):/a\r\nb(pvc):/b", "a(pvc):/a\t b(pvc):/b"})
  void aLineBreakAndATabPartMountsToo(String text) {
    assertThat(mounts(text).text()).isEqualTo("a(pvc):/a;b(pvc):/b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ";", " ,\n"})
  void aBlankTextHasNoMounts(String text) {
    assertThat(mounts(text)).isEqualTo(Mounts.NONE);
  }

  @Test
  void aMountWithoutAKindIsADirectoryOfTheNodeAndSaysSo() {
    Parsed<Mounts> read = Mounts.read("a(pvc):/a; data:/b");
    assertThat(read.value().text()).isEqualTo("a(pvc):/a;/data(hostpath):/b");
    assertThat(read.notices())
        .singleElement()
        .satisfies(notice -> {
          assertThat(notice.offset()).isEqualTo(11);
          assertThat(notice.message()).contains("no kind", "/data(hostpath):/b");
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '`',
      value = {
        "a(pvcs):/a > 2 > did you mean 'pvc'",
        "a(PVC):/a > 2 > did you mean 'pvc'",
        "a(host-path):/a > 2 > did you mean 'hostpath'",
        "a(nfs):/a > 2 > pvc, pvc-share, storage, hostpath, memory, configmap, secret",
        "a():/a > 2 > '' is not a kind",
        "a(pvc):/b;a(pvc):mnt > 17 > is relative",
        "a(pvc):/a/../b > 7 > segment '..'",
        "a(pvc):/a/. > 7 > segment '.'",
        "/a/../b(hostpath):/b > 0 > segment '..'",
        "../b(hostpath):/b > 0 > segment '..'",
        "a(pvc):/ > 7 > is the root",
        "/(hostpath):/host > 0 > is the root",
        "(pvc):/a > 0 > name before (pvc) is missing",
        "(memory):/a > 0 > as in 4G",
        "(hostpath):/a > 0 > is missing",
        ":/a > 0 > directory of the node is missing",
        "a(pvc): > 7 > path in the container is missing",
        "a(pvc) > 6 > path in the container is missing",
        "a(pvc)/mnt > 6 > without a ':'",
        "a(pvc:/mnt > 0 > '(' without a ')'",
        "a:/mnt(pvc) > 2 > a kind stands before the ':'",
        "a(pvc):/a b(pvc):/b > 7 > has a bracket",
        "/a:/b:/c > 3 > put ';' between",
        "data > 0 > has no ':' and path",
        "My_Claim(pvc):/a > 0 > not a name of Kubernetes",
        "a..b(pvc):/a > 0 > not a name of Kubernetes",
        "4Gi(memory):/a > 0 > not a size",
        "0G(memory):/a > 0 > not a size",
        "a(pvc):/a;b(pvc):/a/ > 17 > of 'a(pvc):/a' at character 1",
        "a（pvc）:/a > 0 > write '('",
        "a(pvc):/x /y > 7 > blank beside",
      })
  void aFaultIsNamedAtItsPlaceWithTheRemedy(String text, int offset, String words) {
    TextFinding finding = only(text);
    assertThat(finding.message()).contains(words);
    assertThat(finding.offset()).isEqualTo(offset);
  }

  @Test
  void aCharacterThatCannotBeSeenIsNamedByItsCode() {
    assertThat(only("a(pvc):/a\u0000b").message()).contains("U+0000");
    assertThat(only("/a\u202E(hostpath):/b").message()).contains("U+202E").doesNotContain("\u202E");
    assertThat(only("/a\uD83D(hostpath):/b").message()).contains("U+D83D");
    assertThat(mounts("/\uD83D\uDE00é(hostpath):/b").mounts()).hasSize(1);
  }

  @Test
  void allFaultsAreFoundAtOnce() {
    assertThat(Mounts.read("A(pvc):b; (nfs):/c/..; d(pvc):/d; 1(memory)").findings())
        .extracting(TextFinding::offset)
        .containsExactly(0, 7, 11, 16, 34, 43);
    assertThat(Mounts.read("A(pvc):b; d(pvc):/d").value().text()).isEqualTo("d(pvc):/d");
  }

  @Test
  void aKindThatIsNotAllowedIsRefusedWithTheAllowedOnes() {
    assertThat(Mounts.read("a(secret):/a", Mounts.PROJECT_KINDS).findings())
        .singleElement()
        .extracting(TextFinding::message)
        .isEqualTo(
            "'secret' is not allowed here; allowed kinds are pvc, pvc-share, storage, hostpath,"
                + " memory, configmap");
    assertThat(Mounts.read("/a:/a", Set.of(VolumeKind.PVC)).findings())
        .singleElement()
        .extracting(TextFinding::message)
        .isEqualTo("'/a:/a' has no kind; allowed kinds are pvc");
  }

  @Test
  void aTextBeyondTheLimitsIsRefusedOnce() {
    TextFinding tooLong = only("a(pvc):/" + "a".repeat(Mounts.MOST_CHARACTERS));
    assertThat(tooLong.offset()).isEqualTo(Mounts.MOST_CHARACTERS);
    assertThat(only("a(pvc):/" + "a".repeat(MountSyntax.MOST_PATH)).message()).contains("1,024");
    String most = mountsAt(Mounts.MOST_MOUNTS);
    assertThat(mounts(most).mounts()).hasSize(Mounts.MOST_MOUNTS);
    assertThat(only(most + ";b(pvc):/b;c").offset()).isEqualTo(most.length() + 1);
    String bare = "/a:/" + "b".repeat(1000);
    String nine = IntStream.range(0, 9).mapToObj(i -> bare + i).collect(Collectors.joining(";"));
    String rest = ";/c:/" + "d".repeat(Mounts.MOST_CHARACTERS - nine.length() - 5);
    assertThat(only(nine + rest).message()).contains("with the kind of each mount");
  }

  private static String mountsAt(int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> "a(pvc):/a" + i)
        .collect(Collectors.joining(";"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "'' > kubeflow-user-workspace(pvc):/mnt;kubeflow-archives(pvc):/archives",
        "a(pvc):/a > a(pvc):/a;kubeflow-user-workspace(pvc):/mnt",
        "a(pvc):/mnt/ > a(pvc):/mnt",
        "a(pvc):/data/mnt > a(pvc):/data/mnt",
        "a(pvc):/mnt/a;b(pvc):/archives >"
            + " a(pvc):/mnt/a;b(pvc):/archives;kubeflow-user-workspace(pvc):/mnt",
      })
  void aProjectGetsThePersonalAndTheArchiveDirectory(String text, String effective) {
    Mounts defaults = mounts(text).withProjectDefaults();
    assertThat(defaults.text()).isEqualTo(effective);
    assertThat(defaults.withProjectDefaults()).isEqualTo(defaults);
  }

  @Test
  void theFirstMountOfAPathWinsWhenProjectAndObjectAreMerged() {
    Mounts project = mounts("a(pvc):/a;b(pvc):/b");
    Mounts object = mounts("c(pvc):/c;x(pvc):/b/;d(pvc):/d");
    assertThat(project.and(object).text()).isEqualTo("a(pvc):/a;b(pvc):/b;c(pvc):/c;d(pvc):/d");
  }

  @Test
  void onlyAClaimOfKindPvcIsMountedBelowTheUser() {
    Map<String, String> paths = new LinkedHashMap<>();
    for (VolumeMount mount :
        mounts("a(pvc):/a;b(pvc-share):/b;c(storage):/c;d:/d;2G(memory):/e;f(secret):/f")
            .mounts()) {
      paths.put(mount.kind().word(), mount.mountedAt("ann"));
    }
    assertThat(paths.values()).containsExactly("/a/ann", "/b", "/c", "/d", "/e", "/f");
  }

  @Test
  void theSizeOfMemoryIsInMebibytes() {
    assertThat(mounts("4G(memory):/a").mounts().getFirst().memoryMebibytes()).hasValue(4096);
    assertThat(mounts("9M(memory):/a").mounts().getFirst().memoryMebibytes()).hasValue(9);
    assertThat(mounts("a(pvc):/a").mounts().getFirst().memoryMebibytes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"a, b", "a, /b/", "a, /b;c", "a, '/b,c'", "A, /b", "'', /b"})
  void aMountThatCouldNotBeReadBackCannotBeMade(String source, String path) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VolumeMount(VolumeKind.PVC, source, path));
  }

  @Test
  void findingsBecomeOneRefusalWithPointerAndPlace() {
    assertThatThrownBy(() -> Mounts.read("a(pvc):/a;b(nfs):/b").orThrow("/volume_mount"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e ->
                assertThat(((Problem.Refused) e.problem()).findings())
                    .singleElement()
                    .satisfies(finding -> {
                      assertThat(finding.pointer()).isEqualTo("/volume_mount");
                      assertThat(finding.message()).startsWith("at character 13: 'nfs'");
                    }));
  }

  @Test
  void readingTheTextOfMountsGivesEqualMounts() {
    RandomText random = new RandomText(10_1);
    int right = 0;
    for (int i = 0; i < 5_000; i++) {
      Map<String, VolumeMount> byPath = new LinkedHashMap<>();
      for (int n = random.below(6); n > 0; n--) {
        VolumeKind kind = random.of(List.of(VolumeKind.values()));
        String source =
            switch (kind) {
              case MEMORY -> 1 + random.below(99) + random.of(List.of("G", "M"));
              case HOSTPATH -> "/" + random.of(List.of("a", "data/b.c", "x y/é", "_-"));
              case PVC, PVC_SHARE, STORAGE, CONFIGMAP, SECRET ->
                  random.of(List.of("a", "a-b", "a.b-c", "0"));
            };
        String path = "/" + random.of(List.of("a", "mnt", "a/b", "d-e.f_g", "x y", "a=b|c"));
        byPath.put(path, new VolumeMount(kind, source, path));
      }
      Mounts mounts = new Mounts(List.copyOf(byPath.values()));
      assertThat(mounts(mounts.text())).isEqualTo(mounts);
      Parsed<Mounts> slip = Mounts.read(random.slip(mounts.text()));
      if (slip.findings().isEmpty()) {
        right++;
        assertThat(mounts(slip.value().text())).isEqualTo(slip.value());
      }
    }
    assertThat(right).as("slips that are mounts again").isBetween(250, 4_750);
  }

  @Test
  void anyTextIsReadAndEveryPlaceLiesInIt() {
    RandomText random = new RandomText(10_2);
    for (int i = 0; i < 5_000; i++) {
      String text = random.garbage();
      Parsed<Mounts> read = Mounts.read(text);
      RandomText.assertPlaced(read, text);
      assertThat(mounts(read.value().text())).isEqualTo(read.value());
    }
  }
}
