import { describe, expect, it } from '@jest/globals';
import { decodeBody } from '../../../src/lib/xml/bytes/decode.ts';
import { XmlFault } from '../../../src/lib/xml/element.ts';
import { documentLimits, readDocument } from '../../../src/lib/xml/read.ts';
import { type ConformanceCase, conformanceCases } from './conformance.ts';

/** Declared utf-16, written in UTF-8: legacy programs send exactly this, so it is read. */
const TOLERATED = ['rmt-e2e-61'];

/** The words `<!DOCTYPE` stand in a comment, an instruction or CDATA. */
const MENTIONED_ONLY = ['o-p15pass1', 'o-p16pass1', 'o-p18pass1'];

const cases = conformanceCases();
const without = (recommendations: RegExp): readonly ConformanceCase[] =>
  cases.filter(({ recommendation }) => !recommendations.test(recommendation));

function outcome(document: ConformanceCase): string {
  try {
    readDocument(decodeBody(document.bytes), documentLimits);
    return 'read';
  } catch (error) {
    if (error instanceof XmlFault) return 'refused';
    throw error;
  }
}

const idsOf = (documents: readonly ConformanceCase[], expected: string): readonly string[] =>
  documents.filter((document) => outcome(document) === expected).map(({ id }) => id);

describe('the W3C conformance suite', () => {
  it('is complete', () => {
    expect(cases.length).toBeGreaterThan(2_580);
  });

  it('has 228 malformed documents without document type, all refused but one that V1 tolerates', () => {
    // What breaks only the rules of namespaces or of XML 1.1 is well-formed XML 1.0.
    const wrong = without(/^(NS|XML1\.1)/).filter(({ type, doctype }) => type === 'not-wf' && !doctype);
    expect(wrong).toHaveLength(228);
    expect(idsOf(wrong, 'read')).toEqual(TOLERATED);
  });

  it('has 73 well-formed documents without document type, all of which are read', () => {
    const good = without(/^XML1\.1/).filter(({ type, doctype }) => type !== 'not-wf' && !doctype);
    expect(good).toHaveLength(73);
    expect(idsOf(good, 'refused')).toEqual([]);
  });

  it('has documents with a document type, all of which are refused', () => {
    const typed = cases.filter(({ doctype }) => doctype);
    expect(typed.length).toBeGreaterThan(1_995);
    expect(idsOf(typed, 'read')).toEqual(MENTIONED_ONLY);
  });

  it('never makes the reader throw anything but a fault', () => {
    for (const document of cases) expect(['read', 'refused']).toContain(outcome(document));
  });
});
