// CodeMirror as this page has it. It is imported when the first code field is shown, and no earlier.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { json } from "@codemirror/legacy-modes/mode/javascript.js";
import { python } from "@codemirror/legacy-modes/mode/python.js";
import { shell } from "@codemirror/legacy-modes/mode/shell.js";
import { standardSQL } from "@codemirror/legacy-modes/mode/sql.js";
import { yaml } from "@codemirror/legacy-modes/mode/yaml.js";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const MODES = { python, py: python, shell, bash: shell, sh: shell, sql: standardSQL, yaml, yml: yaml, json };

const LOOK = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.definitionKeyword], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--warn)" },
  { tag: [tags.propertyName, tags.definition(tags.variableName), tags.typeName], color: "var(--busy)" },
  { tag: [tags.standard(tags.variableName), tags.meta], color: "var(--busy)" },
  { tag: tags.comment, color: "var(--text-faint)", fontStyle: "italic" },
]);

const THEME = EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--text)", border: "1px solid var(--line-strong)", borderRadius: "var(--radius)", fontSize: "var(--size-small)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--font-code)", maxHeight: "420px", minHeight: "90px", overflow: "auto" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--text-faint)", border: "none" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-placeholder": { color: "var(--text-faint)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selected)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--selected)" },
});

/** A mode whose names of tokens are all known. */
const named = (mode) => ({ ...mode, tokenTable: { ...mode.tokenTable, property: tags.propertyName, builtin: tags.standard(tags.variableName) } });

/** Whether a language has colours of its own. */
export const knows = (language) => Object.hasOwn(MODES, language);

/**
 * An editor in a shadow root: there its rules are adopted style sheets, which need no inline style.
 *
 * @param written called with the text whenever it was changed here
 */
export function codeMirror(root, { text, language, label, hint, isFixed, isWrong, written }) {
  return new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        indentUnit.of(language === "yaml" || language === "json" ? "  " : "    "),
        syntaxHighlighting(LOOK),
        knows(language) ? StreamLanguage.define(named(MODES[language])) : [],
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        placeholder(hint),
        EditorView.lineWrapping,
        EditorState.readOnly.of(isFixed),
        EditorView.editable.of(!isFixed),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-invalid": String(isWrong), autocapitalize: "off", spellcheck: "false" }),
        EditorView.updateListener.of((update) => update.docChanged && written(update.state.doc.toString())),
        THEME,
      ],
    }),
  });
}
