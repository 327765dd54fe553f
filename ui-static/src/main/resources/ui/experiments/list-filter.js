// Which experiments a reader wants to see.

const DAY_MS = 24 * 3600 * 1000;

export const PERIODS = [
  ["1", "last day"],
  ["7", "last 7 days"],
  ["30", "last 30 days"],
  ["dates", "between…"],
];

/** The value of PERIODS that asks for two days. */
export const DATES = "dates";

// A day that a user writes begins and ends in the time zone of the reader.
const begins = (day) => Date.parse(`${day}T00:00`);

function isCreatedThen(at, { since, from, to }) {
  if (since !== DATES) {
    return !since || Date.now() - at < Number(since) * DAY_MS;
  }
  return !(from && at < begins(from)) && !(to && at >= begins(to) + DAY_MS);
}

/** @param wanted text, status, platform, tag, since (days, or DATES), and the days from and to; each empty for all */
export function matches(experiment, wanted) {
  const text = wanted.text.trim().toLowerCase();
  return (
    (!text || experiment.id.toLowerCase().includes(text) || (experiment.name ?? "").toLowerCase().includes(text)) &&
    (!wanted.status || experiment.status === wanted.status) &&
    (!wanted.tag || (experiment.tags ?? []).includes(wanted.tag)) &&
    (!wanted.platform || experiment.platform === wanted.platform) &&
    isCreatedThen(Date.parse(experiment.createdAt), wanted)
  );
}
