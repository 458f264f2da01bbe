import type { Structure, StructureElement } from '../../../src/model/capture.js';
import { STYLE_PROPERTIES } from '../../../src/page/structure/page-nodes.js';

/** An element of a structure, with its children. A string is a text. */
export interface Node {
  readonly tag: string;
  readonly box: readonly [x: number, y: number, width: number, height: number];
  /** Styles that differ from those of the parent, or from the initial ones. */
  readonly style?: Readonly<Record<string, string>>;
  readonly content?: Partial<Omit<StructureElement, 'tag' | 'box' | 'style' | 'parent'>>;
  readonly children?: readonly (Node | string)[];
}

/** Styles that children inherit, as far as the tests use them. */
const INHERITED = ['color', 'font-size', 'font-weight', 'line-height', 'letter-spacing'];

/** Builds a structure as a capture does. Texts have the box of their parent. */
export function structureOf(root: Node): Structure {
  const elements: StructureElement[] = [];
  const styles: string[][] = [];
  const rows = new Map<string, number>();
  add(root, -1, {});
  return { schemaVersion: 1, properties: [...STYLE_PROPERTIES], styles, elements };

  function add(node: Node, parent: number, inherited: Readonly<Record<string, string>>): void {
    const { tag, box, style = {}, content = {}, children = [] } = node;
    const computed = { ...inherited, ...style };
    const index = elements.length;
    const values = STYLE_PROPERTIES.map((property) => computed[property] ?? 'initial');
    const key = values.join();
    const row = rows.get(key) ?? styles.push(values) - 1;
    rows.set(key, row);
    elements.push({ ...content, tag, parent, box: [...box], style: row });
    const passed = Object.fromEntries(Object.entries(computed).filter(([property]) => INHERITED.includes(property)));
    for (const child of children) {
      if (typeof child === 'string')
        elements.push({ tag: '#text', parent: index, box: [...box], text: child, hash: child });
      else add(child, index, passed);
    }
  }
}
