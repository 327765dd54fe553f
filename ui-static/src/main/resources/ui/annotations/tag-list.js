// Tags as they stand beside a name.
import { html, nothing } from "lit";

export const tagList = (tags) =>
  tags?.length ? html`<ul class="tags" aria-label="Tags">${tags.map((tag) => html`<li class="tag">${tag}</li>`)}</ul>` : nothing;

/** All tags of some things, each once, in the order of their letters. */
export const tagsOf = (items) => [...new Set(items.flatMap((item) => item.tags ?? []))].sort((a, b) => a.localeCompare(b));
