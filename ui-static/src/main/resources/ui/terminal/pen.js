// The look of what a terminal writes: {bold, dim, italic, underlined, inverse, struck, colour, background}, frozen, so that
// cells of one look share one. Draws nothing.

export const PLAIN = Object.freeze({});

const FLAGS = { 1: "bold", 2: "dim", 3: "italic", 4: "underlined", 7: "inverse", 9: "struck" };
const ENDS = { 22: ["bold", "dim"], 23: ["italic"], 24: ["underlined"], 27: ["inverse"], 29: ["struck"], 39: ["colour"], 49: ["background"] };

/**
 * The pen after a sequence SGR. Colours are numbers of xterm's palette of 256, or texts such as #00ff7f.
 *
 * @param numbers the parameters of the sequence
 */
export function painted(before, numbers) {
  const pen = { ...before };
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i];
    if (code === 38 || code === 48) {
      const of = code === 38 ? "colour" : "background";
      if (numbers[i + 1] === 5) {
        pen[of] = (numbers[i + 2] ?? 0) & 255;
        i += 2;
      } else if (numbers[i + 1] === 2) {
        pen[of] = "#" + [2, 3, 4].map((at) => ((numbers[i + at] ?? 0) & 255).toString(16).padStart(2, "0")).join("");
        i += 4;
      }
    } else if (code === 0) {
      Object.keys(pen).forEach((key) => delete pen[key]);
    } else if (code in FLAGS) {
      pen[FLAGS[code]] = true;
    } else if (code in ENDS) {
      ENDS[code].forEach((key) => delete pen[key]);
    } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      pen.colour = code < 90 ? code - 30 : code - 82;
    } else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) {
      pen.background = code < 100 ? code - 40 : code - 92;
    }
  }
  return Object.keys(pen).length === 0 ? PLAIN : Object.freeze(pen);
}

/** A pen for what is erased: the background alone stays. */
export const groundOf = ({ background }) => (background === undefined ? PLAIN : Object.freeze({ background }));
