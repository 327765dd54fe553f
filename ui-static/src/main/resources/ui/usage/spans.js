// What was used, as a chart needs it: a row of numbers for each key, over all spans from the first to the last.

const STEPS = { "5m": 300_000, "1h": 3_600_000, "1d": 86_400_000 };

/** The resources, how they are called, and the unit of their hours. */
export const RESOURCES = [
  ["gpu", "GPUs", "GPU-hours"],
  ["cpu", "Cores", "core-hours"],
  ["memory", "Memory, GiB", "GiB-hours"],
  ["trials", "Trials", "trial-hours"],
  ["services", "Services", "service-hours"],
  ["notebooks", "Notebooks", "notebook-hours"],
  ["runs", "Runs", "run-hours"],
  ["storage", "Storage, GiB", "GiB-hours"],
];

/** The name by which an entry is told apart. */
export const keyOf = (item) => item.name !== undefined ? `${item.kind} ${item.name}` : (item.project ?? item.user ?? item.kind) || "–";

/** The resources of which anything was used. */
export const usedOf = (items) => RESOURCES.filter(([word]) => items.some((item) => item.hours[word] > 0));

/** The entries by key with their sums of a resource, the largest first: [{key, hours}]. */
export function sums(items, resource) {
  const all = new Map();
  for (const item of items) {
    const hours = item.hours[resource] ?? 0;
    if (hours > 0) {
      all.set(keyOf(item), (all.get(keyOf(item)) ?? 0) + hours);
    }
  }
  return [...all].map(([key, hours]) => ({ key, hours })).sort((a, b) => b.hours - a.hours || a.key.localeCompare(b.key));
}

/**
 * The average number of a resource in use by span.
 *
 * @param most keys that stand for themselves; the rest are one
 * @returns {instants, series: [{key, values}]}
 */
export function series({ items, from, to, step }, resource, most) {
  const length = STEPS[step];
  const begin = Date.parse(from);
  const instants = Array.from({ length: Math.max(1, Math.ceil((Date.parse(to) - begin) / length)) }, (_, at) => begin + at * length);
  const ordered = sums(items, resource).map(({ key }) => key);
  const shown = ordered.length <= most ? ordered : [...ordered.slice(0, most - 1), "others"];
  const rows = new Map(shown.map((key) => [key, instants.map(() => 0)]));
  for (const item of items) {
    const at = (Date.parse(item.at) - begin) / length;
    const row = rows.get(keyOf(item)) ?? rows.get("others");
    if (row !== undefined && at >= 0 && at < instants.length) {
      row[at] += ((item.hours[resource] ?? 0) * 3_600_000) / length;
    }
  }
  return { instants, series: shown.map((key) => ({ key, values: rows.get(key) })) };
}
