// Runs before the modules do: asks at once for all that the page of this address will import. What each page needs
// stands in the head, as <meta name="modules" data-page content>.
{
  const [first, second] = location.hash.replace(/^#\/?/, "").split("?")[0].split("/");
  // The page of one object has the name of its collection in the singular.
  const page = second ? first.replace(/s$/, "") : first;
  const needed = document.querySelector(`meta[name=modules][data-page="${CSS.escape(page)}"]`)?.content.split(" ") ?? [];
  for (const href of needed) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
}
