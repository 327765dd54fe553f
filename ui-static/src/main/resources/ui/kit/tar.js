// Reads tar streams: ustar with the headers of POSIX.1-2001 (pax), as the server writes them.

const BLOCK = 512;
const TEXT = new TextDecoder();

const text = (bytes, from, length) => TEXT.decode(bytes.subarray(from, from + length)).replace(/\0.*$/s, "");
const number = (bytes, from, length) => Number.parseInt(text(bytes, from, length).trim() || "0", 8);

/** The records of a pax header: lines of a length, a key and a value. */
function records(bytes) {
  const found = {};
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const length = Number(TEXT.decode(bytes.subarray(at, space)));
    if (space < 0 || !(length > 0)) {
      break;
    }
    const [, key, value] = /^([^=]*)=(.*)\n$/s.exec(TEXT.decode(bytes.subarray(space + 1, at + length))) ?? [];
    found[key] = value;
    at += length;
  }
  return found;
}

/**
 * The files of an archive: [{path, content}], each content a part of the Blob.
 * @throws Error when an entry is neither a file nor a directory, or the archive ends before it should
 */
export async function untar(blob) {
  const files = [];
  let pax = {};
  for (let at = 0; at + BLOCK <= blob.size; ) {
    const head = new Uint8Array(await blob.slice(at, at + BLOCK).arrayBuffer());
    if (head.every((byte) => byte === 0)) {
      break;
    }
    const prefix = text(head, 345, 155);
    const name = pax.path ?? (prefix ? prefix + "/" : "") + text(head, 0, 100);
    const size = Number(pax.size ?? number(head, 124, 12));
    const kind = String.fromCharCode(head[156]);
    const begin = at + BLOCK;
    if (begin + size > blob.size) {
      throw new Error("the archive is cut off");
    }
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
    if (kind === "x") {
      pax = records(new Uint8Array(await blob.slice(begin, begin + size).arrayBuffer()));
      continue;
    }
    pax = {};
    if (kind === "0" || kind === "\0") {
      files.push({ path: name.replace(/^\.\//, ""), content: blob.slice(begin, begin + size) });
    } else if (kind !== "5" && kind !== "g") {
      throw new Error(`${name} is neither a file nor a directory`);
    }
  }
  return files;
}
