/** Renders a whole number with its thousands apart, the same under every locale: `10,240`. */
export function renderCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Renders a count with the noun in its number: `1 shot`, `2 shots`. */
export function renderCountOf(count: number, noun: string): string {
  return `${renderCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Ends a text with one full stop, whatever it ends with. */
export function endSentence(text: string): string {
  return /[!?]$/.test(text) ? text : `${text.replace(/[.\s]+$/, '')}.`;
}
