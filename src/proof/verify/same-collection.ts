/**
 * Whether a similar address shows the collection that was asked for: `categories` may be the jobs' categories, where
 * `lead-categories` are missing. The records tell it, by the names that V1 and V3 showed.
 */
import { isObject } from '../../mapping/compile/path.ts';
import type { Mapping } from '../../mapping/compile/model.ts';
import type { V2Row } from '../../mapping/compile/v2/v2-model.ts';
import { contentOf, isOfStep } from './judging/answers.ts';
import { comparable } from './judging/reference.ts';
import type { KnownRecords } from './known-records.ts';
import type { Accepts } from './recorder.ts';

/** Share of the records at an address of which a word is left out that must have a known name. */
const NEARLY_ALL = 0.9;

/** Judges the answers to lists; a record was asked for by its own identifier. */
export function sameCollection(known: KnownRecords, mapping: () => Mapping): Accepts {
  return ({ verb, segments }, { found, text }) => {
    const methods = mapping().methods.filter(
      ({ v2 }) =>
        v2?.way === 'steps' && showsRecords(v2.reply) && isOfStep({ verb, segments }, v2.reply.from),
    );
    const isShort = isShortened(segments, found);
    const names = methods.flatMap(({ id }) => known.namesOf(id)).map(wordsIn);
    const content = contentOf({ body: text });
    const records = (Array.isArray(content) ? (content as readonly unknown[]) : []).filter(isObject);
    if (methods.length === 0 || names.length === 0 || records.length === 0) return !isShort;
    const alike = records.filter((record) => hasName(record, names)).length;
    return isShort ? alike >= records.length * NEARLY_ALL : alike > 0;
  };
}

/** Whether a reply shows the records of a list, and not what is in them: their custom fields have other names. */
const showsRecords = ({ from, at }: V2Row['reply']): boolean =>
  at.length === 0 &&
  from.within === undefined &&
  from.segments.every((template) => template.length === 1 && typeof template[0] === 'string');

/** Whether words of a part are left out, so that it may name something else. */
const isShortened = (asked: readonly string[], found: readonly string[]): boolean =>
  found.some((part, index) => part !== asked[index] && asked[index]?.endsWith(`-${part}`) === true);

/** Whether each word of a known name is in the record: V2 has the names of people in two keys. */
function hasName(record: object, names: readonly (readonly string[])[]): boolean {
  const texts = Object.values(record).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  const words = new Set(texts.flatMap((text) => wordsIn(String(text))));
  return names.some((name) => name.length > 0 && name.every((word) => words.has(word)));
}

const wordsIn = (text: string): readonly string[] =>
  comparable(text)
    .split(' ')
    .filter((word) => word !== '');
