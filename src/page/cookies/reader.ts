import type { CONSENT_WORDS } from './consent-words.js';
import type { Tree } from './tree.js';

export type Reader = ReturnType<typeof createReader>;

/** Runs in the page. */
export function createReader(tree: Tree, words: typeof CONSENT_WORDS) {
  // In characters. A longer text is content that mentions cookies, such as a privacy policy.
  const MAX_TEXT = 6_000;
  const MAX_STATEMENT = 400;
  const MAX_CHOICE = 1_000;
  const MAX_LABEL = 40;
  // In elements.
  const MAX_ELEMENTS = 300;
  const NAMES = ['id', 'class', 'aria-label', 'data-testid', 'name', 'href', 'src'];
  const CONTROLS =
    'button, a, label, summary, [role="button"], [role="link"], [tabindex], [onclick], input[type="button"]';
  const MORE_CONTROLS = 'input[type="submit"], [class*="btn" i], [class*="button" i]';
  const FIELDS = 'textarea, input:is(:not([type]), [type="text"], [type="email"], [type="password"], [type="tel"])';
  const cookie = new RegExp(words.cookie, 'u');
  const privacy = new RegExp(words.privacy, 'u');
  const context = new RegExp(words.context, 'u');
  const name = new RegExp(words.name, 'i');
  type Kind = 'reject' | 'settings' | 'accept' | 'acknowledge' | 'answer' | 'close';
  const wordsOf = (kind: Kind) => [kind, new RegExp(words[kind], 'u')] as const;
  const wholeKinds = (['close', 'acknowledge', 'answer'] as const).map(wordsOf);
  const kinds = (['reject', 'settings', 'accept'] as const).map(wordsOf);
  const use = new RegExp(words.use, 'u');
  const failure = new RegExp(words.failure, 'u');
  const all = new RegExp(words.all, 'u');
  const purposes = words.purposes.map((purpose) => new RegExp(purpose, 'u'));
  const cookieTopic = new RegExp(words.cookie, 'iu');
  const privacyTopic = new RegExp(words.privacy, 'iu');

  const cache = new Map<Element, ReturnType<typeof classify>>();

  const kindOf = (label: string): Kind | null => {
    if (label.length > 60) return null;
    const bare = label.replace(/[^\p{L}\p{N}×✕✖✗╳⨯]+/gu, ' ').trim();
    // A button without text has an icon only. On a banner, that is the close button.
    if (bare === '') return 'close';
    const whole = wholeKinds.find(([, words]) => words.test(bare));
    return (whole ?? kinds.find(([, words]) => words.test(label)))?.[0] ?? null;
  };

  const labelOf = (control: Element): string => {
    if (control instanceof HTMLInputElement) return control.value.toLowerCase();
    const title = control.getAttribute('aria-label') ?? control.getAttribute('title') ?? '';
    return tree.textOf(control) || title.toLowerCase();
  };

  const isClickable = (element: Element) =>
    element.childElementCount === 0 &&
    (element.textContent ?? '').length <= 40 &&
    getComputedStyle(element).cursor === 'pointer';

  const controlsOf = (element: Element): Element[] => {
    const known = tree.find(element, `${CONTROLS}, ${MORE_CONTROLS}`);
    const others = tree.find(element, 'div, span, p, b, strong').filter((one) => !known.includes(one));
    return [...known, ...others.filter(isClickable)].filter(tree.isRendered);
  };

  /** An element, or one of its children, has an id, class or label that is typical of banners. */
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

  const readControls = (element: Element, text: string) => {
    const labels: { label: string; kind: Kind }[] = [];
    // Labels do not count as text of the banner: a footer also has a link to the cookie settings.
    let sentence = text;
    for (const control of controlsOf(element)) {
      const label = labelOf(control);
      const kind = kindOf(label);
      if (kind === null || (label === '' && control instanceof HTMLLabelElement)) continue;
      labels.push({ label, kind });
      sentence = without(sentence, label);
    }
    return { labels, sentence };
  };

  const hasContentOrFields = (element: Element) =>
    tree.find(element, `main, [role="main"], ${FIELDS}`).some(tree.isRendered);

  /**
   * Checks whether an element mentions cookies or privacy and asks for consent; whether it does so `clearly`, with an accept or reject control, not
   * only "OK"; and whether it `states` that the site uses cookies, and has a control that closes it.
   */
  const classify = (element: Element) => {
    const no = { asks: false, clearly: false, states: false };
    if ((element.textContent ?? '').length > 20_000) return no;
    const text = tree.textOf(element);
    if (text.length > MAX_TEXT || !(cookie.test(text) || privacy.test(text))) return no;
    if (hasContentOrFields(element)) return no;
    const { labels, sentence } = readControls(element, text);
    const found = new Set(labels.map(({ kind }) => kind));
    // An error about cookies is no request for consent, although a button closes it.
    const hasChoice = found.has('accept') && (found.has('reject') || found.has('settings'));
    if (!hasChoice && failure.test(sentence)) return no;
    const clearly = found.has('accept') || found.has('reject');
    const isStatement = use.test(sentence);
    if (cookie.test(sentence) && (isStatement || context.test(sentence) || isNamed(element))) {
      // A link with only an icon has no label. In a footer, it leads to another site.
      const hasCross = labels.some(({ label, kind }) => kind === 'close' && label !== '');
      const closes = found.has('acknowledge') || found.has('answer') || hasCross;
      const states = closes && text.length <= MAX_STATEMENT && isStatement;
      const closesNamed = (found.has('close') || found.has('answer')) && isNamed(element);
      return { asks: clearly || states || found.has('acknowledge') || closesNamed, clearly, states };
    }
    // Without the word "cookie", a typical name or a choice of controls is required.
    const isNamedNote = isNamed(element) && (clearly || found.has('acknowledge'));
    const asks = privacy.test(sentence) && ((found.has('accept') && found.has('settings')) || isNamedNote);
    return { asks, clearly: asks, states: false };
  };

  /** Checks the text, hidden parts, names and links of an element, and the names of its ancestors. */
  const hasEvidence = (element: Element): boolean => {
    const inner = [element, ...tree.find(element, '*')].slice(0, MAX_ELEMENTS);
    for (let at = tree.parentOf(element); at && at !== document.body; at = tree.parentOf(at)) inner.push(at);
    const names = inner.map((one) =>
      [one.localName, ...NAMES.map((attribute) => one.getAttribute(attribute))].join(' ').toLowerCase(),
    );
    if (names.some((one) => name.test(one) || cookie.test(one) || privacy.test(one))) return true;
    const texts = [element, ...tree.rootsWithin(element)].map((one) => one.textContent ?? '');
    const text = texts.join(' ').toLowerCase();
    return cookie.test(text) || purposes.filter((purpose) => purpose.test(text)).length > 2;
  };

  /** Classifies a choice between "accept all" and "reject" or "customize". `settings` is a choice to customize without evidence of consent. */
  const choiceOf = (element: Element): 'consent' | 'settings' | null => {
    const text = tree.textOf(element);
    if (text.length > MAX_CHOICE || hasContentOrFields(element)) return null;
    const { labels } = readControls(element, text);
    const accepts = labels.some(({ label, kind }) => kind === 'accept' && all.test(label));
    const has = (wanted: Kind) => labels.some(({ kind }) => kind === wanted);
    if (!accepts || !(has('reject') || has('settings'))) return null;
    if (hasEvidence(element)) return 'consent';
    return has('settings') ? 'settings' : null;
  };

  return {
    topicOf: (text: string) => (cookieTopic.test(text) ? 'cookie' : privacyTopic.test(text) ? 'privacy' : null),
    classify(element: Element) {
      const classification = cache.get(element) ?? classify(element);
      cache.set(element, classification);
      return classification;
    },
    isAcceptAll: (text: string) => {
      const label = text.trim().toLowerCase();
      return label.length <= MAX_LABEL && all.test(label) && kindOf(label) === 'accept';
    },
    choiceOf,
    /** Checks whether the whole label of an element is "cookie settings" or similar. */
    isReopener(element: Element): boolean {
      const label = tree.textOf(element) || labelOf(tree.find(element, '[aria-label], [title], [alt]')[0] ?? element);
      return label.length <= 40 && cookie.test(label) && kindOf(label) === 'settings';
    },
    isNamed,
    isConsentName: (text: string) => name.test(text),
    /** Checks whether a name, such as a class name, relates to cookies. */
    isName: (text: string) => name.test(text) || cookie.test(text.toLowerCase()),
  };
}
