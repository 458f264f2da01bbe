/**
 * Small real changes that lie at smooth edges: each is one markup, before and after. All of them change a pixel.
 */
export const VARIANTS = [
  ...iconVariants(),
  ...radiusVariants(),
  ...strokeVariants(),
  ...shapeVariants(),
  ...boxVariants(),
  ...textVariants(),
];

/** Rotated, scaled and moved icons of 24 units, drawn at 24 to 96 px. */
function iconVariants() {
  const icons = {
    chevron: '<path d="M9 6l6 6-6 6" fill="none" stroke="#111827" stroke-width="2"/>',
    check: '<path d="M4 12l5 5L20 6" fill="none" stroke="#15803d" stroke-width="2" stroke-linecap="round"/>',
    star: '<path d="M12 2l3 7h7l-5.5 4.5L18.5 21 12 16.5 5.5 21l2-7.5L2 9h7z" fill="#f59e0b"/>',
    heart: '<path d="M12 21C5 15 2 12 2 8a5 5 0 0 1 10-1 5 5 0 0 1 10 1c0 4-3 7-10 13z" fill="#dc2626"/>',
    search:
      '<g fill="none" stroke="#374151" stroke-width="1.5"><circle cx="10" cy="10" r="7"/><path d="M15 15l6 6"/></g>',
    arrow: '<path d="M3 12h16M13 6l6 6-6 6" fill="none" stroke="#2563eb" stroke-width="1.5"/>',
    drop: '<path d="M12 2c4 6 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7 7-13z" fill="#0ea5e9"/>',
  };
  const drawn = (body, size, transform) => svg(`<g transform="${transform}">${body}</g>`, size);
  const rotated = Object.entries(icons).flatMap(([name, body]) =>
    [24, 64].map((size) => ({
      name: `${name} of ${size} px rotated by 3 degrees`,
      before: drawn(body, size, ''),
      after: drawn(body, size, 'rotate(3 12 12)'),
    })),
  );
  const slightly = Object.entries(icons).map(([name, body]) => ({
    name: `${name} of 48 px rotated by 1 degree`,
    before: drawn(body, 48, ''),
    after: drawn(body, 48, 'rotate(1 12 12)'),
  }));
  const grown = ['star', 'heart', 'search', 'drop'].map((name) => ({
    name: `${name} of 32 px grown by 2 %`,
    before: drawn(icons[name], 32, ''),
    after: drawn(icons[name], 32, 'translate(12 12) scale(1.02) translate(-12 -12)'),
  }));
  const moved = ['chevron', 'star', 'drop'].map((name) => ({
    name: `${name} of 24 px moved by 0.3 px`,
    before: drawn(icons[name], 24, ''),
    after: drawn(icons[name], 24, 'translate(0.3 0)'),
  }));
  return [...rotated, ...slightly, ...grown, ...moved];
}

function radiusVariants() {
  const box = (radius, style) => block(`width: 120px; height: 48px; border-radius: ${radius}; ${style}`);
  return vary(
    'radius',
    [
      ['6px', '6.5px', 'background: #2563eb'],
      ['6px', '6.5px', 'border: 1px solid #d1d5db'],
      ['6px', '7px', 'background: #2563eb'],
      ['8px', '8.5px', 'background: #111827'],
      ['8px', '9px', 'border: 2px solid #111827'],
      ['12px', '12.5px', 'background: #16a34a'],
      ['16px', '16.5px', 'background: #fee2e2'],
      ['24px', '23.5px', 'background: #7c3aed'],
      ['4px', '4.5px', 'background: #dc2626'],
      ['50%', '49%', 'background: #0ea5e9'],
      ['10px', '10.5px', 'background: #f59e0b'],
      ['10px', '10.5px', 'box-shadow: 0 0 0 3px #2563eb'],
    ],
    box,
  );
}

