import * as lists from 'stopword';

/** The lists by the two letters of their language, as pages name it. */
const BY_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  ...{ af: lists.afr, ar: lists.ara, bg: lists.bul, bn: lists.ben, ca: lists.cat, cs: lists.ces, da: lists.dan },
  ...{ de: lists.deu, el: lists.ell, en: lists.eng, eo: lists.epo, es: lists.spa, et: lists.est, eu: lists.eus },
  ...{ fa: lists.fas, fi: lists.fin, fr: lists.fra, ga: lists.gle, gl: lists.glg, he: lists.heb, hi: lists.hin },
  ...{ hr: lists.hrv, hu: lists.hun, hy: lists.hye, id: lists.ind, it: lists.ita, ja: lists.jpn, ko: lists.kor },
  ...{ lt: lists.lit, lv: lists.lav, ms: lists.msa, nb: lists.nob, nl: lists.nld, no: lists.nob, pl: lists.pol },
  ...{ pt: lists.por, ro: lists.ron, ru: lists.rus, sk: lists.slk, sl: lists.slv, sv: lists.swe, tr: lists.tur },
  ...{ uk: lists.ukr, vi: lists.vie, zh: lists.zho },
};

const sets = new Map<string, ReadonlySet<string>>();

/** Gives the words of a language that name nothing; none of a language whose list is not known. */
export function stopWordsOf(language: string): ReadonlySet<string> {
  const list = Object.hasOwn(BY_LANGUAGE, language) ? (BY_LANGUAGE[language] ?? []) : [];
  const words = sets.get(language) ?? new Set(list);
  if (list.length > 0) sets.set(language, words);
  return words;
}
