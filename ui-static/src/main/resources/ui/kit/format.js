// How values read, the same everywhere.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
const dayAndClock = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hour12: false });
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", hour12: false });

export const NOTHING = "–";

/** 12,345 */
export const count = (value) => (value === null || value === undefined ? NOTHING : whole.format(value));

/** A metric or a parameter, five significant digits; exact values belong into a title. */
export function number(value) {
  if (value === null || value === undefined) {
    return NOTHING;
  }
  if (typeof value !== "number" || Number.isInteger(value)) {
    return String(value);
  }
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    return value.toExponential(3).replace(/\.?0+e/, "e");
  }
  return String(Number(value.toPrecision(5)));
}

/** A parameter of whatever type. */
export function parameter(value) {
  if (typeof value === "number") {
    return number(value);
  }
  return typeof value === "string" ? value : value === undefined ? NOTHING : JSON.stringify(value);
}

/** Numbers as numbers, also the three that JSON cannot write; null stays null. */
export const finite = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);

const KILO = 1000;
const SIZES = ["bytes", "kB", "MB", "GB", "TB"];

/** 812 bytes, 4.2 kB, 38 MB */
export function bytes(size) {
  const at = Math.min(SIZES.length - 1, Math.floor(Math.log(Math.max(1, size)) / Math.log(KILO)));
  const scaled = size / KILO ** at;
  return `${at > 0 && scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${SIZES[at]}`;
}

export function time(text) {
  if (!text) {
    return NOTHING;
  }
  const date = new Date(text);
  return date.toDateString() === new Date().toDateString() ? clock.format(date) : dayAndClock.format(date);
}

export const fullTime = (text) => (text ? full.format(new Date(text)) : "");

/** 350 ms, 4.2 s, 3 m 5 s, 2 h 10 m, 3 d 4 h */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) {
    return NOTHING;
  }
  const ms = seconds * SECOND;
  if (ms < SECOND) {
    return `${Math.round(ms)} ms`;
  }
  if (ms < 10 * SECOND) {
    return `${(ms / SECOND).toFixed(1)} s`;
  }
  if (ms < MINUTE) {
    return `${Math.round(ms / SECOND)} s`;
  }
  const [big, small, bigName, smallName] =
    ms < HOUR ? [MINUTE, SECOND, "m", "s"] : ms < DAY ? [HOUR, MINUTE, "h", "m"] : [DAY, HOUR, "d", "h"];
  const whole = Math.floor(ms / big);
  const rest = Math.floor((ms % big) / small);
  return rest === 0 ? `${whole} ${bigName}` : `${whole} ${bigName} ${rest} ${smallName}`;
}

/** Of a trial or an experiment, in seconds; up to now when it has not ended. */
export function lasted(thing) {
  if (!thing.startedAt) {
    return null;
  }
  const end = thing.endedAt ? Date.parse(thing.endedAt) : Date.now();
  return Math.max(0, end - Date.parse(thing.startedAt)) / SECOND;
}
