package io.orrery.cli.nni;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Implements {@code nnictl hello}: a small experiment to begin with. */
@Command(name = "hello", description = "Write a small experiment into the folder nni_hello_hpo.")
final class Hello implements Callable<Integer> {
  private static final String FOLDER = "nni_hello_hpo";

  /** Each is complete; a search that is over in seconds and whose answer can be checked by eye. */
  private static final Map<String, String> FILES =
      Map.of(
          "main.py",
          """
          import nni

          params = nni.get_next_parameter()
          x, y = params["x"], params["y"]
          for step in range(1, 6):
              nni.report_intermediate_result((x - 2) ** 2 + (y + 1) ** 2 + 1 / step)
          nni.report_final_result((x - 2) ** 2 + (y + 1) ** 2)
          """,
          "config.yml",
          """
          experimentName: hello
          trialCommand: python3 main.py
          trialCodeDirectory: .
          trialConcurrency: 2
          maxTrialNumber: 20
          searchSpace:
            x: {_type: uniform, _value: [-5, 5]}
            y: {_type: uniform, _value: [-5, 5]}
          tuner:
            name: TPE
            classArgs: {optimize_mode: minimize}
          trainingService:
            platform: local
          """);

  private final Session session;
  private final Said said;

  Hello(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Override
  public Integer call() {
    Path folder = session.terminal().directory().resolve(FOLDER);
    try {
      Files.createDirectories(folder);
      for (Map.Entry<String, String> file : FILES.entrySet()) {
        Files.writeString(
            folder.resolve(file.getKey()), file.getValue(), StandardOpenOption.CREATE_NEW);
      }
    } catch (FileAlreadyExistsException e) {
      throw CommandFailure.failed(e.getFile() + " is there already");
    } catch (IOException e) {
      throw CommandFailure.failed(FOLDER + " cannot be written: " + FileFault.words(e));
    }
    said.info("A hello experiment is in " + FOLDER + ". Run it:");
    said.line("nnictl create --config " + FOLDER + "/config.yml");
    return 0;
  }
}
