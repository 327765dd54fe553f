package io.orrery.compute.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.azure.BlobContainer;
import io.orrery.compute.azure.BlobReading;
import io.orrery.compute.service.Eventually;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.TrainingServices.Verdict;
import io.orrery.core.experiment.SharedStorageSpec.Blob;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests against a real Azurite. */
@Timeout(120)
class SharedStorageIT {
  private static final AttemptRef ATTEMPT =
      new AttemptRef(new TrialRef(new ExperimentId("digits01"), new TrialId("abcde")), 1);

  @TempDir static Path place;
  @TempDir Path home;
  private static Azurite azurite;

  @BeforeAll
  @Timeout(300)
  static void start() throws Exception {
    azurite = Azurite.start(place);
  }

  @AfterAll
  static void stop() {
    if (azurite != null) {
      azurite.close();
    }
  }

  private SharedStorage storage() {
    return new SharedStorage(home, Azurite.variables(), azurite.cloud(), InstantSource.system());
  }

  private static Blob blob(String container) {
    return new Blob(Azurite.ACCOUNT, "env:STORAGE_KEY", container);
  }

  private static byte[] read(String container, String blob) throws Exception {
    return BlobReading.read(azurite.cloud(), Azurite.ACCOUNT, Azurite.KEY, container, blob);
  }

  private static String text(String container, String blob) throws Exception {
    return new String(read(container, blob), StandardCharsets.UTF_8);
  }

  @Test
  void codeIsPutIntoAContainerOnceAndWholeWhateverItsLength() throws Exception {
    byte[] code = new byte[9_000_001];
    new Random(5).nextBytes(code);
    Path archive = Files.write(home.resolve("code.tar.gz"), code);
    Blob blob = blob("code");

    Map<String, String> variables =
        storage().begin(ATTEMPT, blob, new SharedStorage.Packed("ab12", archive));
    storage().begin(ATTEMPT, blob, new SharedStorage.Packed("ab12", archive));

    assertThat(variables).isEmpty();
    assertThat(read("code", "nni/digits01/code/ab12.tar.gz")).isEqualTo(code);
  }

  @Test
  void whatATrialLeftIsBroughtInTheLayoutOfNni() throws Exception {
    Path left = AttemptLayout.attempt(home, ATTEMPT);
    Files.createDirectories(left.resolve("output/deep er"));
    Files.writeString(left.resolve("stdout"), "said");
    Files.writeString(left.resolve("parameter.cfg"), "{}");
    Files.writeString(left.resolve("output/model"), "weights");
    Files.writeString(left.resolve("output/deep er/empty"), "");
    try (Deliveries deliveries = new Deliveries(home, storage())) {
      deliveries.expect(ATTEMPT, blob("outputs"));
    }

    // Another server goes on where the first one stopped.
    try (Deliveries deliveries = new Deliveries(home, storage())) {
      deliveries.resume(attempt -> attempt.equals(ATTEMPT));
      Eventually.until(
          "the note is gone",
          () -> !Files.exists(home.resolve("experiments/digits01/shared/abcde.1.json")));
    }

    String trial = "nni/digits01/trials/abcde/";
    assertThat(text("outputs", trial + "stdout")).isEqualTo("said");
    assertThat(text("outputs", trial + "parameter.cfg")).isEqualTo("{}");
    assertThat(text("outputs", trial + "nnioutput/model")).isEqualTo("weights");
    assertThat(text("outputs", trial + "nnioutput/deep er/empty")).isEmpty();
  }

  @Test
  void aCheckSaysWhetherTheKeyOpensTheContainerAndMakesNone() {
    Item fresh = storage().check(blob("fresh"));
    assertThat(fresh.verdict()).isEqualTo(Verdict.GOOD);
    assertThat(fresh.found()).endsWith("/fresh will be made");
    new BlobContainer(
            azurite.cloud(), Azurite.ACCOUNT, Azurite.KEY, "fresh", InstantSource.system())
        .create();
    assertThat(storage().check(blob("fresh")).found()).endsWith("/fresh answers");

    Item wrong =
        new SharedStorage(
                home,
                Map.of("STORAGE_KEY", "Z3Vlc3NlZA=="),
                azurite.cloud(),
                InstantSource.system())
            .check(blob("fresh"));

    assertThat(wrong.verdict()).isEqualTo(Verdict.BAD);
    assertThat(wrong.toString()).doesNotContain("Z3Vlc3NlZA");
  }

  @Test
  void aKeyThatIsNoneIsSaidToBeNone() {
    BlobContainer container =
        new BlobContainer(
            azurite.cloud(), Azurite.ACCOUNT, "not base64!", "x", InstantSource.system());

    assertThatThrownBy(container::create)
        .hasMessageContaining("is no account key")
        .hasMessageNotContaining("base64!");
  }
}
