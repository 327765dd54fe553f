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
          verb(
              "orrery", "orrery experiment run experiment.yml", "orrery up --detach", "orrery top"),
          verb(
              "orrery experiment run",
              "orrery experiment run experiment.yml",
              "orrery experiment run e.yml --keep"),
          verb(
              "orrery experiment create",
              "orrery experiment create experiment.yml --dry-run",
              "id=$(orrery experiment create experiment.yml)"),
          verb("orrery experiment simulate", "orrery experiment simulate simulated.yml --runs 20"),
          verb("orrery usage", "orrery usage --project vision --by user"),
          verb("orrery experiment list", "orrery experiment list --limit 10"),
          verb(
              "orrery experiment show",
              "orrery experiment show",
              "orrery experiment show abcd --json"),
          verb("orrery experiment front", "orrery experiment front abcd --limit 20"),
          verb(
              "orrery experiment top",
              "orrery experiment top",
              "orrery experiment top abcd --interval 10"),
          verb(
              "orrery experiment stop",
              "orrery experiment stop abcd",
              "orrery experiment stop abcd --dry-run"),
          verb("orrery experiment pause", "orrery experiment pause abcd"),
          verb("orrery experiment resume", "orrery experiment resume abcd"),
          verb(
              "orrery experiment update",
              "orrery experiment update abcd --concurrency 8 --max-trials 200",
              "orrery experiment update abcd --max-duration 2h",
              "orrery experiment update abcd --max-trials 200 --dry-run"),
          verb("orrery experiment logs", "orrery experiment logs abcd --follow"),
          verb(
              "orrery experiment export",
              "orrery experiment export abcd --format csv --output results.csv"),
          verb(
              "orrery experiment import",
              "orrery experiment import abcd results.json",
              "orrery experiment import abcd results.json --dry-run"),
          verb("orrery experiment convert", "orrery experiment convert v1.yml > v3.yml"),
          verb("orrery experiment save", "orrery experiment save abcd"),
          verb("orrery experiment load", "orrery experiment load nni_experiment_abcdefgh.zip"),
          verb(
              "orrery experiment import-nni",
              "orrery experiment import-nni ~/nni-experiments/abcdefgh"),
          verb(
              "orrery experiment import-optuna",
              "orrery experiment import-optuna study.db --study mnist"),
          verb("orrery import optuna", "orrery import optuna study.db --study mnist"),
          verb(
              "orrery import mlflow",
              "orrery import mlflow mlruns",
              "orrery import mlflow mlruns --experiment digits --project vision"),
          verb(
              "orrery import wandb-export", "orrery import wandb-export wandb --experiment digits"),
          verb("orrery export optuna", "orrery export optuna abcd --output study.db"),
          verb("orrery export mlflow", "orrery export mlflow abcd --output mlruns"),
          verb("orrery export wandb", "orrery export wandb abcd --output wandb"),
          verb("orrery experiment delete", "orrery experiment delete abcdefgh"),
          verb(
              "orrery trial add",
              "orrery trial add abcd --param lr=0.01 --param activation=relu",
              "orrery trial add abcd --file parameters.json --dry-run"),
          verb(
              "orrery trial list",
              "orrery trial list --status FAILED",
              "orrery trial list abcd --sort -metric --limit 10"),
          verb("orrery trial show", "orrery trial show abcd/xyz"),
          verb(
              "orrery trial logs",
              "orrery trial logs abcd/xyz --stderr",
              "orrery trial logs xyz --follow"),
          verb("orrery trial metrics", "orrery trial metrics abcd/xyz --key loss --json"),
          verb("orrery trial kill", "orrery trial kill abcd/xyz"),
          verb(
              "orrery trial retry",
              "orrery trial retry abcd/xyz",
              "orrery trial retry abcd/xyz --dry-run"),
          verb("orrery tuner list", "orrery tuner list"),
          verb("orrery tuner check", "orrery tuner check TPE space.json"),
          verb("orrery platform list", "orrery platform list"),
          verb("orrery platform check", "orrery platform check experiment.yml"),
          verb("orrery platform machines", "orrery platform machines abcd"),
          verb(
              "orrery token create",
              "TOKEN=$(orrery token create ci)",
              "orrery token create wall --role viewer"),
          verb("orrery token list", "orrery token list"),
          verb("orrery token revoke", "orrery token revoke ci"),
          verb("orrery login", "orrery login --user ann https://orrery.example.com"),
          verb("orrery logout", "orrery logout"),
          verb("orrery whoami", "orrery whoami"),
          verb("orrery user list", "orrery user list --active=false"),
          verb("orrery user add", "orrery user add bob --display-name 'Bob' --role user"),
          verb("orrery user change", "orrery user change bob --role viewer"),
          verb("orrery user disable", "orrery user disable bob"),
          verb("orrery user enable", "orrery user enable bob"),
          verb("orrery user password", "orrery user password bob"),
          verb("orrery project list", "orrery project list --role creator"),
          verb("orrery project create", "orrery project create vision --title 'Vision'"),
          verb("orrery project show", "orrery project show vision"),
          verb(
              "orrery project check",
              "orrery project check vision",
              "orrery project check vision --settings settings.yml"),
          verb("orrery project delete", "orrery project delete vision"),
          verb(
              "orrery project members",
              "orrery project members vision",
              "orrery project members vision --add bob --role ops"),
          verb("orrery project usage", "orrery project usage vision"),
          verb(
              "orrery project secret",
              "orrery project secret vision",
              "orrery project secret vision hub --set < password.txt",
              "orrery project secret vision hub --delete"),
          verb("orrery project join", "orrery project join vision --message 'Hello'"),
          verb(
              "orrery apply",
              "orrery apply -f hello.yml",
              "orrery apply -f services/ --dry-run",
              "orrery apply -f services/ --project vision --prune"),
          verb(
              "orrery get",
              "orrery get services",
              "orrery get models -o wide",
              "orrery get service hello -o yaml",
              "orrery get services --watch"),
          verb("orrery explain", "orrery explain service", "orrery explain service.rollout.gates"),
          verb("orrery describe", "orrery describe service hello"),
          verb("orrery delete", "orrery delete service hello"),
          verb(
              "orrery registry add",
              "orrery registry add hub hub.example.com/vision --user robot",
              "orrery registry add hub hub.example.com --user robot"
                  + " --password-from hub --project vision"),
          verb("orrery registry list", "orrery registry list --project vision"),
          verb("orrery registry check", "orrery registry check hub"),
          verb("orrery registry delete", "orrery registry delete hub"),
          verb("orrery build start", "orrery build start tool --follow"),
          verb("orrery build logs", "orrery build logs tool --follow"),
          verb("orrery build cancel", "orrery build cancel tool"),
          verb("orrery build list", "orrery build list --project vision"),
          verb(
              "orrery image add",
              "orrery image add hub.example.com/vision/tool:1 --project vision"),
          verb("orrery image list", "orrery image list --project vision"),
          verb(
              "orrery image check",
              "orrery image check",
              "orrery image check hub.example.com/vision/tool:1"),
          verb("orrery image delete", "orrery image delete hub.example.com/vision/tool:1"),
          verb("orrery domain list", "orrery domain list --json"),
          verb("orrery domain show", "orrery domain show www.service.orrery.localhost"),
          verb("orrery domain shadows", "orrery domain shadows www.service.orrery.localhost"),
          verb(
              "orrery domain split",
              "orrery domain split www.service.orrery.localhost digits-1:80 digits-2:20"),
          verb("orrery domain promote", "orrery domain promote www.service.orrery.localhost"),
          verb("orrery domain abort", "orrery domain abort www.service.orrery.localhost"),
          verb("orrery domain pause", "orrery domain pause www.service.orrery.localhost"),
          verb("orrery domain resume", "orrery domain resume www.service.orrery.localhost"),
          verb(
              "orrery notebook create",
              "orrery notebook create",
              "orrery notebook create ann-1 --ide jupyter --share bob --idle 8h"),
          verb("orrery notebook list", "orrery notebook list --project vision"),
          verb("orrery notebook show", "orrery notebook show ann-1"),
          verb(
              "orrery notebook open",
              "orrery notebook open",
              "orrery notebook open ann-1 --no-browser",
              "orrery notebook open --from-run 7f3a/train",
              "orrery notebook open --from-experiment digits01/abcde",
              "orrery notebook open --from-model digits@production"),
          verb(
              "orrery notebook ssh",
              "orrery notebook ssh ann-1",
              "orrery notebook ssh ann-1 -- nvidia-smi"),
          verb("orrery notebook start", "orrery notebook start ann-1"),
          verb("orrery notebook stop", "orrery notebook stop ann-1"),
          verb("orrery notebook reset", "orrery notebook reset ann-1"),
          verb("orrery notebook renew", "orrery notebook renew ann-1"),
          verb("orrery notebook logs", "orrery notebook logs ann-1 --follow"),
          verb("orrery files ls", "orrery files ls", "orrery files ls /mnt/ann/data"),
          verb(
              "orrery files get",
              "orrery files get results",
              "orrery files get notes.txt - | less"),
          verb("orrery files put", "orrery files put train.py", "orrery files put images data/"),
          verb("orrery files mkdir", "orrery files mkdir data/raw"),
          verb("orrery files mv", "orrery files mv a.txt old/a.txt"),
          verb("orrery files rm", "orrery files rm -r data/raw"),
          verb("orrery notebook delete", "orrery notebook delete ann-1"),
          verb("orrery service list", "orrery service list --project vision"),
          verb("orrery service show", "orrery service show hello"),
          verb("orrery service deploy", "orrery service deploy hello --stage test"),
          verb("orrery service clear", "orrery service clear hello --stage test"),
          verb("orrery service restart", "orrery service restart hello"),
          verb(
              "orrery service shell",
              "orrery service shell hello",
              "echo ls | orrery service shell hello"),
          verb("orrery service scale", "orrery service scale hello --replicas 3"),
          verb("orrery service rollback", "orrery service rollback hello"),
          verb("orrery service promote", "orrery service promote hello"),
          verb("orrery service abort", "orrery service abort hello"),
          verb("orrery service pause", "orrery service pause hello"),
          verb("orrery service resume", "orrery service resume hello"),
          verb("orrery service logs", "orrery service logs hello --follow"),
          verb("orrery service shadows", "orrery service shadows hello"),
          verb("orrery service delete", "orrery service delete hello"),
          verb(
              "orrery model register",
              "orrery model register digits ./model --alias production",
              "orrery model register digits --from-experiment abcd",
              "orrery model register digits --from-run 7f3a/train/model"),
          verb("orrery model list", "orrery model list --project vision"),
          verb("orrery model show", "orrery model show digits"),
          verb(
              "orrery model deploy",
              "orrery model deploy digits@production --service service.yml",
              "orrery model deploy digits@production"),
          verb("orrery model alias", "orrery model alias digits production 3"),
          verb("orrery model delete", "orrery model delete digits --version 1"),
          verb(
              "orrery pipeline run",
              "orrery pipeline run examples/pipelines/digits.yml --watch",
              "orrery pipeline run digits --param epochs=5"),
          verb("orrery pipeline check", "orrery pipeline check digits.yml"),
          verb("orrery pipeline list", "orrery pipeline list --project vision"),
          verb("orrery pipeline show", "orrery pipeline show digits"),
          verb("orrery pipeline advice", "orrery pipeline advice digits"),
          verb("orrery pipeline versions", "orrery pipeline versions digits"),
          verb("orrery run list", "orrery run list --pipeline digits"),
          verb("orrery run show", "orrery run show r4k2m8p1qx"),
          verb("orrery run logs", "orrery run logs r4k2m8p1qx train-1 --follow"),
          verb(
              "orrery run artifacts",
              "orrery run artifacts r4k2m8p1qx",
              "orrery run artifacts r4k2m8p1qx prepare data > data.tar"),
          verb("orrery run stop", "orrery run stop r4k2m8p1qx"),
          verb("orrery run pause", "orrery run pause r4k2m8p1qx"),
          verb("orrery run resume", "orrery run resume r4k2m8p1qx"),
          verb(
              "orrery run retry",
              "orrery run retry r4k2m8p1qx",
              "orrery run retry r4k2m8p1qx --step train",
              "orrery run retry r4k2m8p1qx --dry-run"),
          verb(
              "orrery run approve",
              "orrery run approve r4k2m8p1qx release --why 'accuracy is better'"),
          verb(
              "orrery run refuse",
              "orrery run refuse r4k2m8p1qx release --why 'errors of class 3'"),
          verb(
              "orrery pipeline export",
              "orrery pipeline export digits > digits.yml",
              "orrery pipeline export digits --argo --image registry.example.com/team/app:1"),
          verb("orrery run compare", "orrery run compare r4k2m8p1qx r7h3n5c2dw"),
          verb("orrery run delete", "orrery run delete r4k2m8p1qx"),
          verb(
              "orrery task run",
              "orrery task run digits train --param epochs=1",
              "orrery task run digits train --from r4k2m8p1qx",
              "orrery task run digits train --dry-run"),
          verb("orrery task debug", "orrery task debug digits train"),
          verb("orrery task log", "orrery task log digits train --follow"),
          verb(
              "orrery task clear",
              "orrery task clear digits train",
              "orrery task clear digits train --dry-run"),
          verb("orrery run watch", "orrery run watch r4k2m8p1qx"),
          verb("orrery schedule show", "orrery schedule show digits"),
          verb(
              "orrery schedule set",
              "orrery schedule set digits --cron '0 3 * * 1-5' --time-zone Europe/Berlin",
              "orrery schedule set digits --depends-on-past --missed latest"),
          verb("orrery schedule remove", "orrery schedule remove digits"),
          verb("orrery schedule pause", "orrery schedule pause digits"),
          verb("orrery schedule resume", "orrery schedule resume digits"),
          verb(
              "orrery schedule preview",
              "orrery schedule preview digits --from 2026-12-01T00:00:00Z --limit 5"),
          verb(
              "orrery schedule backfill",
              "orrery schedule backfill digits --from 2026-11-01T00:00:00Z"
                  + " --to 2026-11-08T00:00:00Z --dry-run"),
          verb("orrery schedule due", "orrery schedule due digits --status comed"),
          verb("orrery schedule skip", "orrery schedule skip digits-20261125t030000z"),
          verb("orrery schedule again", "orrery schedule again digits-20261125t030000z"),
          verb("orrery template list", "orrery template list"),
          verb("orrery template show", "orrery template show python"),
          verb("orrery template check", "orrery template check python --arg code='print(1)'"),
          verb("orrery retention list", "orrery retention list"),
          verb(
              "orrery retention preview",
              "orrery retention preview",
              "orrery retention preview runs --days 30"),
          verb(
              "orrery retention set",
              "orrery retention set runs 100",
              "orrery retention set runs never",
              "orrery retention set runs 30 --dry-run"),
          verb("orrery retention run", "orrery retention run"),
          verb("orrery audit", "orrery audit --user bob --limit 20"),
          verb(
              "orrery up",
              "orrery up",
              "orrery up --detach --port 9000",
              "orrery up --home /srv/orrery"),
          verb("orrery down", "orrery down"),
          verb("orrery doctor", "orrery doctor", "orrery doctor --bundle support.zip"),
          verb(
              "orrery backup",
              "orrery backup home.zip",
              "orrery backup home.zip --key ~/orrery-keys"),
          verb(
              "orrery restore",
              "orrery restore home.zip --home /srv/orrery",
              "orrery restore home.zip --check"),
          verb("orrery status", "orrery status && echo ready", "orrery status --checks"),
          verb("orrery top", "orrery top --interval 5"),
          verb("orrery route", "orrery route --config router.yml"),
          verb("orrery completion", "source <(orrery completion bash)"),
          verb("orrery man", "orrery man ~/.local/share/man/man1"),
          verb("orrery schema experiment", "orrery schema experiment > experiment.schema.json"),
          verb("orrery schema document", "orrery schema document service > service.schema.json"),
          verb("orrery version", "orrery version"));

  private static Map.Entry<String, List<String>> verb(String name, String... lines) {
    return Map.entry(name, List.of(lines));
  }

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
