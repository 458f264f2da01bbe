import type { ConsentWords } from './consent-words.js';
import type { Reader, Tree } from './in-page.js';

/** Runs in the page. Creates the functions that classify the text of elements. The result of each element is cached. */
export function createReader(tree: Tree, words: ConsentWords): Reader {
  // In characters. A longer text is content that mentions cookies, such as a privacy policy.
  const MAX_TEXT = 6_000;
  const CONTROLS =
    'button, a, label, summary, [role="button"], [role="link"], [tabindex], [onclick], input[type="button"]';
  const MORE_CONTROLS = 'input[type="submit"], [class*="btn" i], [class*="button" i]';
  const FIELDS = 'textarea, input:is(:not([type]), [type="text"], [type="email"], [type="password"], [type="tel"])';
  const cookie = new RegExp(words.cookie, 'u');
  const privacy = new RegExp(words.privacy, 'u');
  const context = new RegExp(words.context, 'u');
  const name = new RegExp(words.name, 'i');
  const kinds = (['reject', 'settings', 'accept'] as const).map(
    (kind) => [kind, new RegExp(words[kind], 'u')] as const,
  );
  const acknowledge = new RegExp(words.acknowledge, 'u');
  const close = new RegExp(words.close, 'u');
  const cookieTopic = new RegExp(words.cookie, 'iu');
  const privacyTopic = new RegExp(words.privacy, 'iu');

  type Kind = 'reject' | 'settings' | 'accept' | 'acknowledge' | 'close';
  const cache = new Map<Element, { asks: boolean; clearly: boolean }>();

  const kindOf = (label: string): Kind | null => {
    if (label.length > 60) return null;
    const bare = label.replace(/[^\p{L}\p{N}×✕✖✗╳⨯]+/gu, ' ').trim();
    // A button without text has an icon only. On a banner, that is the close button.
    if (bare === '' || close.test(bare)) return 'close';
    if (acknowledge.test(bare)) return 'acknowledge';
    return kinds.find(([, words]) => words.test(label))?.[0] ?? null;
  };

  const labelOf = (control: Element): string => {
    if (control instanceof HTMLInputElement) return control.value.toLowerCase();
    return (
      tree.textOf(control) || (control.getAttribute('aria-label') ?? control.getAttribute('title') ?? '').toLowerCase()
    );
  };

  const isClickable = (element: Element) =>
    element.childElementCount === 0 &&
    (element.textContent ?? '').length <= 40 &&
    getComputedStyle(element).cursor === 'pointer';

  const controlsOf = (element: Element): Element[] => {
    const known = tree.find(element, `${CONTROLS}, ${MORE_CONTROLS}`);
    const plain = tree
      .find(element, 'div, span, p, b, strong')
      .filter((one) => !known.includes(one) && isClickable(one));
    return [...known, ...plain].filter(tree.isShown);
  };

  const isNamed = (element: Element): boolean => {
    const names = [element, ...tree.childrenOf(element)].map((one) =>
      [one.id, one.getAttribute('class'), one.getAttribute('aria-label'), one.getAttribute('data-testid')].join(' '),
    );
    return names.some((one) => name.test(one));
  };

  /** Removes a label from a text, whole words only: "cookies" contains "ok". */
  const without = (text: string, label: string): string => {
    if (label === '') return text;
    return text.replace(new RegExp(`(?<!\\p{L})${label.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?!\\p{L})`, 'u'), ' ');
  };

  const classify = (element: Element): { asks: boolean; clearly: boolean } => {
    const no = { asks: false, clearly: false };
    if ((element.textContent ?? '').length > 20_000) return no;
    const text = tree.textOf(element);
    if (text.length > MAX_TEXT || !(cookie.test(text) || privacy.test(text))) return no;
    if (tree.find(element, `main, [role="main"], ${FIELDS}`).some(tree.isShown)) return no;
    const found = new Set<Kind>();
    let sentence = text;
    for (const control of controlsOf(element)) {
      const label = labelOf(control);
      const kind = kindOf(label);
      if (kind === null || (label === '' && control instanceof HTMLLabelElement)) continue;
      found.add(kind);
      // Labels do not count as text of the banner: a footer also has a link to the cookie settings.
      sentence = without(sentence, label);
    }
    const clearly = found.has('accept') || found.has('reject');
    if (cookie.test(sentence) && (context.test(sentence) || isNamed(element))) {
      const asks = clearly || found.has('acknowledge') || (found.has('close') && isNamed(element));
      return { asks, clearly };
    }
    // Without the word "cookie", a typical name or a choice of controls is required.
    const isNamedNote = isNamed(element) && (clearly || found.has('acknowledge'));
    const asks = privacy.test(sentence) && ((found.has('accept') && found.has('settings')) || isNamedNote);
    return { asks, clearly: asks };
  };

  const classificationOf = (element: Element) => {
    const classification = cache.get(element) ?? classify(element);
    cache.set(element, classification);
    return classification;
  };

  return {
    topicOf: (text) => (cookieTopic.test(text) ? 'cookie' : privacyTopic.test(text) ? 'privacy' : null),
    asksConsent: (element) => classificationOf(element).asks,
    asksClearly: (element) => classificationOf(element).clearly,
    isReopener(element) {
      const label = tree.textOf(element) || labelOf(tree.find(element, '[aria-label], [title], [alt]')[0] ?? element);
      return label.length <= 40 && cookie.test(label) && kindOf(label) === 'settings';
    },
    isNamed,
    isName: (text) => name.test(text) || cookie.test(text.toLowerCase()),
  };
}
