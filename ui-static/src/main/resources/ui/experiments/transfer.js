// Files that go into the server: results of elsewhere, and experiments that were saved.
import { experiments } from "../api.js";
import { addressIn, navigate } from "../shell/router.js";
import { attempt, toast } from "../shell/toasts.js";
import { archiveIn } from "./saved-file.js";

/** Takes the file that was chosen, once: the same one may be chosen again. */
async function chosenFile(input, use) {
  const [file] = input.files;
  input.closest("details")?.removeAttribute("open");
  if (file) {
    await attempt(() => use(file));
    input.value = "";
  }
}

/** Brings the results of a file into an experiment and says how many there are more. */
export const bringResultsIn = (experiment, input) =>
  chosenFile(input, async (file) => {
    const { imported, duplicates, notices } = await experiments.importResults(experiment.id, await file.text());
    toast(`${imported} imported${duplicates > 0 ? `, ${duplicates} known before` : ""}`);
    notices.forEach((notice) => toast(notice));
  });

/** Puts back an experiment that was saved, here or elsewhere, and goes to its page. */
export const restoreFrom = (input) =>
  chosenFile(input, async (file) => {
    const { lines, hasCode } = await archiveIn(file);
    const restored = await experiments.restore(lines);
    toast(`${restored.name || restored.id} restored`);
    if (hasCode) {
      toast(`The code in ${file.name} was not unpacked: orrery experiment load does that.`);
    }
    navigate(addressIn("experiments", restored.id));
  });
