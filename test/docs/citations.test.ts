import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The headings of the two documents; what stands there in brackets is left out. */
const titles: Readonly<Record<string, readonly string[]>> = {
  '000_ef2b8fc3580d6af3.txt': [
    'What the service does',
    'Resources and their fields',
    'Response envelope',
    'Resources and the attributes that are named',
    'States and transitions',
    'Endpoints',
    'Authentication',
    'Prerequisites',
    'Flow',
    'Scopes',
    'Tokens',
    'Events',
    'Errors',
    'Limits',
    'Versioning',
  ],
  '001_43834a5c52d8e676.txt': [
    'What the service does',
    'Resources and their fields',
    'Client',
    'Practice management module fields',
    'Contact',
    'Note',
    'Document',
    'Relationship',
    'Custom field definition',
    'Custom field value',
    'States and transitions',
    'Endpoints',
    'Client methods',
    'Custom field methods',
    'Authentication',
    'Events',
    'Errors',
    'Limits',
    'Versioning',
  ],
};

/** `NAME.txt, "Title"`, `NAME.txt, Title, rule 3`, `NAME.txt, "Title" and "Title"`. */
const CITATION = /(00[01]_[\da-f]{16}\.txt),\s+(?:"([^"]+)"(?: and "([^"]+)")?|([A-Z][A-Za-z ]*))/g;

const cited = (text: string): readonly string[] =>
  [...text.replaceAll(/\n[ \t]*(?:\*|\/\/|#)?[ \t]*/g, ' ').matchAll(CITATION)].flatMap(
    ([, document = '', quoted, second, plain]) =>
      [quoted, second, plain?.trim()].flatMap((title) =>
        title === undefined ? [] : [`${document}, ${title}`],
      ),
  );

const known = new Set(
  Object.entries(titles).flatMap(([document, all]) => all.map((title) => `${document}, ${title}`)),
);

const files = ['src', 'mappings', 'docs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|yaml|md|eta)$/.test(name))
    .map((name) => join(folder, name)),
);

describe('a citation of the two documents', () => {
  it('names a section that is there', () => {
    const wrong = files.flatMap((file) =>
      cited(readFileSync(join(ROOT, file), 'utf8'))
        .filter((one) => !known.has(one))
        .map((one) => `${file}: ${one}`),
    );
    expect(wrong).toEqual([]);
  });

  it('is found where it stands over two lines, with a rule behind it, or beside another', () => {
    expect(
      cited(
        '/** x (000_ef2b8fc3580d6af3.txt,\n * Tokens, rule 4); 001_43834a5c52d8e676.txt, "Endpoints" and "Client methods". */',
      ),
    ).toEqual([
      '000_ef2b8fc3580d6af3.txt, Tokens',
      '001_43834a5c52d8e676.txt, Endpoints',
      '001_43834a5c52d8e676.txt, Client methods',
    ]);
  });
});
