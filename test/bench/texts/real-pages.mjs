import { readFileSync } from 'node:fs';
import { spread } from '../sample.mjs';

/** What is no place for a text: parts whose content is not shown, or not as it stands. */
const CLOSED = 'script|style|noscript|svg|template|textarea|title|iframe|select|video|object';
const TAGS = new RegExp(
  `<!--[\\s\\S]*?-->|<(${CLOSED})\\b[\\s\\S]*?</\\1>|<(h[1-6]|p|li|td|th|a|button|label|small|strong)\\b[^>]*>`,
  'gi',
);
const MOST_PLACES = 9;

export const REAL_FIELDS = {
  texts: { '.px-date': 'date', '.px-price': 'money', '.px-nested': 'money', '.px-count': 'number', 'time.px': 'time' },
};

const SNIPPETS = [
  (v) => `<span class="px-price">${v.money()}</span> `,
  (v) => `<b class="px-count">${v.count()}</b> `,
  (v) => `<span class="px-date">${v.date('en-US', 'full')}</span> `,
  (v) => {
    const [whole, cents] = v.price();
    return `<span class="px-nested">€<b>${whole}</b>.<sup>${cents}</sup></span> `;
  },
  (v) => `<time class="px">${v.ago()}</time> `,
];

/**
 * Writes texts that differ at each load into the document of a real page: at the beginning of headings, paragraphs, list items, cells, links and
 * buttons, evenly over the page.
 */
export function writeRealPage(path, values) {
  const html = readFileSync(path, 'utf8');
  const body = html.search(/<body\b/i);
  const places = [...html.matchAll(TAGS)]
    .filter(({ 2: tag, index }) => tag && index > body)
    .map(({ 0: text, index }) => index + text.length);
  let [written, from] = ['', 0];
  for (const [number, place] of spread(places, MOST_PLACES).entries()) {
    written += html.slice(from, place) + SNIPPETS[number % SNIPPETS.length](values);
    from = place;
  }
  return written + html.slice(from);
}
