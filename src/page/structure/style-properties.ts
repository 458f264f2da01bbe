const SIDES = ['top', 'right', 'bottom', 'left'] as const;

const words = (text: string): string[] => text.trim().split(/\s+/);

/** The computed styles of a structure: those that paint or place an element. */
export const STYLE_PROPERTIES: readonly string[] = [
  ...words('display visibility position z-index float opacity box-sizing overflow-x overflow-y'),
  ...SIDES,
  ...SIDES.map((side) => `margin-${side}`),
  ...SIDES.map((side) => `padding-${side}`),
  ...SIDES.flatMap((side) => [`border-${side}-width`, `border-${side}-style`, `border-${side}-color`]),
  ...['top-left', 'top-right', 'bottom-right', 'bottom-left'].map((corner) => `border-${corner}-radius`),
  ...words(`
    color background-color background-image background-position-x background-position-y background-size
    background-repeat background-clip box-shadow filter backdrop-filter mix-blend-mode clip-path mask-image
    transform rotate scale translate outline-width outline-style outline-color outline-offset
    font-family font-size font-weight font-style font-stretch line-height letter-spacing word-spacing
    text-align text-indent text-transform text-shadow white-space-collapse text-wrap
    text-decoration-line text-decoration-style text-decoration-color text-decoration-thickness
    -webkit-text-fill-color -webkit-text-stroke-width vertical-align direction writing-mode
    list-style-type list-style-image content object-fit object-position aspect-ratio
    flex-direction flex-wrap flex-grow flex-shrink flex-basis order row-gap column-gap
    justify-content align-items align-self align-content column-count border-collapse
    fill fill-opacity stroke stroke-width stroke-opacity stroke-dasharray
  `),
];

/** Properties that paint nothing while another one has this value. */
const PAINTLESS: readonly (readonly [property: string, value: string, dependent: string])[] = [
  ...SIDES.map((side) => [`border-${side}-width`, '0px', `border-${side}-style border-${side}-color`] as const),
  ['outline-style', 'none', 'outline-width outline-color outline-offset'],
  ['text-decoration-line', 'none', 'text-decoration-style text-decoration-color text-decoration-thickness'],
  [
    'background-image',
    'none',
    'background-position-x background-position-y background-size background-repeat background-clip',
  ],
  ['position', 'static', 'top right bottom left z-index'],
  ['stroke', 'none', 'stroke-width stroke-opacity stroke-dasharray'],
];

/** For each style that can paint nothing: the column and the value of another one for which it does. It is then left out. */
export const DEPENDENT: ReadonlyMap<string, { readonly column: number; readonly value: string }> = new Map(
  PAINTLESS.flatMap(([property, value, dependent]) => {
    const column = STYLE_PROPERTIES.indexOf(property);
    return words(dependent).map((name) => [name, { column, value }] as const);
  }),
);
