/** Icons of 24 units. */
const ICONS = {
  chevron: '<path d="M9 6l6 6-6 6" fill="none" stroke="#111827" stroke-width="2"/>',
  check: '<path d="M4 12l5 5L20 6" fill="none" stroke="#15803d" stroke-width="2" stroke-linecap="round"/>',
  star: '<path d="M12 2l3 7h7l-5.5 4.5L18.5 21 12 16.5 5.5 21l2-7.5L2 9h7z" fill="#f59e0b"/>',
  heart: '<path d="M12 21C5 15 2 12 2 8a5 5 0 0 1 10-1 5 5 0 0 1 10 1c0 4-3 7-10 13z" fill="#dc2626"/>',
  search:
    '<g fill="none" stroke="#374151" stroke-width="1.5"><circle cx="10" cy="10" r="7"/><path d="M15 15l6 6"/></g>',
  arrow: '<path d="M3 12h16M13 6l6 6-6 6" fill="none" stroke="#2563eb" stroke-width="1.5"/>',
  drop: '<path d="M12 2c4 6 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7 7-13z" fill="#0ea5e9"/>',
};
const STROKES = {
  circle: '<circle cx="12" cy="12" r="8"/>',
  diagonal: '<path d="M3 21L21 4"/>',
  curve: '<path d="M2 18C6 2 18 22 22 6"/>',
  zigzag: '<path d="M2 18l5-10 5 9 5-11 5 12"/>',
};

const radius = (length, style) => block(`width: 120px; height: 48px; border-radius: ${length}; ${style}`);
const arc = (length) =>
  `<circle cx="48" cy="48" r="30" fill="none" stroke="#f59e0b" stroke-width="8" stroke-dasharray="${length} 200"/>`;
const tilted = (color, transform) => block(`width: 90px; height: 40px; background: ${color}; transform: ${transform}`);
const text = (style) => block(`font: 16px serif; color: #111827; ${style}`, 'Sphinx of black quartz');

/** Small real changes that lie at smooth edges: each is one markup, before and after. All of them change a pixel. */
export const VARIANTS = [
  ...Object.keys(ICONS).flatMap((name) =>
    [24, 64].map((size) => icon(name, size, 'rotated by 3 degrees', 'rotate(3 12 12)')),
  ),
  ...Object.keys(ICONS).map((name) => icon(name, 48, 'rotated by 1 degree', 'rotate(1 12 12)')),
  ...['star', 'heart', 'search', 'drop'].map((name) =>
    icon(name, 32, 'grown by 2 %', 'translate(12 12) scale(1.02) translate(-12 -12)'),
  ),
  ...['chevron', 'star', 'drop'].map((name) => icon(name, 24, 'moved by 0.3 px', 'translate(0.3 0)')),
  ...vary('radius', '6px -> 6.5px, background: #2563eb', radius),
  ...vary('radius', '6px -> 6.5px, border: 1px solid #d1d5db', radius),
  ...vary('radius', '6px -> 7px, background: #2563eb', radius),
  ...vary('radius', '8px -> 8.5px, background: #111827', radius),
  ...vary('radius', '8px -> 9px, border: 2px solid #111827', radius),
  ...vary('radius', '12px -> 12.5px, background: #16a34a', radius),
  ...vary('radius', '16px -> 16.5px, background: #fee2e2', radius),
  ...vary('radius', '24px -> 23.5px, background: #7c3aed', radius),
  ...vary('radius', '4px -> 4.5px, background: #dc2626', radius),
  ...vary('radius', '50% -> 49%, background: #0ea5e9', radius),
  ...vary('radius', '10px -> 10.5px, background: #f59e0b', radius),
  ...vary('radius', '10px -> 10.5px, box-shadow: 0 0 0 3px #2563eb', radius),
  ...Object.entries(STROKES).flatMap(([name, shape]) =>
    vary(`stroke of a ${name}`, '1.5 -> 1.6; 1 -> 1.1; 2 -> 2.1', (width) =>
      svg(`<g fill="none" stroke="#111827" stroke-width="${width}">${shape}</g>`, 24, 48),
    ),
  ),
  ...vary('disc radius', '20 -> 20.2; 20 -> 20.5; 5 -> 5.2', (r) =>
    svg(`<circle cx="48" cy="48" r="${r}" fill="#2563eb"/>`),
  ),
  ...vary('disc place', '48 -> 48.2; 48 -> 48.5', (x) => svg(`<circle cx="${x}" cy="48" r="20" fill="#111827"/>`)),
  ...vary('donut part', '80 -> 81; 80 -> 82', (length) => svg(arc(length))),
  ...vary('chart point', '40 -> 40.5; 40 -> 41', (y) =>
    svg(`<path d="M5 80L30 60L55 ${y}L90 20" fill="none" stroke="#dc2626" stroke-width="2"/>`),
  ),
  ...vary('triangle tip', '10 -> 10.5', (y) => svg(`<path d="M48 ${y}L85 80L11 80z" fill="#16a34a"/>`)),
  ...vary('tilt of a box', '3deg -> 3.2deg; 3deg -> 3.5deg', (angle) => tilted('#2563eb', `rotate(${angle})`)),
  ...vary('skew of a box', '10deg -> 10.2deg; 10deg -> 10.5deg', (angle) => tilted('#111827', `skewX(${angle})`)),
  ...vary('clip path', '20% -> 20.5%', (x) =>
    block(`width: 90px; height: 60px; background: #7c3aed; clip-path: polygon(${x} 0, 100% 0, 80% 100%, 0 100%)`),
  ),
  ...vary('edge of a gradient', '50% -> 50.5%', (at) =>
    block(`width: 90px; height: 60px; background: linear-gradient(30deg, #111827 ${at}, #fff ${at})`),
  ),
  ...vary('font size', '16px -> 16.2px', (size) => text(`font-size: ${size}`)),
  ...vary('letter spacing', '0 -> .1px', (space) => text(`letter-spacing: ${space}`)),
  ...vary('slant of text', '-2deg -> -2.3deg', (angle) => text(`transform: rotate(${angle})`)),
  ...vary('scale of text', '1 -> 1.01', (scale) => text(`transform: scale(${scale})`)),
  ...vary('text outline', '.3px -> .4px', (width) => text(`-webkit-text-stroke: ${width} #111827`)),
  ...vary('text moved', '0 -> .4px', (by) => text(`transform: translateX(${by})`)),
];

function icon(name, size, how, transform) {
  const draw = (transform) => svg(`<g transform="${transform}">${ICONS[name]}</g>`, 24, size);
  return { name: `${name} of ${size} px ${how}`, before: draw(''), after: draw(transform) };
}

/** @param values - changes of a value, separated by `;`, each with further parameters of `markup` after a comma */
function vary(what, values, markup) {
  return values.split('; ').map((change) => {
    const [range, ...more] = change.split(', ');
    const [before, after] = range.split(' -> ').map((value) => markup(value, ...more));
    return { name: `${what} ${change}`, before, after };
  });
}

function svg(body, units = 96, size = units) {
  return `<svg viewBox="0 0 ${units} ${units}" width="${size}" height="${size}" style="display: block">${body}</svg>`;
}

function block(style, content = '') {
  return `<div style="display: inline-block; ${style}">${content}</div>`;
}
