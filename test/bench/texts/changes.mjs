/** The changes that are made to a text that may change, or beside it. */
export const CHANGES = [
  'color',
  'weight',
  'size',
  'padding',
  'position',
  'text of a neighbor',
  'style of a neighbor',
  'removed',
  'wrong text',
];

/** The value of a page that is wrong, if the change is one of the text; otherwise null. */
export function wrongValueOf(change) {
  return change && CHANGES[change.number] === 'wrong text' ? change.turn % 3 : null;
}

/** Returns a script that makes a change in a page. */
export function writeChange(change, { texts, fullSize = true }) {
  const options = { ...change, selectors: Object.keys(texts), whole: fullSize };
  return change ? `<script>(${String(makeChange)})(${JSON.stringify(options)});</script>` : '';
}

/**
 * Runs in the page: makes change `number` to one of the elements of `selectors`, once it is there and in sight. `turn` chooses the element, and
 * `document.documentElement.dataset.changed` names it.
 */
function makeChange({ number, turn, selectors, whole }) {
  const makers = [
    (element) => style(element, 'color', moved(getComputedStyle(element).color)),
    (element) => style(element, 'font-weight', getComputedStyle(element).fontWeight >= 600 ? '400' : '700'),
    (element) => style(element, 'font-size', `${Number.parseFloat(getComputedStyle(element).fontSize) + 1}px`),
    (element) => style(element, 'padding-left', `${Number.parseFloat(getComputedStyle(element).paddingLeft) + 2}px`),
    (element) => style(element, 'transform', 'translateX(1px)', 'display', inBlock(element)),
    (element) => letter(neighborText(element)),
    (element) => style(element.nextElementSibling ?? element.parentElement, 'background', '#fed7aa'),
    (element) => element.remove(),
    () => {},
  ];
  addEventListener('load', () => {
    const wait = setInterval(() => {
      const all = allRoots().flatMap((root) => [...root.querySelectorAll(selectors.join(','))]);
      const shown = all.filter((element) => element.textContent.trim() !== '' && isShown(element));
      const element = shown[(turn * 7 + number * 3) % shown.length];
      if (!element) return;
      clearInterval(wait);
      document.documentElement.dataset.changed = element.outerHTML.slice(0, 60);
      makers[number](element);
    }, 20);
  });

  function allRoots() {
    const roots = [document];
    for (const root of roots)
      for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
    return roots;
  }

  /** Also checks that no part of the page around it cuts it off, such as a menu that is folded up. */
  function isShown(element) {
    const box = element.getBoundingClientRect();
    if (box.width < 5 || box.height < 5 || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
      return false;
    if (!whole && (box.top < 0 || box.bottom > innerHeight)) return false;
    for (let around = element.parentElement; around && around !== document.body; around = around.parentElement) {
      const { top, bottom } = around.getBoundingClientRect();
      if (getComputedStyle(around).overflow !== 'visible' && (box.bottom > bottom + 1 || box.top < top - 1))
        return false;
    }
    return true;
  }

  function inBlock(element) {
    const { display } = getComputedStyle(element);
    return display === 'inline' ? 'inline-block' : display;
  }

  function style(element, ...properties) {
    for (let at = 0; at < properties.length; at += 2)
      element.style.setProperty(properties[at], properties[at + 1], 'important');
  }

  /** Each channel by 40, away from the end that is nearer. */
  function moved(color) {
    const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number);
    const move = (channel) => (channel < 128 ? channel + 40 : channel - 40);
    return `rgba(${move(red)}, ${move(green)}, ${move(blue)}, ${alpha})`;
  }

  /** The next text after an element that is not one of those that may change. */
  function neighborText(element) {
    const walker = document.createTreeWalker(element.getRootNode(), NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    const isNeighbor = ({ data, parentElement }) =>
      /[a-zء-ي]/.test(data) &&
      !parentElement?.closest(`script, style, ${selectors.join(',')}`) &&
      (!parentElement || isShown(parentElement));
    const follows = (node) => element.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
    return texts.find((node) => follows(node) && isNeighbor(node)) ?? texts.findLast(isNeighbor);
  }

  function letter(node) {
    const at = node.data.search(/[a-zء-ي]/);
    node.data = `${node.data.slice(0, at)}${node.data[at] === 'o' ? 'a' : 'o'}${node.data.slice(at + 1)}`;
  }
}
