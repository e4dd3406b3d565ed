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

/** `V2 specification, "Tokens", rules 3 to 5`. */
const CITATION =
  /\b(V2 specification|XML specification), (?:"([^"]+)"(?: and "([^"]+)")?)?(?:(?:, )?(?:behaviour )?rules? (\d+)(?: (?:to|and) (\d+))?)?/g;

/** A comment that goes on in the next line is one text. */
const unwrapped = (text: string): string => text.replaceAll(/\s*\n\s*(?:\*|\/\/|#|>)?\s*/g, ' ');

/** Citations that lead nowhere. */
function faultsIn(text: string): readonly string[] {
  return Array.from(
    unwrapped(text).matchAll(CITATION),
    ([citation, name = '', title = '', second, ...rules]) => {
      // A group that took no part is undefined, whatever the type says.
      const numbers: readonly (string | undefined)[] = rules;
      const count = documents[name]?.[title];
      const exists =
        count !== undefined &&
        (second === undefined || documents[name]?.[second] !== undefined) &&
        numbers.every((rule) => rule === undefined || Number(rule) <= count);
      return exists ? undefined : citation;
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

  it('are found on one line and on two, and a wrong section or rule is reported', () => {
    const good = [
      'V2 specification, "Tokens", rule 5',
      'V2 specification, "Tokens", rules 3 to 5',
      'XML specification, "Custom field\n * methods"',
      'the V2 specification prints `/v2/`',
    ];
    const bad = [
      'V2 specification, "Tokens", rule 9',
      'V2 specification, "Endpoint reference"',
      'XML specification, "Tokens"',
      'XML\n * specification, "Tokens"',
      'V2 specification, Limits',
      'V2 specification, behaviour rule 2',
      'XML specification, "Endpoints" and "Tokens"',
    ];
    expect(good.flatMap(faultsIn)).toEqual([]);
    expect(bad.filter((citation) => faultsIn(citation).length === 0)).toEqual([]);
  });
});
