/** The files of a built Storybook with these stories of one component, each of which `page` shows. */
export function storybook(folder: string, title: string, names: readonly string[], page: string) {
  const entries = names.map((name) => [
    `${title.toLowerCase()}--${name}`,
    { id: `${title.toLowerCase()}--${name}`, title, name, type: 'story' },
  ]);
  return {
    [`${folder}/index.json`]: JSON.stringify({ v: 5, entries: Object.fromEntries(entries) }),
    [`${folder}/iframe.html`]: page,
  };
}
