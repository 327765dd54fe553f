package io.orrery.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The examples at the end of each {@code --help}. */
final class Examples {
  private static final Map<String, List<String>> OF =
      Map.ofEntries(
          Map.entry(
              "orrery",
              List.of("orrery experiment run experiment.yml", "orrery up --detach", "orrery top")),
          Map.entry(
              "orrery experiment run",
              List.of(
                  "orrery experiment run experiment.yml", "orrery experiment run e.yml --keep")),
          Map.entry(
              "orrery experiment create",
              List.of(
                  "orrery experiment create experiment.yml --dry-run",
                  "id=$(orrery experiment create experiment.yml)")),
          Map.entry(
              "orrery experiment simulate",
              List.of("orrery experiment simulate simulated.yml --runs 20")),
          Map.entry("orrery usage", List.of("orrery usage --project vision --by user")),
          Map.entry("orrery experiment list", List.of("orrery experiment list --limit 10")),
          Map.entry(
              "orrery experiment show",
              List.of("orrery experiment show", "orrery experiment show abcd --json")),
          Map.entry("orrery experiment front", List.of("orrery experiment front abcd --limit 20")),
          Map.entry(
              "orrery experiment top",
              List.of("orrery experiment top", "orrery experiment top abcd --interval 10")),
          Map.entry(
              "orrery experiment stop",
              List.of("orrery experiment stop abcd", "orrery experiment stop abcd --dry-run")),
          Map.entry("orrery experiment pause", List.of("orrery experiment pause abcd")),
          Map.entry("orrery experiment resume", List.of("orrery experiment resume abcd")),
          Map.entry(
              "orrery experiment update",
              List.of(
                  "orrery experiment update abcd --concurrency 8 --max-trials 200",
                  "orrery experiment update abcd --max-duration 2h",
                  "orrery experiment update abcd --max-trials 200 --dry-run")),
          Map.entry("orrery experiment logs", List.of("orrery experiment logs abcd --follow")),
          Map.entry(
              "orrery experiment export",
              List.of("orrery experiment export abcd --format csv --output results.csv")),
          Map.entry(
              "orrery experiment import",
              List.of(
                  "orrery experiment import abcd results.json",
                  "orrery experiment import abcd results.json --dry-run")),
          Map.entry(
              "orrery experiment convert", List.of("orrery experiment convert v1.yml > v3.yml")),
          Map.entry("orrery experiment save", List.of("orrery experiment save abcd")),
          Map.entry(
              "orrery experiment load",
              List.of("orrery experiment load nni_experiment_abcdefgh.zip")),
          Map.entry(
              "orrery experiment import-nni",
              List.of("orrery experiment import-nni ~/nni-experiments/abcdefgh")),
          Map.entry(
              "orrery experiment import-optuna",
              List.of("orrery experiment import-optuna study.db --study mnist")),
          Map.entry("orrery import optuna", List.of("orrery import optuna study.db --study mnist")),
          Map.entry(
              "orrery import mlflow",
              List.of(
                  "orrery import mlflow mlruns",
                  "orrery import mlflow mlruns --experiment digits --project vision")),
          Map.entry(
              "orrery import wandb-export",
              List.of("orrery import wandb-export wandb --experiment digits")),
          Map.entry("orrery export optuna", List.of("orrery export optuna abcd --output study.db")),
          Map.entry("orrery export mlflow", List.of("orrery export mlflow abcd --output mlruns")),
          Map.entry("orrery export wandb", List.of("orrery export wandb abcd --output wandb")),
          Map.entry("orrery experiment delete", List.of("orrery experiment delete abcdefgh")),
          Map.entry(
              "orrery trial add",
              List.of(
                  "orrery trial add abcd --param lr=0.01 --param activation=relu",
                  "orrery trial add abcd --file parameters.json --dry-run")),
          Map.entry(
              "orrery trial list",
              List.of(
                  "orrery trial list --status FAILED",
                  "orrery trial list abcd --sort -metric --limit 10")),
          Map.entry("orrery trial show", List.of("orrery trial show abcd/xyz")),
          Map.entry(
              "orrery trial logs",
              List.of("orrery trial logs abcd/xyz --stderr", "orrery trial logs xyz --follow")),
          Map.entry(
              "orrery trial metrics", List.of("orrery trial metrics abcd/xyz --key loss --json")),
          Map.entry("orrery trial kill", List.of("orrery trial kill abcd/xyz")),
          Map.entry(
              "orrery trial retry",
              List.of("orrery trial retry abcd/xyz", "orrery trial retry abcd/xyz --dry-run")),
          Map.entry("orrery tuner list", List.of("orrery tuner list")),
          Map.entry("orrery tuner check", List.of("orrery tuner check TPE space.json")),
          Map.entry("orrery platform list", List.of("orrery platform list")),
          Map.entry("orrery platform check", List.of("orrery platform check experiment.yml")),
          Map.entry("orrery platform machines", List.of("orrery platform machines abcd")),
          Map.entry(
              "orrery token create",
              List.of("TOKEN=$(orrery token create ci)", "orrery token create wall --role viewer")),
          Map.entry("orrery token list", List.of("orrery token list")),
          Map.entry("orrery token revoke", List.of("orrery token revoke ci")),
          Map.entry("orrery login", List.of("orrery login --user ann https://orrery.example.com")),
          Map.entry("orrery logout", List.of("orrery logout")),
          Map.entry("orrery whoami", List.of("orrery whoami")),
          Map.entry("orrery user list", List.of("orrery user list --active=false")),
          Map.entry(
              "orrery user add", List.of("orrery user add bob --display-name 'Bob' --role user")),
          Map.entry("orrery user change", List.of("orrery user change bob --role viewer")),
          Map.entry("orrery user disable", List.of("orrery user disable bob")),
          Map.entry("orrery user enable", List.of("orrery user enable bob")),
          Map.entry("orrery user password", List.of("orrery user password bob")),
          Map.entry("orrery project list", List.of("orrery project list --role creator")),
          Map.entry(
              "orrery project create", List.of("orrery project create vision --title 'Vision'")),
          Map.entry("orrery project show", List.of("orrery project show vision")),
          Map.entry(
              "orrery project check",
              List.of(
                  "orrery project check vision",
                  "orrery project check vision --settings settings.yml")),
          Map.entry("orrery project delete", List.of("orrery project delete vision")),
          Map.entry(
              "orrery project members",
              List.of(
                  "orrery project members vision",
                  "orrery project members vision --add bob --role ops")),
          Map.entry("orrery project usage", List.of("orrery project usage vision")),
          Map.entry(
              "orrery project secret",
              List.of(
                  "orrery project secret vision",
                  "orrery project secret vision hub --set < password.txt",
                  "orrery project secret vision hub --delete")),
          Map.entry("orrery project join", List.of("orrery project join vision --message 'Hello'")),
          Map.entry(
              "orrery apply",
              List.of(
                  "orrery apply -f hello.yml",
                  "orrery apply -f services/ --dry-run",
                  "orrery apply -f services/ --project vision --prune")),
          Map.entry(
              "orrery get",
              List.of(
                  "orrery get services",
                  "orrery get models -o wide",
                  "orrery get service hello -o yaml",
                  "orrery get services --watch")),
          Map.entry(
              "orrery explain",
              List.of("orrery explain service", "orrery explain service.rollout.gates")),
          Map.entry("orrery describe", List.of("orrery describe service hello")),
          Map.entry("orrery delete", List.of("orrery delete service hello")),
          Map.entry(
              "orrery registry add",
              List.of(
                  "orrery registry add hub hub.example.com/vision --user robot",
                  "orrery registry add hub hub.example.com --user robot"
                      + " --password-from hub --project vision")),
          Map.entry("orrery registry list", List.of("orrery registry list --project vision")),
          Map.entry("orrery registry check", List.of("orrery registry check hub")),
          Map.entry("orrery registry delete", List.of("orrery registry delete hub")),
          Map.entry("orrery build start", List.of("orrery build start tool --follow")),
          Map.entry("orrery build logs", List.of("orrery build logs tool --follow")),
          Map.entry("orrery build cancel", List.of("orrery build cancel tool")),
          Map.entry("orrery build list", List.of("orrery build list --project vision")),
          Map.entry(
              "orrery image add",
              List.of("orrery image add hub.example.com/vision/tool:1 --project vision")),
          Map.entry("orrery image list", List.of("orrery image list --project vision")),
          Map.entry(
              "orrery image check",
              List.of("orrery image check", "orrery image check hub.example.com/vision/tool:1")),
          Map.entry(
              "orrery image delete", List.of("orrery image delete hub.example.com/vision/tool:1")),
          Map.entry("orrery domain list", List.of("orrery domain list --json")),
          Map.entry(
              "orrery domain show", List.of("orrery domain show www.service.orrery.localhost")),
          Map.entry(
              "orrery domain shadows",
              List.of("orrery domain shadows www.service.orrery.localhost")),
          Map.entry(
              "orrery domain split",
              List.of("orrery domain split www.service.orrery.localhost digits-1:80 digits-2:20")),
          Map.entry(
              "orrery domain promote",
              List.of("orrery domain promote www.service.orrery.localhost")),
          Map.entry(
              "orrery domain abort", List.of("orrery domain abort www.service.orrery.localhost")),
          Map.entry(
              "orrery domain pause", List.of("orrery domain pause www.service.orrery.localhost")),
          Map.entry(
              "orrery domain resume", List.of("orrery domain resume www.service.orrery.localhost")),
          Map.entry(
              "orrery notebook create",
              List.of(
                  "orrery notebook create",
                  "orrery notebook create ann-1 --ide jupyter --share bob --idle 8h")),
          Map.entry("orrery notebook list", List.of("orrery notebook list --project vision")),
          Map.entry("orrery notebook show", List.of("orrery notebook show ann-1")),
          Map.entry(
              "orrery notebook open",
              List.of(
                  "orrery notebook open",
                  "orrery notebook open ann-1 --no-browser",
                  "orrery notebook open --from-run 7f3a/train",
                  "orrery notebook open --from-experiment digits01/abcde",
                  "orrery notebook open --from-model digits@production")),
          Map.entry(
              "orrery notebook ssh",
              List.of("orrery notebook ssh ann-1", "orrery notebook ssh ann-1 -- nvidia-smi")),
          Map.entry("orrery notebook start", List.of("orrery notebook start ann-1")),
          Map.entry("orrery notebook stop", List.of("orrery notebook stop ann-1")),
          Map.entry("orrery notebook reset", List.of("orrery notebook reset ann-1")),
          Map.entry("orrery notebook renew", List.of("orrery notebook renew ann-1")),
          Map.entry("orrery notebook logs", List.of("orrery notebook logs ann-1 --follow")),
          Map.entry("orrery files ls", List.of("orrery files ls", "orrery files ls /mnt/ann/data")),
          Map.entry(
              "orrery files get",
              List.of("orrery files get results", "orrery files get notes.txt - | less")),
          Map.entry(
              "orrery files put",
              List.of("orrery files put train.py", "orrery files put images data/")),
          Map.entry("orrery files mkdir", List.of("orrery files mkdir data/raw")),
          Map.entry("orrery files mv", List.of("orrery files mv a.txt old/a.txt")),
          Map.entry("orrery files rm", List.of("orrery files rm -r data/raw")),
          Map.entry("orrery notebook delete", List.of("orrery notebook delete ann-1")),
          Map.entry("orrery service list", List.of("orrery service list --project vision")),
          Map.entry("orrery service show", List.of("orrery service show hello")),
          Map.entry("orrery service deploy", List.of("orrery service deploy hello --stage test")),
          Map.entry("orrery service clear", List.of("orrery service clear hello --stage test")),
          Map.entry("orrery service restart", List.of("orrery service restart hello")),
          Map.entry(
              "orrery service shell",
              List.of("orrery service shell hello", "echo ls | orrery service shell hello")),
          Map.entry("orrery service scale", List.of("orrery service scale hello --replicas 3")),
          Map.entry("orrery service rollback", List.of("orrery service rollback hello")),
          Map.entry("orrery service logs", List.of("orrery service logs hello --follow")),
          Map.entry("orrery service shadows", List.of("orrery service shadows hello")),
          Map.entry("orrery service delete", List.of("orrery service delete hello")),
          Map.entry(
              "orrery model register",
              List.of(
                  "orrery model register digits ./model --alias production",
                  "orrery model register digits --from-experiment abcd",
                  "orrery model register digits --from-run 7f3a/train/model")),
          Map.entry("orrery model list", List.of("orrery model list --project vision")),
          Map.entry("orrery model show", List.of("orrery model show digits")),
          Map.entry(
              "orrery model deploy",
              List.of(
                  "orrery model deploy digits@production --service service.yml",
                  "orrery model deploy digits@production")),
          Map.entry("orrery model alias", List.of("orrery model alias digits production 3")),
          Map.entry("orrery model delete", List.of("orrery model delete digits --version 1")),
          Map.entry(
              "orrery pipeline run",
              List.of(
                  "orrery pipeline run examples/pipelines/digits.yml --watch",
                  "orrery pipeline run digits --param epochs=5")),
          Map.entry("orrery pipeline check", List.of("orrery pipeline check digits.yml")),
          Map.entry("orrery pipeline list", List.of("orrery pipeline list --project vision")),
          Map.entry("orrery pipeline show", List.of("orrery pipeline show digits")),
          Map.entry("orrery pipeline advice", List.of("orrery pipeline advice digits")),
          Map.entry("orrery pipeline versions", List.of("orrery pipeline versions digits")),
          Map.entry("orrery run list", List.of("orrery run list --pipeline digits")),
          Map.entry("orrery run show", List.of("orrery run show r4k2m8p1qx")),
          Map.entry("orrery run logs", List.of("orrery run logs r4k2m8p1qx train-1 --follow")),
          Map.entry(
              "orrery run artifacts",
              List.of(
                  "orrery run artifacts r4k2m8p1qx",
                  "orrery run artifacts r4k2m8p1qx prepare data > data.tar")),
          Map.entry("orrery run stop", List.of("orrery run stop r4k2m8p1qx")),
          Map.entry("orrery run pause", List.of("orrery run pause r4k2m8p1qx")),
          Map.entry("orrery run resume", List.of("orrery run resume r4k2m8p1qx")),
          Map.entry(
              "orrery run retry",
              List.of(
                  "orrery run retry r4k2m8p1qx",
                  "orrery run retry r4k2m8p1qx --step train",
                  "orrery run retry r4k2m8p1qx --dry-run")),
          Map.entry(
              "orrery run approve",
              List.of("orrery run approve r4k2m8p1qx release --why 'accuracy is better'")),
          Map.entry(
              "orrery run refuse",
              List.of("orrery run refuse r4k2m8p1qx release --why 'errors of class 3'")),
          Map.entry(
              "orrery pipeline export",
              List.of(
                  "orrery pipeline export digits > digits.yml",
                  "orrery pipeline export digits --argo --image registry.example.com/team/app:1")),
          Map.entry("orrery run compare", List.of("orrery run compare r4k2m8p1qx r7h3n5c2dw")),
          Map.entry("orrery run delete", List.of("orrery run delete r4k2m8p1qx")),
          Map.entry(
              "orrery task run",
              List.of(
                  "orrery task run digits train --param epochs=1",
                  "orrery task run digits train --from r4k2m8p1qx",
                  "orrery task run digits train --dry-run")),
          Map.entry("orrery task debug", List.of("orrery task debug digits train")),
          Map.entry("orrery task log", List.of("orrery task log digits train --follow")),
          Map.entry(
              "orrery task clear",
              List.of(
                  "orrery task clear digits train", "orrery task clear digits train --dry-run")),
          Map.entry("orrery run watch", List.of("orrery run watch r4k2m8p1qx")),
          Map.entry("orrery schedule show", List.of("orrery schedule show digits")),
          Map.entry(
              "orrery schedule set",
              List.of(
                  "orrery schedule set digits --cron '0 3 * * 1-5' --time-zone Europe/Berlin",
                  "orrery schedule set digits --depends-on-past --missed latest")),
          Map.entry("orrery schedule remove", List.of("orrery schedule remove digits")),
          Map.entry("orrery schedule pause", List.of("orrery schedule pause digits")),
          Map.entry("orrery schedule resume", List.of("orrery schedule resume digits")),
          Map.entry(
              "orrery schedule preview",
              List.of("orrery schedule preview digits --from 2026-12-01T00:00:00Z --limit 5")),
          Map.entry(
              "orrery schedule backfill",
              List.of(
                  "orrery schedule backfill digits --from 2026-11-01T00:00:00Z"
                      + " --to 2026-11-08T00:00:00Z --dry-run")),
          Map.entry("orrery schedule due", List.of("orrery schedule due digits --status comed")),
          Map.entry(
              "orrery schedule skip", List.of("orrery schedule skip digits-20261125t030000z")),
          Map.entry(
              "orrery schedule again", List.of("orrery schedule again digits-20261125t030000z")),
          Map.entry("orrery template list", List.of("orrery template list")),
          Map.entry("orrery template show", List.of("orrery template show python")),
          Map.entry(
              "orrery template check",
              List.of("orrery template check python --arg code='print(1)'")),
          Map.entry("orrery retention list", List.of("orrery retention list")),
          Map.entry(
              "orrery retention preview",
              List.of("orrery retention preview", "orrery retention preview runs --days 30")),
          Map.entry(
              "orrery retention set",
              List.of(
                  "orrery retention set runs 100",
                  "orrery retention set runs never",
                  "orrery retention set runs 30 --dry-run")),
          Map.entry("orrery retention run", List.of("orrery retention run")),
          Map.entry("orrery audit", List.of("orrery audit --user bob --limit 20")),
          Map.entry(
              "orrery up",
              List.of(
                  "orrery up", "orrery up --detach --port 9000", "orrery up --home /srv/orrery")),
          Map.entry("orrery down", List.of("orrery down")),
          Map.entry(
              "orrery doctor", List.of("orrery doctor", "orrery doctor --bundle support.zip")),
          Map.entry(
              "orrery backup",
              List.of("orrery backup home.zip", "orrery backup home.zip --key ~/orrery-keys")),
          Map.entry(
              "orrery restore",
              List.of(
                  "orrery restore home.zip --home /srv/orrery", "orrery restore home.zip --check")),
          Map.entry(
              "orrery status", List.of("orrery status && echo ready", "orrery status --checks")),
          Map.entry("orrery top", List.of("orrery top --interval 5")),
          Map.entry("orrery route", List.of("orrery route --config router.yml")),
          Map.entry("orrery completion", List.of("source <(orrery completion bash)")),
          Map.entry("orrery man", List.of("orrery man ~/.local/share/man/man1")),
          Map.entry(
              "orrery schema experiment",
              List.of("orrery schema experiment > experiment.schema.json")),
          Map.entry(
              "orrery schema document",
              List.of("orrery schema document service > service.schema.json")),
          Map.entry("orrery version", List.of("orrery version")));

  private Examples() {}

  /** Puts them below the help of a command and of all below it. */
  static void addTo(CommandLine command) {
    List<String> examples = OF.get(command.getCommandSpec().qualifiedName());
    if (examples != null) {
      UsageMessageSpec usage = command.getCommandSpec().usageMessage();
      List<String> footer = new ArrayList<>(List.of(usage.footer()));
      footer.add("");
      footer.add(examples.size() == 1 ? "Example:" : "Examples:");
      examples.forEach(example -> footer.add("  " + example.replace("%", "%%")));
      usage.footer(footer.toArray(String[]::new));
    }
    command.getSubcommands().values().stream().distinct().forEach(Examples::addTo);
  }
}
