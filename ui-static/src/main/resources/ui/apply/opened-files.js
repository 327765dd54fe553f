// Files that the user opens, as one text of documents.

const DOCUMENT = /^[^.].*\.(ya?ml|json)$/i;

/** The texts of the files by their paths, with a line of --- and the name of each between them. @param files of a chooser */
export async function joined(files) {
  const wanted = files
    .filter((file) => DOCUMENT.test(file.name))
    .toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1));
  if (wanted.length === 1) {
    return wanted[0].text();
  }
  const texts = await Promise.all(wanted.map(async (file) => `# ${pathOf(file)}\n${(await file.text()).trimEnd()}\n`));
  return texts.join("---\n");
}

const pathOf = (file) => file.webkitRelativePath || file.name;
