// One file: an image, or a text that can be changed, which may be a table or a notebook besides.
import { html, nothing } from "lit";
import { files } from "../api/files.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { setQuery } from "../shell/router.js";
import { attempt, toast } from "../shell/toasts.js";
import { preview } from "./preview.js";

const MOST_TEXT = 1 << 20;
const MOST_IMAGE = 20 << 20;
const IMAGES = { png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp", svg: "image/svg+xml" };

class FileView extends Piece {
  static properties = { place: {}, path: {}, content: { state: true }, failure: { state: true }, busy: { state: true } };

  constructor() {
    super();
    /** {text, tag}, {image} or {other}; null before it is there. */
    this.content = null;
    this.failure = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.keep(() => this.forget());
  }

  willUpdate(changed) {
    if (changed.has("path") || changed.has("place")) {
      this.load();
    }
  }

  forget() {
    if (this.content?.image) {
      URL.revokeObjectURL(this.content.image);
    }
    this.content = null;
    this.failure = null;
  }

  async load() {
    this.forget();
    const { path } = this;
    try {
      const content = await contentOf(this.place, path);
      if (path === this.path && this.isConnected) {
        this.content = content;
      }
    } catch (refusal) {
      if (path === this.path) {
        this.failure = refusal;
      }
    }
  }

  async save() {
    this.busy = true;
    const { path } = this;
    const text = this.querySelector("textarea").value;
    const tag = await attempt(() => files.write(this.place, path, text, this.content.tag), "Saved");
    this.busy = false;
    if (path !== this.path) {
      return;
    }
    if (tag) {
      this.content = { text, tag };
    } else {
      toast("Your text is still here: copy it before you open the file anew.", "bad");
    }
  }

  render() {
    return html`<section class="card below" aria-label=${this.path}>
      <header><h2>${this.path}</h2><div class="end">
        ${this.content?.text === undefined ? nothing : html`<button type="button" class="primary" ?disabled=${this.busy} @click=${this.save}>${icon("check")}Save</button>`}
        <button type="button" @click=${() => setQuery({ file: null })}>Close</button></div></header>
      ${this.body()}
    </section>`;
  }

  body() {
    if (this.failure) {
      return html`<p class="fault">${this.failure.message}</p>`;
    }
    if (this.content === null) {
      return html`<p><span class="spinner"></span></p>`;
    }
    const { text, image, other } = this.content;
    return text !== undefined
      ? html`${preview(this.path, text)}<textarea class="code" rows="24" spellcheck="false" aria-label="Text of ${this.path}" .value=${text}></textarea>`
      : image
        ? html`<img src=${image} alt=${this.path} class="preview">`
        : html`<p class="soft">${other}</p>`;
  }
}

async function contentOf(place, path) {
  const type = IMAGES[path.split(".").pop().toLowerCase()];
  const { bytes } = await files.stat(place, path);
  if (bytes > (type ? MOST_IMAGE : MOST_TEXT)) {
    return { other: "It is too large to be shown: download it." };
  }
  const { blob, tag } = await files.read(place, path);
  if (type) {
    return { image: URL.createObjectURL(new Blob([blob], { type })) };
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(await blob.arrayBuffer()), tag };
  } catch {
    return { other: "It is no text: download it." };
  }
}

define("file-view", FileView);
