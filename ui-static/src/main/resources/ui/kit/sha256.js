// SHA-256 (FIPS 180-4) of bytes that come piece by piece. The browser's own digest takes a whole at once, and is there on
// secure origins alone.

const BLOCK = 64;
const WORDS = 16;
const ROUNDS = 64;
const LENGTH_AT = 56;

/** The first 32 bits of the fractional part of a root. */
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;

const PRIMES = [];
for (let candidate = 2; PRIMES.length < ROUNDS; candidate++) {
  if (PRIMES.every((prime) => candidate % prime !== 0)) {
    PRIMES.push(candidate);
  }
}
const K = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const turned = (word, by) => (word >>> by) | (word << (32 - by));

export class Sha256 {
  #state = Int32Array.from(START);
  #words = new Int32Array(ROUNDS);
  #rest = new Uint8Array(BLOCK);
  #held = 0;
  #length = 0;

  /** @param bytes a Uint8Array */
  update(bytes) {
    this.#length += bytes.length;
    let at = 0;
    if (this.#held > 0) {
      at = Math.min(BLOCK - this.#held, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#held);
      this.#held += at;
      if (this.#held < BLOCK) {
        return this;
      }
      this.#block(this.#rest, 0);
      this.#held = 0;
    }
    for (; at + BLOCK <= bytes.length; at += BLOCK) {
      this.#block(bytes, at);
    }
    this.#rest.set(bytes.subarray(at));
    this.#held = bytes.length - at;
    return this;
  }

  /** The digest in hexadecimal digits; the object has done its work then. */
  hex() {
    const length = this.#length;
    const padding = new Uint8Array((this.#held < LENGTH_AT ? BLOCK : 2 * BLOCK) - this.#held);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor((length * 8) / 2 ** 32));
    view.setUint32(padding.length - 4, (length * 8) >>> 0);
    this.update(padding);
    return [...this.#state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }

  #block(bytes, from) {
    const words = this.#words;
    for (let t = 0; t < WORDS; t++) {
      const at = from + 4 * t;
      words[t] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    }
    for (let t = WORDS; t < ROUNDS; t++) {
      const x = words[t - 15];
      const y = words[t - 2];
      words[t] = (words[t - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + words[t - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10))) | 0;
    }
    const state = this.#state;
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < ROUNDS; t++) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[t] + words[t]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] = (state[at] + word) | 0));
  }
}

/** The digest of a Blob, or of a file, which is read piece by piece. */
export async function digestOf(blob) {
  const digest = new Sha256();
  const reader = blob.stream().getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return digest.hex();
    }
    digest.update(value);
  }
}