function strokeVariants() {
  const shapes = {
    circle: '<circle cx="12" cy="12" r="8"/>',
    diagonal: '<path d="M3 21L21 4"/>',
    curve: '<path d="M2 18C6 2 18 22 22 6"/>',
    zigzag: '<path d="M2 18l5-10 5 9 5-11 5 12"/>',
  };
  const widths = [
    ['1.5', '1.6'],
    ['1', '1.1'],
    ['2', '2.1'],
  ];
  return Object.entries(shapes).flatMap(([name, shape]) =>
    vary(`stroke of a ${name}`, widths, (width) =>
      svg(`<g fill="none" stroke="#111827" stroke-width="${width}">${shape}</g>`, 48),
    ),
  );
}

function shapeVariants() {
  return [
    ...vary(
      'disc radius',
      [
        ['20', '20.2'],
        ['20', '20.5'],
        ['5', '5.2'],
      ],
      (r) => drawing(`<circle cx="48" cy="48" r="${r}" fill="#2563eb"/>`),
    ),
    ...vary(
      'disc place',
      [
        ['48', '48.2'],
        ['48', '48.5'],
      ],
      (x) => drawing(`<circle cx="${x}" cy="48" r="20" fill="#111827"/>`),
    ),
    ...vary(
      'donut part',
      [
        ['80', '81'],
        ['80', '82'],
      ],
      (length) =>
        drawing(
          `<circle cx="48" cy="48" r="30" fill="none" stroke="#f59e0b" stroke-width="8" stroke-dasharray="${length} 200"/>`,
        ),
    ),
    ...vary(
      'chart point',
      [
        ['40', '40.5'],
        ['40', '41'],
      ],
      (y) => drawing(`<path d="M5 80L30 60L55 ${y}L90 20" fill="none" stroke="#dc2626" stroke-width="2"/>`),
    ),
    ...vary('triangle tip', [['10', '10.5']], (y) => drawing(`<path d="M48 ${y}L85 80L11 80z" fill="#16a34a"/>`)),
  ];
}

function boxVariants() {
  return [
    ...vary(
      'tilt of a box',
      [
        ['3deg', '3.2deg'],
        ['3deg', '3.5deg'],
      ],
      (angle) => block(`width: 90px; height: 40px; background: #2563eb; transform: rotate(${angle})`),
    ),
    ...vary(
      'skew of a box',
      [
        ['10deg', '10.2deg'],
        ['10deg', '10.5deg'],
      ],
      (angle) => block(`width: 90px; height: 40px; background: #111827; transform: skewX(${angle})`),
    ),
    ...vary('clip path', [['20%', '20.5%']], (x) =>
      block(`width: 90px; height: 60px; background: #7c3aed; clip-path: polygon(${x} 0, 100% 0, 80% 100%, 0 100%)`),
    ),
    ...vary('edge of a gradient', [['50%', '50.5%']], (at) =>
      block(`width: 90px; height: 60px; background: linear-gradient(30deg, #111827 ${at}, #fff ${at})`),
    ),
  ];
}

function textVariants() {
  const text = (style) => block(`font: 16px serif; color: #111827; ${style}`, 'Sphinx of black quartz');
  return [
    ...vary('font size', [['16px', '16.2px']], (size) => text(`font-size: ${size}`)),
    ...vary('letter spacing', [['0', '.1px']], (space) => text(`letter-spacing: ${space}`)),
    ...vary('slant of text', [['-2deg', '-2.3deg']], (angle) => text(`transform: rotate(${angle})`)),
    ...vary('scale of text', [['1', '1.01']], (scale) => text(`transform: scale(${scale})`)),
    ...vary('text outline', [['.3px', '.4px']], (width) => text(`-webkit-text-stroke: ${width} #111827`)),
    ...vary('text moved', [['0', '.4px']], (by) => text(`transform: translateX(${by})`)),
  ];
}

function vary(what, values, markup) {
  return values.map(([before, after, ...more]) => ({
    name: `${what} ${before} -> ${after}${more.length > 0 ? `, ${more.join(', ')}` : ''}`,
    before: markup(before, ...more),
    after: markup(after, ...more),
  }));
}

function svg(body, size) {
  return `<svg viewBox="0 0 24 24" width="${size}" height="${size}" style="display: block">${body}</svg>`;
}

function drawing(body) {
  return `<svg viewBox="0 0 96 96" width="96" height="96" style="display: block">${body}</svg>`;
}

function block(style, content = '') {
  return `<div style="display: inline-block; ${style}">${content}</div>`;
}
