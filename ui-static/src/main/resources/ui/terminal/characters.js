// The characters of a terminal: how wide they are, and those that draw lines. Draws nothing.

/** The line drawing of DEC's special graphics, from ` to ~. */
export const GRAPHICS = [..."◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"];
const COMBINING = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Unicode's East Asian wide characters and emoji, by their ranges. */
const WIDE = [
  [0x1100, 0x115f], [0x2e80, 0x303e], [0x3041, 0x33ff], [0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xa000, 0xa4cf], [0xac00, 0xd7a3],
  [0xf900, 0xfaff], [0xfe30, 0xfe6f], [0xff00, 0xff60], [0xffe0, 0xffe6], [0x1f300, 0x1f64f], [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff], [0x20000, 0x3fffd],
];

/** The columns that a character takes: 0, 1 or 2. */
export function widthOf(character) {
  const code = character.codePointAt(0);
  if (code < 0x300) {
    return 1;
  }
  return COMBINING.test(character) ? 0 : WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}
