// What a text is besides text: the rows of a table, or the cells of a Jupyter notebook.
import { html, nothing } from "lit";

const MOST_ROWS = 200;
const MOST_COLUMNS = 50;
const SEPARATORS = { csv: ",", tsv: "\t" };

/** The fields of a text with separators; fields in quotes may have separators and line ends (RFC 4180). */
export function rowsOf(text, separator, most = MOST_ROWS) {
  const rows = [];
  let row = [];
  let field = "";
  let quoted = false;
  for (let at = 0; at < text.length && rows.length < most; at++) {
    const letter = text[at];
    if (quoted) {
      if (letter !== '"') {
        field += letter;
      } else if (text[at + 1] === '"') {
        field += letter;
        at++;
      } else {
        quoted = false;
      }
    } else if (letter === '"' && field === "") {
      quoted = true;
    } else if (letter === separator || letter === "\n") {
      row.push(field.replace(/\r$/, ""));
      field = "";
      if (letter === "\n") {
        rows.push(row);
        row = [];
      }
    } else {
      field += letter;
    }
  }
  if (rows.length < most && (field !== "" || row.length > 0)) {
    rows.push([...row, field]);
  }
  return rows;
}

const textOf = (lines) => (Array.isArray(lines) ? lines.join("") : String(lines ?? ""));

/** The cells of a notebook: [{kind, source, outputs: [text]}]; null when the text is none. */
export function cellsOf(text) {
  try {
    const { cells } = JSON.parse(text);
    return cells.map((cell) => ({
      kind: String(cell.cell_type),
      source: textOf(cell.source),
      outputs: (cell.outputs ?? []).map((output) => textOf(output.text ?? output.data?.["text/plain"] ?? output.evalue)).filter(Boolean),
    }));
  } catch {
    return null;
  }
}

/** A picture of a text by the end of its name; nothing for texts that are only that. */
export function preview(path, text) {
  const end = path.split(".").pop().toLowerCase();
  if (end in SEPARATORS) {
    return table(path, rowsOf(text, SEPARATORS[end]));
  }
  const cells = end === "ipynb" ? cellsOf(text) : null;
  return cells === null ? nothing : html`<div class="stack" aria-label="Cells of ${path}">${cells.map(
    (cell) => html`<div class="cell">${cell.kind === "code" ? html`<pre class="code">${cell.source}</pre>` : html`<p class="wrap">${cell.source}</p>`}
      ${cell.outputs.map((output) => html`<pre class="log">${output}</pre>`)}</div>`,
  )}</div>`;
}

const table = (path, [head = [], ...rows]) => html`<div class="scroll"><table class="objects" aria-label="Table of ${path}">
  <thead><tr>${head.slice(0, MOST_COLUMNS).map((name) => html`<th>${name}</th>`)}</tr></thead>
  <tbody>${rows.map((row) => html`<tr>${row.slice(0, MOST_COLUMNS).map((value) => html`<td class="small">${value}</td>`)}</tr>`)}</tbody>
</table></div>`;
