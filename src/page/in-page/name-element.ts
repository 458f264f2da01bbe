/** Runs in the page. Names an element for a message, such as `div#menu` or `nav.top.dark`. */
export function nameElement(element: Element): string {
  const name = element.tagName.toLowerCase();
  return element.id ? `${name}#${element.id}` : [name, ...Array.from(element.classList).slice(0, 2)].join('.');
}
