// Which experiments a reader wants to see.

const DAY_MS = 24 * 3600 * 1000;

export const PERIODS = [
  ["1", "last day"],
  ["7", "last 7 days"],
  ["30", "last 30 days"],
];

/** @param wanted text, status, platform and since (days), each empty for all */
export function matches(experiment, wanted) {
  const text = wanted.text.trim().toLowerCase();
  return (
    (!text || experiment.id.toLowerCase().includes(text) || (experiment.name ?? "").toLowerCase().includes(text)) &&
    (!wanted.status || experiment.status === wanted.status) &&
    (!wanted.platform || experiment.platform === wanted.platform) &&
    (!wanted.since || Date.now() - Date.parse(experiment.createdAt) < Number(wanted.since) * DAY_MS)
  );
}
