const SIDES = ['top', 'right', 'bottom', 'left'] as const;
const CORNERS = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const;

/** The computed styles of a structure: those that paint or place an element. */
export const STYLE_PROPERTIES: readonly string[] = [
  ...['display', 'visibility', 'position', 'z-index', 'float', 'opacity', 'box-sizing', 'overflow-x', 'overflow-y'],
  ...SIDES,
  ...SIDES.map((side) => `margin-${side}`),
  ...SIDES.map((side) => `padding-${side}`),
  ...SIDES.flatMap((side) => [`border-${side}-width`, `border-${side}-style`, `border-${side}-color`]),
  ...CORNERS.map((corner) => `border-${corner}-radius`),
  ...['color', 'background-color', 'background-image', 'background-position-x', 'background-position-y'],
  ...['background-size', 'background-repeat', 'background-clip', 'box-shadow', 'filter', 'backdrop-filter'],
  ...['mix-blend-mode', 'clip-path', 'mask-image', 'transform', 'rotate', 'scale', 'translate'],
  ...['outline-width', 'outline-style', 'outline-color', 'outline-offset'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'font-stretch', 'line-height', 'letter-spacing'],
  ...[
    'word-spacing',
    'text-align',
    'text-indent',
    'text-transform',
    'text-shadow',
    'white-space-collapse',
    'text-wrap',
  ],
  ...['text-decoration-line', 'text-decoration-style', 'text-decoration-color', 'text-decoration-thickness'],
  ...['-webkit-text-fill-color', '-webkit-text-stroke-width', 'vertical-align', 'direction', 'writing-mode'],
  ...['list-style-type', 'list-style-image', 'content', 'object-fit', 'object-position', 'aspect-ratio'],
  ...['flex-direction', 'flex-wrap', 'flex-grow', 'flex-shrink', 'flex-basis', 'order', 'row-gap', 'column-gap'],
  ...['justify-content', 'align-items', 'align-self', 'align-content', 'column-count', 'border-collapse'],
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray'],
];

/** A property that paints nothing while another one has one of these values. */
interface Dependency {
  readonly column: number;
  readonly without: readonly string[];
}

const dependsOn = (property: string, ...without: string[]): Dependency => ({
  column: STYLE_PROPERTIES.indexOf(property),
  without,
});

/** Styles that are left out of a structure while they paint nothing. */
export const DEPENDENT: ReadonlyMap<string, Dependency> = new Map([
  ...SIDES.flatMap((side) => {
    const dependency = dependsOn(`border-${side}-width`, '0px');
    return [`border-${side}-style`, `border-${side}-color`].map((name) => [name, dependency] as const);
  }),
  ...['outline-width', 'outline-color', 'outline-offset'].map(
    (name) => [name, dependsOn('outline-style', 'none')] as const,
  ),
  ...['text-decoration-style', 'text-decoration-color', 'text-decoration-thickness'].map(
    (name) => [name, dependsOn('text-decoration-line', 'none')] as const,
  ),
  ...['background-position-x', 'background-position-y', 'background-size', 'background-repeat', 'background-clip'].map(
    (name) => [name, dependsOn('background-image', 'none')] as const,
  ),
  ...['top', 'right', 'bottom', 'left', 'z-index'].map((name) => [name, dependsOn('position', 'static')] as const),
  ...['stroke-width', 'stroke-opacity', 'stroke-dasharray'].map((name) => [name, dependsOn('stroke', 'none')] as const),
]);
