// What a file of a saved experiment holds: the page saves the archive as it is, the command line puts it into a zip file.

const ARCHIVE = "experiment.ndjson";
const NNI_DATABASE = "experiment/db/nni.sqlite";
const CODE = "code/";

/** As much as a server takes. */
const MOST_BYTES = 128 * 2 ** 20;

// The records of a zip file (APPNOTE 6.3, sections 4.3.7, 4.3.12, 4.3.16), numbers with the low byte first.
const ZIP = 0x04034b50;
const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const DEFLATED = 8;

const viewOf = async (blob) => new DataView(await blob.arrayBuffer());

/**
 * The archive in a file, and whether code was saved with it.
 * @throws Error in words, when it is none
 */
export async function archiveIn(file) {
  const begin = await viewOf(file.slice(0, 4));
  if (begin.byteLength < 4 || begin.getUint32(0, true) !== ZIP) {
    requireRoom(file, file.size);
    return { lines: await file.text(), hasCode: false };
  }
  const entries = await entriesOf(file);
  const archive = entries.find((entry) => entry.name === ARCHIVE);
  if (!archive) {
    throw new Error(
      entries.some((entry) => entry.name === NNI_DATABASE)
        ? `${file.name} was saved by NNI: orrery experiment load --path ${file.name} takes it`
        : `${file.name} is not what experiment save has written`,
    );
  }
  requireRoom(file, archive.bytes);
  return { lines: await textOf(file, archive), hasCode: entries.some((entry) => entry.name.startsWith(CODE)) };
}

function requireRoom(file, bytes) {
  if (bytes > MOST_BYTES) {
    throw new Error(`${file.name} holds an experiment of more than 128 MB, which no server takes`);
  }
}

/** The list at the end of a zip file: {name, method, packed, bytes, at}. */
async function entriesOf(file) {
  const tail = await viewOf(file.slice(Math.max(0, file.size - END_BYTES - LONGEST_COMMENT)));
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END) {
    end--;
  }
  if (end < 0) {
    throw new Error(`${file.name} is cut short: a zip file ends otherwise`);
  }
  const count = tail.getUint16(end + 10, true);
  const from = tail.getUint32(end + 16, true);
  const list = await viewOf(file.slice(from, from + tail.getUint32(end + 12, true)));
  const entries = [];
  for (let at = 0; entries.length < count && at + ENTRY_BYTES <= list.byteLength; ) {
    const length = list.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(new Uint8Array(list.buffer, at + ENTRY_BYTES, Math.min(length, list.byteLength - at - ENTRY_BYTES))),
      method: list.getUint16(at + 10, true),
      packed: list.getUint32(at + 20, true),
      bytes: list.getUint32(at + 24, true),
      at: list.getUint32(at + 42, true),
    });
    at += ENTRY_BYTES + length + list.getUint16(at + 30, true) + list.getUint16(at + 32, true);
  }
  return entries;
}

async function textOf(file, { at, method, packed }) {
  const local = await viewOf(file.slice(at, at + LOCAL_BYTES));
  const from = at + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true);
  const content = file.slice(from, from + packed);
  return method === DEFLATED ? new Response(content.stream().pipeThrough(new DecompressionStream("deflate-raw"))).text() : content.text();
}
