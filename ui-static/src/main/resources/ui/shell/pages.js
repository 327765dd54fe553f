// The pages that there are. Each feature adds its own in its pages.js.

/** From names to pages, in the order in which they were added. */
const pages = new Map();

/** From names of pages to functions that import what the page needs; what is not here came with the first view. */
export const modules = {};

/**
 * Adds the pages of a feature.
 * @param added from names to pages, each with
 *   view: makes it from `{id, tab, query}`;
 *   at: the first step of its address, the name of the page when not given;
 *   tabs: of a page for one object, `#/<at>/<id>/<tab>`; the first is shown when the address names none;
 *   navigation: its words in the bar;
 *   isKept: whether it stays, with what was written in it, when another project is chosen, and sees to that itself;
 *   under: the page whose entry in the bar is marked while this one is shown;
 *   menu: its words in the menu of the account, forAdmins: whether only admins see it there;
 *   shortcut: keys and words of the shortcut that opens it
 * @param imports from names of pages to `() => import("…")`; the server reads them to name the modules in the document
 */
export function addPages(added, imports) {
  for (const [name, page] of Object.entries(added)) {
    pages.set(name, { at: name, ...page, name });
  }
  Object.assign(modules, imports);
}

export const pageOf = (name) => pages.get(name);

export const allPages = () => [...pages.values()];

/** The page at an address of these steps. */
export const pageAt = ([first = "", ...more]) => allPages().find((page) => page.at === first && (page.tabs ? more.length === 1 || more.length === 2 : more.length === 0));

export const addressOfPage = (page) => `#/${page.at}`;
