import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/**
 * A comment that names its source can be looked up: the section exists in the specification, and so does the rule.
 * `specification.json` lists the titles of both documents with the number of their numbered rules, so that no test needs
 * the documents themselves.
 */
const project = join(import.meta.dirname, '..', '..');
const documents = JSON.parse(
  readFileSync(join(import.meta.dirname, 'specification.json'), 'utf8'),
) as Readonly<Record<string, Readonly<Record<string, number>>>>;

const places = ['src/**/*.ts', 'scripts/**/*.ts', 'mappings/**/*.yaml', 'docs/**/*.md', 'src/**/*.eta'];
const files = places.flatMap((pattern) => globSync(pattern, { cwd: project })).toSorted();

/** `000_….txt, Tokens, rules 3 to 5`, or short within the code: `000 "Tokens", rule 5`. */
const CITATION =
  /\b(?:(00[01]_[0-9a-f]{16}\.txt), |(00[01]) (?="))(?:"([^"]+)"(?: and "([^"]+)")?|([A-Z][a-z]+(?: [a-z]+)*))?(?:(?:, )?(?:behaviour )?rules? (\d+)(?: (?:to|and) (\d+))?)?/g;

/** A comment that goes on in the next line is one text. */
const unwrapped = (text: string): string => text.replaceAll(/\s*\n\s*(?:\*|\/\/|#|>)?\s*/g, ' ');

/** Citations that lead nowhere. */
function faultsIn(text: string): readonly string[] {
  return Array.from(
    unwrapped(text).matchAll(CITATION),
    ([citation, long, short, quoted, second, bare, ...rules]) => {
      // A group that took no part is undefined, whatever the type says.
      const numbers: readonly (string | undefined)[] = rules;
      const name = long ?? Object.keys(documents).find((one) => one.startsWith(`${short ?? ''}_`));
      const sections = documents[name ?? ''];
      if (sections === undefined) return citation;
      // Words that follow the title of a section belong to the sentence.
      const title = quoted ?? Object.keys(sections).find((one) => bare?.startsWith(one));
      if (title === undefined)
        return bare === undefined && numbers.every((rule) => rule === undefined) ? undefined : citation;
      if (second !== undefined && sections[second] === undefined) return citation;
      const count = sections[title];
      const exists = numbers.every(
        (rule) => rule === undefined || (count !== undefined && Number(rule) <= count),
      );
      return count !== undefined && exists ? undefined : citation;
    },
  ).filter((fault) => fault !== undefined);
}

describe('the sources that comments and documents cite', () => {
  it('exist in the specification, down to the number of the rule', () => {
    const faults = files.flatMap((file) =>
      faultsIn(readFileSync(join(project, file), 'utf8')).map((fault) => `${file}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('are found in every form in which they are written', () => {
    const good = [
      '000_ef2b8fc3580d6af3.txt, Tokens, rule 5',
      '000 "Tokens", rules 3 to 5',
      '001_43834a5c52d8e676.txt, "Custom field\n * methods"',
    ];
    const bad = [
      '000_ef2b8fc3580d6af3.txt, Tokens, rule 9',
      '000 "Endpoint reference"',
      '001_43834a5c52d8e676.txt, "Tokens"',
      '000_ef2b8fc3580d6af4.txt, Limits',
      '000_ef2b8fc3580d6af3.txt, Refunds',
      '000_ef2b8fc3580d6af3.txt, behaviour rule 2',
      '001_43834a5c52d8e676.txt, "Endpoints" and "Tokens"',
    ];
    expect(good.flatMap(faultsIn)).toEqual([]);
    expect(bad.filter((citation) => faultsIn(citation).length === 0)).toEqual([]);
  });
});
