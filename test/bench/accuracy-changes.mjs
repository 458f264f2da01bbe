/**
 * The small but visible changes that are made on each page. Each is done in the page, to one element or at one place that is
 * in sight, and gives back what undoes it; `null` where the page has nothing in sight that it can be done to.
 *
 * The elements are taken from all that are in sight by the page's number: no two pages are changed at the same place, and
 * each run changes the same.
 */
export const CHANGES = [
  'text color moved by 40',
  'link color',
  'background #fffbe6',
  'hairline #e5e7eb',
  '2 px of padding',
  'one letter',
  'weight 600',
  'opacity .85',
  'letter-spacing .2px',
  'shift of 1 px',
  'underline',
  'dot of 4x4',
];

/**
 * Runs in the page: makes change `number`, and leaves `window.undoChange` and `window.changedElement`.
 *
 * @returns what was changed, or null
 */
export function makeChange({ number, turn }) {
  const inSight = [...document.body.querySelectorAll('*')].filter(isInSight);
  const texts = inSight.filter((element) => textOf(element) !== undefined);
  const links = texts.filter((element) => element.closest('a'));
  const blocks = texts.filter((element) => getComputedStyle(element).display.includes('block'));
  const pick = (elements, index = 0) => elements[(turn * 7 + number * 3 + index) % elements.length];
  const makers = [
    () => style(pick(texts), { color: (before) => moved(before.color) }),
    () => style(pick(links), { color: ({ color }) => (color === 'rgb(0, 86, 179)' ? '#007bff' : '#0056b3') }),
    () => style(pick(texts), { 'background-color': () => '#fffbe6', 'background-image': () => 'none' }),
    () => style(pick(blocks), { 'box-shadow': () => '0 1px 0 #e5e7eb' }),
    () => style(pick(blocks), { 'padding-left': ({ paddingLeft }) => `${Number.parseFloat(paddingLeft) + 2}px` }),
    () => letter(pick(texts.filter((element) => /[a-z]/.test(textOf(element).data)))),
    () => style(pick(texts.filter(isLight)), { 'font-weight': () => '600' }),
    () => style(pick(texts), { opacity: () => '.85' }),
    () => style(pick(texts), { 'letter-spacing': () => '.2px' }),
    () => style(pick(blocks), { position: () => 'relative', left: () => '1px' }),
    () => style(pick(texts), { 'text-decoration': () => 'underline' }),
    () => dot(pick(texts).getBoundingClientRect()),
  ];
  return makers[number]();

  function isInSight(element) {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    if (width < 8 || height < 8 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return false;
    const { visibility, opacity } = getComputedStyle(element);
    const top_ = document.elementFromPoint(left + width / 2, top + height / 2);
    return visibility === 'visible' && opacity === '1' && (element === top_ || element.contains(top_));
  }

  function textOf(element) {
    return [...element.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 1);
  }

  function isLight(element) {
    return Number(getComputedStyle(element).fontWeight) < 600;
  }

  function style(element, properties) {
    if (!element) return null;
    const [before, attribute] = [{ ...plain(getComputedStyle(element)) }, element.getAttribute('style')];
    window.changedElement = element;
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value(before), 'important');
    window.undoChange = () =>
      attribute === null ? element.removeAttribute('style') : element.setAttribute('style', attribute);
    return nameOf(element);
  }

  function plain({ color, paddingLeft }) {
    return { color, paddingLeft };
  }

  /** Each channel by 40, away from the end that is nearer. */
  function moved(color) {
    const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number);
    const move = (channel) => (channel < 128 ? channel + 40 : channel - 40);
    return `rgba(${move(red)}, ${move(green)}, ${move(blue)}, ${alpha})`;
  }

  function letter(element) {
    if (!element) return null;
    const text = textOf(element);
    const { data } = text;
    const at = data.search(/[a-z]/);
    window.changedElement = element;
    text.data = `${data.slice(0, at)}${data[at] === 'o' ? 'a' : 'o'}${data.slice(at + 1)}`;
    window.undoChange = () => {
      text.data = data;
    };
    return nameOf(element);
  }

  function dot({ left, top }) {
    const spot = document.body.appendChild(document.createElement('div'));
    window.changedElement = spot;
    spot.style.cssText = `position: fixed; left: ${left + 2}px; top: ${top + 2}px; width: 4px; height: 4px; background: #dc2626; z-index: 2147483647`;
    window.undoChange = () => spot.remove();
    return `at ${left},${top}`;
  }

  function nameOf(element) {
    return `${element.localName} "${(textOf(element)?.data ?? '').trim().slice(0, 20)}"`;
  }
}
