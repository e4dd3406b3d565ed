/**
 * Whether the words of a refusal can stand in a report for third parties: a refusal may name a person, a record or an
 * organisation. Its words count as plain if each is one of these, a word of the mapping's own refusals, or the number
 * that was asked for. Words that are names of people as well (bill, grant, mark, may, will) are left out.
 */
import type { Mapping } from '../../../mapping/compile/model.ts';
import { refusalsIn } from '../judging/known-refusals.ts';

const plain: ReadonlySet<string> = new Set(
  `a access account active allowed an and any are archived at be been by can cannot code could couldn data deleted denied did
  do does doesn error exist existing exists failed for found from given has have id identifier identifiers ids in incorrect
  invalid is isn it item key match matches matching member missing no none not nothing number object of on or order person
  please provided record records request requested required resource s specified such supplied t that the there this to
  unable unknown user uuid valid value was wasn were which with within without wrong you your`.split(/\s+/),
);

/** `asked`: the number of the record that nobody has. */
export function isPlainRefusal(text: string, asked: string, mapping: Mapping): boolean {
  const known = new Set([...refusalsIn(mapping)].flatMap(wordsIn));
  return wordsIn(text).every((word) => word === asked || plain.has(word) || known.has(word));
}

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
