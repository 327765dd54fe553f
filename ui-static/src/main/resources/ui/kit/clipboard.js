import { toast } from "../shell/toasts.js";

/** Copies a text and says so. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    // Without TLS, away from loopback, browsers have no clipboard; the old way still works.
    const area = Object.assign(document.createElement("textarea"), { value: text });
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    toast(done ? `${what} copied` : "This browser does not let the page copy.", done ? "good" : "bad");
  }
}
