// What distinguishes experiments: settings that differ, and parameters that all of them have.

/** A document as pairs of a path ("tuner.name") and a value; lists and empty objects are values. */
export function flat(document, before = "") {
  return Object.entries(document ?? {}).flatMap(([name, value]) => {
    const path = before ? `${before}.${name}` : name;
    const isBranch = value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0;
    return isBranch ? flat(value, path) : [[path, value]];
  });
}

/**
 * The settings of some experiments side by side: {path, values, differs}, in the order in which they first appear.
 * A dimension of a search space counts as one setting; what a configuration does not have is undefined.
 */
export function settingsOf(configs) {
  const columns = configs.map(({ searchSpace, ...rest }) => new Map([...flat(rest), ...Object.entries(searchSpace ?? {}).map(([name, value]) => [`searchSpace.${name}`, value])]));
  const paths = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  return paths.map((path) => {
    const values = columns.map((column) => column.get(path));
    return { path, values, differs: new Set(values.map((value) => JSON.stringify(value))).size > 1 };
  });
}

/** The names of the parameters that the trials of every experiment have, in the order of the first. */
export function commonParameters(all) {
  const [first = [], ...others] = all.map((rows) => [...new Set(rows.flatMap((row) => Object.keys(row.parameters ?? {}).filter((name) => isThere(row.parameters[name]))))]);
  return first.filter((name) => others.every((names) => names.includes(name)));
}

const isThere = (value) => value !== null && value !== undefined;

/** Names that tell experiments apart: with the id where two are called alike. */
export function namesOf(experiments) {
  const names = experiments.map((it) => it.name || it.id);
  return names.map((name, at) => (names.filter((other) => other === name).length > 1 ? `${name} (${experiments[at].id})` : name));
}

/** The best result after each trial, as steps over the trials' numbers from 1; `last` is where the line ends. */
export function courseOf(rows, isHighGood) {
  const steps = [];
  let last;
  for (const row of rows.filter(({ metric }) => metric !== null).sort((a, b) => a.sequenceId - b.sequenceId)) {
    const best = steps.at(-1)?.[1];
    last = row.sequenceId + 1;
    if (best === undefined || (isHighGood ? row.metric > best : row.metric < best)) {
      steps.push([last, row.metric]);
    }
  }
  return { steps, last };
}
