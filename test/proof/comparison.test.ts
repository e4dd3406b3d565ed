import { describe, expect, it } from '@jest/globals';
import { Masking, unmasked } from '../../src/features/samples/masking.ts';
import type { SampledElement } from '../../src/features/samples/sample.ts';
import { readDocument } from '../../src/lib/xml/read.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { compare, type ComparisonRules } from '../../src/proof/comparison/compare.ts';
import type { Cause } from '../../src/features/cutover/parity/difference.ts';
import { groupsOf, maskedText } from '../../src/proof/comparison/groups.ts';
import {
  baselineVerdict,
  liveVerdict,
  type KnownChanges,
  type ReadVerdict,
} from '../../src/proof/comparison/verdict.ts';
import { altered, type Alteration } from '../../src/sandbox/faults/alter.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { deliveredMapping } from '../support/mapping.ts';

const PAGE = 10;
const rules: ComparisonRules = { pageSizes: [PAGE], ignored: new Set(['RemoteUrl']) };
const tree = (text: string): SampledElement => unmasked(readDocument(text));

/** An invoice list of one account, with values of its own. */
function listOf(account: number): string {
  const size = 25 + (account % 9);
  const records = Array.from({ length: size }, (_, n) => {
    const amount = `${account + 100}.${String(((n * 7) % 90) + 11)}`;
    const at = `2026-0${(n % 9) + 1}-1${n % 10}T0${n % 10}:15:00`;
    return `<Invoice><ID>${account * 1000 + n}</ID><Name>Work ${n} of ${account}</Name><Amount>${amount}</Amount><IsPaid>Yes</IsPaid><Sent>${at}</Sent><Seen>x</Seen></Invoice>`;
  });
  return `<Response api-method="List"><Status>OK</Status><Invoices>${records.join('')}</Invoices></Response>`;
}

interface Seeded {
  readonly rule: Alteration;
  /** Undefined: it only looks like a difference. */
  readonly cause: Cause | undefined;
}

/** What was seeded into the answers of V3, one kind for each account. */
const kinds: Readonly<Record<string, Seeded>> = {
  value: { rule: { change: 'value', element: 'Name', at: 3, to: 'Something else' }, cause: 'value' },
  order: { rule: { change: 'reverse', element: 'Invoice' }, cause: 'order' },
  'missing element': { rule: { change: 'remove', element: 'IsPaid', count: 1 }, cause: 'missing-element' },
  'other type': { rule: { change: 'value', element: 'IsPaid', to: '1' }, cause: 'type' },
  rounding: { rule: { change: 'round', element: 'Amount', places: 0 }, cause: 'rounding' },
  'time zone': { rule: { change: 'shift', element: 'Sent', hours: -11 }, cause: 'time-zone' },
  'missing record': {
    rule: { change: 'remove', element: 'Invoice', at: 4, count: 1 },
    cause: 'missing-record',
  },
  'extra record': {
    rule: { change: 'replace', pattern: '<Invoices>', with: '<Invoices><Invoice><ID>9</ID></Invoice>' },
    cause: 'extra-record',
  },
  paging: { rule: { change: 'remove', element: 'Invoice', at: PAGE, count: PAGE }, cause: 'paging' },
  'changed meanwhile': { rule: { change: 'value', element: 'Name', at: 5, to: 'Newer' }, cause: undefined },
  noise: { rule: { change: 'count', element: 'Seen' }, cause: undefined },
};

/** V1 before, V3, and V1 again, as the kind has it. */
function verdictFor(kind: string, { rule }: Seeded, account: number): ReadVerdict {
  const v1 = listOf(account);
  const v3 = altered(v1, rule, account);
  const again = kind === 'changed meanwhile' ? v3 : kind === 'noise' ? altered(v1, rule, account + 1) : v1;
  return liveVerdict(tree(v1), tree(v3), tree(again), rules);
}

describe('the comparison of 50 generated accounts with seeded differences', () => {
  const accounts = Array.from({ length: 50 }, (_, n) => n + 1);
  const names = Object.keys(kinds);

  it.each(names)('reports the kind "%s" under its cause and nothing else, or not at all', (kind) => {
    const seeded = kinds[kind];
    if (seeded === undefined) throw new Error(kind);
    const some = accounts.filter((account) => names[account % names.length] === kind);
    expect(some.length).toBeGreaterThanOrEqual(4);
    for (const account of some) {
      const { different, changed, noise } = verdictFor(kind, seeded, account);
      expect([...new Set(different.map(({ cause }) => cause))]).toEqual(
        seeded.cause === undefined ? [] : [seeded.cause],
      );
      expect([changed > 0, noise > 0]).toEqual([kind === 'changed meanwhile', kind === 'noise']);
    }
  });

  it('reports no difference for equal replies', () => {
    for (const account of accounts)
      expect(
        liveVerdict(tree(listOf(account)), tree(listOf(account)), tree(listOf(account)), rules).different,
      ).toEqual([]);
  });
});

describe('an element that V1 changes between its two replies', () => {
  const clients = (ids: readonly number[]): SampledElement =>
    tree(`<R><Clients>${ids.map((id) => `<Client><ID>${id}</ID></Client>`).join('')}</Clients></R>`);
  const all = Array.from({ length: 25 }, (_, n) => n);
  const swapped = [1, 0, ...all.slice(2)];
  const job = (minutes: string): SampledElement => tree(`<R><Job><ID>J1</ID>${minutes}</Job></R>`);
  const minutes = (text: string): SampledElement => job(`<Minutes>${text}</Minutes>`);

  it('does not hide a page that V3 lacks, even if V1 changes the order of the list', () => {
    const { different, noise } = liveVerdict(
      clients(all),
      clients(all.slice(0, PAGE)),
      clients(swapped),
      rules,
    );
    expect(different).toMatchObject([{ cause: 'paging', detail: '15 records missing' }]);
    expect(noise).toBe(0);
  });

  it('does not hide that V3 lacks it, or has it in another type', () => {
    const causesOf = (v3: SampledElement): readonly Cause[] =>
      liveVerdict(minutes('10'), v3, minutes('11'), rules).different.map(({ cause }) => cause);
    expect(causesOf(job(''))).toEqual(['missing-element']);
    expect(causesOf(minutes('ten'))).toEqual(['type']);
    expect(causesOf(minutes('10.0'))).toEqual(['type']);
  });

  it('does not hide that V3 leaves it empty, which is the same difference at each comparison', () => {
    const lost = (before: string, again: string) => {
      const verdict = liveVerdict(minutes(before), minutes(''), minutes(again), rules);
      const [difference] = verdict.different;
      if (difference === undefined) throw new Error('nothing is different');
      const found = { api: 'v3', method: 'job.get', read: 'r1', isUndecided: false, difference };
      return { verdict, group: groupsOf([found], (text) => text)[0] };
    };
    const [one, other] = [lost('10', '11'), lost('12', '13')];
    expect(one.verdict).toMatchObject({
      different: [{ cause: 'value', before: '11' }],
      noise: 0,
      changed: 0,
    });
    expect(one.group?.example).toBe('99 → (empty), a value → nothing');
    expect(other.group?.signature).toBe(one.group?.signature);
    expect(liveVerdict(minutes('10'), minutes(''), minutes(''), rules)).toMatchObject({
      ...{ different: [], changed: 1, noise: 0 },
    });
  });

  it('does not hide that V3 rounds the new value', () => {
    const { different } = liveVerdict(minutes('10.123'), minutes('11.35'), minutes('11.345'), rules);
    expect(different).toMatchObject([{ cause: 'rounding', before: '11.345', after: '11.35' }]);
  });

  it('is no difference if V3 has the new value or a third one, or lacks it as V1 now does', () => {
    const verdict = (v3: SampledElement, again: SampledElement): ReadVerdict =>
      liveVerdict(minutes('10'), v3, again, rules);
    expect(verdict(minutes('11'), minutes('11'))).toMatchObject({ different: [], changed: 1, noise: 0 });
    expect(verdict(minutes('12'), minutes('11'))).toMatchObject({ different: [], changed: 0, noise: 1 });
    expect(verdict(job(''), job(''))).toMatchObject({ different: [], changed: 1, noise: 0 });
  });

  it('is no missing page if V1 lists more records in another order by then', () => {
    const more = clients([...swapped.slice(0, PAGE), ...all.slice(PAGE)]);
    const reversed = clients(all.slice(0, PAGE).toReversed());
    expect(liveVerdict(clients(all.slice(0, PAGE)), reversed, more, rules).different).toEqual([]);
  });
});

describe('two replies', () => {
  it('do not differ in the address of a document, which the bridge creates itself', () => {
    const one = tree('<R><D><ID>1</ID><RemoteUrl>a</RemoteUrl></D></R>');
    expect(compare(one, tree('<R><D><ID>1</ID><RemoteUrl>b</RemoteUrl></D></R>'), rules)).toEqual([]);
    expect(compare(one, tree('<R><D><ID>1</ID></D></R>'), rules).map(({ cause }) => cause)).toEqual([
      'missing-element',
    ]);
  });

  it('differ if only one of them has an address of a document', () => {
    const of = (url: string): SampledElement => tree(`<R><D><ID>1</ID><RemoteUrl>${url}</RemoteUrl></D></R>`);
    const found = { cause: 'value', path: 'R/D/RemoteUrl', records: ['1'], before: '', after: '' };
    expect(compare(of('https://x/1'), of(''), rules)).toEqual([{ ...found, detail: 'an address → nothing' }]);
    expect(compare(of(''), of('https://x/1'), rules)).toEqual([{ ...found, detail: 'nothing → an address' }]);
    expect(compare(of(''), of(''), rules)).toEqual([]);
  });

  it('differ in the text beside the elements of a value, and not in indentation', () => {
    const of = (text: string): SampledElement => tree(`<R><Text>${text}</Text></R>`);
    expect(compare(of('pay <b>500</b> to Kim'), of('refund <b>500</b> from Kim'), rules)).toMatchObject([
      { cause: 'value', path: 'R/Text', before: 'pay   to Kim' },
    ]);
    expect(compare(of('<b>5</b><i>6</i>'), of('\n  <b>5</b>\n  <i>6</i>\n'), rules)).toEqual([]);
    expect(compare(of('a  b <b>5</b> c'), of('\n  a\n  b\n  <b>5</b>\n  c\n'), rules)).toEqual([]);
    expect(compare(of('a <b>5</b>'), of('<b>5</b> a'), rules).map(({ cause }) => cause)).toEqual(['value']);
    expect(compare(of('<b>5</b>'), of('a <b>5</b>'), rules).map(({ cause }) => cause)).toEqual(['value']);
    expect(compare(of('<b>5</b>'), of('\n'), rules).map(({ cause }) => cause)).toEqual(['missing-record']);
  });

  it('differ in an attribute that only one of them has', () => {
    const of = (attribute: string): SampledElement => tree(`<A><Note${attribute}>a</Note></A>`);
    const found = (before: string, after: string): readonly (readonly [Cause, string])[] =>
      compare(of(before), of(after), rules).map(({ cause, path }) => [cause, path]);
    expect(found('', ' kind="x"')).toEqual([['extra-element', 'A/Note/@kind']]);
    expect(found(' kind="x"', '')).toEqual([['missing-element', 'A/Note/@kind']]);
    expect(found(' kind="x"', ' kind="x"')).toEqual([]);
  });

  it('are reported with the record and the place of a difference, and the records around it', () => {
    const of = (name: string): SampledElement =>
      tree(
        `<R><Clients><Client><ID>1</ID><Contacts><Contact><ID>5</ID><Name>${name}</Name></Contact></Contacts></Client></Clients></R>`,
      );
    expect(compare(of('Ann'), of('Anne'), rules)).toMatchObject([
      { cause: 'value', records: ['1', '5'], path: 'R/Clients/Client/Contacts/Contact/Name' },
    ]);
  });

  it('differ in the names of the entries of a list, whatever is in them', () => {
    const found = (before: string, after: string): readonly (readonly [Cause, string])[] =>
      compare(tree(`<R>${before}</R>`), tree(`<R>${after}</R>`), rules).map(({ cause, path }) => [
        cause,
        path,
      ]);
    const contact = (name: string): string => `<Contacts><${name}><ID>5</ID></${name}></Contacts>`;
    expect(found(contact('ContactPerson'), contact('Contact'))).toEqual([
      ['missing-element', 'R/Contacts/ContactPerson'],
      ['extra-element', 'R/Contacts/Contact'],
    ]);
    const notes = (...names: readonly string[]): string =>
      `<Notes>${names.map((name) => `<${name}><Title>a</Title></${name}>`).join('')}</Notes>`;
    expect(found(notes('JobNote', 'JobNote'), notes('Note', 'Note'))).toEqual([
      ['missing-element', 'R/Notes/JobNote'],
      ['extra-element', 'R/Notes/Note'],
    ]);
    expect(found(notes('Note', 'Note'), notes('Note', 'JobNote', 'Note'))).toEqual([
      ['extra-element', 'R/Notes/JobNote'],
    ]);
    expect(found(notes('Note', 'Note'), '<Notes></Notes>')).toEqual([
      ['missing-record', 'R/Notes/Note'],
      ['missing-record', 'R/Notes/Note'],
    ]);
  });

  it('have an extra record if one has no number, and the others are compared by number', () => {
    const of = (...clients: readonly string[]): SampledElement =>
      tree(`<R><Clients>${clients.map((one) => `<Client>${one}</Client>`).join('')}</Clients></R>`);
    const [one, two] = ['<ID>1</ID><Name>A</Name>', '<ID>2</ID><Name>B</Name>'];
    const found = compare(of(one, two), of('<ID></ID><Name>New</Name>', one, two), rules);
    expect(found.map(({ cause, path }) => [cause, path])).toEqual([['extra-record', 'R/Clients/Client']]);
  });

  it('have a repeated record if a page came twice', () => {
    const of = (...ids: readonly number[]): SampledElement =>
      tree(`<R><Clients>${ids.map((id) => `<Client><ID>${id}</ID></Client>`).join('')}</Clients></R>`);
    expect(compare(of(1, 2), of(1, 2, 2), rules).map(({ cause }) => cause)).toEqual(['paging']);
  });

  it('may both have a record twice, whose entries are compared one by one', () => {
    const of = (...names: readonly string[]): SampledElement =>
      tree(
        `<R><Tasks>${names.map((name) => `<Task><ID>7</ID><Name>${name}</Name></Task>`).join('')}</Tasks></R>`,
      );
    expect(compare(of('a', 'b'), of('a', 'b'), rules)).toEqual([]);
    expect(compare(of('a', 'b'), of('a'), rules)).toMatchObject([
      { cause: 'missing-record', records: ['7', '2'] },
    ]);
    expect(compare(of('a', 'b'), of('a', 'c'), rules)).toMatchObject([
      { cause: 'value', records: ['7', '2'], before: 'b', after: 'c' },
    ]);
    expect(compare(of('a', 'b'), of('a', 'b', 'c'), rules)).toMatchObject([
      { cause: 'paging', detail: '1 records twice' },
    ]);
  });
});

describe('a baseline', () => {
  const ring = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 1).toString('base64')}`));
  const method = deliveredMapping().methods.find(({ id }) => id === 'client.get');
  const masking = Masking.of(ring, 'a');
  const masked = (name: string, prospect = 'No'): SampledElement => {
    const text = `<Response><Status>OK</Status><Client><ID>7</ID><Name>${name}</Name><IsProspect>${prospect}</IsProspect></Client></Response>`;
    if (masking === undefined) throw new Error('no key');
    return masking.masked(readDocument(text), method);
  };

  const known = (hasChanged: boolean | undefined): KnownChanges => ({
    ...{ changedSince: () => hasChanged, isOptional: () => true, isGiven: () => true },
  });

  it('shows that a hidden text differs, has changed since, or cannot be compared', () => {
    expect(compare(masked('Ann'), masked('Ann'), rules)).toEqual([]);
    const differences = compare(masked('Ann'), masked('Bob'), rules);
    expect(differences).toMatchObject([{ cause: 'value', path: 'Response/Client/Name' }]);
    expect(baselineVerdict(differences, known(true))).toMatchObject({
      changed: 1,
      different: [],
      undecided: [],
    });
    expect(baselineVerdict(differences, known(false))).toMatchObject({ changed: 0, different: differences });
    expect(baselineVerdict(differences, known(undefined))).toMatchObject({
      changed: 0,
      undecided: differences,
    });
  });

  it('shows that the text beside the elements of a value differs', () => {
    const [one, other] = [masked('pay <b>5</b> to Kim'), masked('refund <b>5</b> from Kim')];
    expect(JSON.stringify(one)).not.toContain('Kim');
    expect(compare(one, other, rules)).toMatchObject([{ cause: 'value', path: 'Response/Client/Name' }]);
    expect(compare(one, masked('\n  pay\n  <b>5</b>\n  to  Kim\n'), rules)).toEqual([]);
  });

  it('decides differences that no change of data explains', () => {
    const differences = compare(masked('Ann', 'No'), masked('Ann', '0'), rules);
    expect(baselineVerdict(differences, known(undefined)).different).toMatchObject([{ cause: 'type' }]);
  });
});

describe('a group of differences', () => {
  const found = (before: string, after: string) => ({
    ...{ api: 'v3', method: 'client.get', read: 'r1', isUndecided: false },
    difference: { cause: 'value' as const, path: 'R/Name', records: ['1'], before, after, detail: '' },
  });
  const hash = (text: string): string => text;

  it('keeps its signature while the same values differ, and changes it with one more', () => {
    const [one] = groupsOf([found('Ann', 'Bob')], hash);
    const [same] = groupsOf([found('Ann', 'Bob'), found('Ann', 'Bob')], hash);
    const [more] = groupsOf([found('Ann', 'Bob'), found('Ann', 'Cid')], hash);
    expect(same?.signature).toBe(one?.signature);
    expect(more?.signature).not.toBe(one?.signature);
    expect(more?.key).toBe(one?.key);
  });

  it('has an example that shows the shape of a value and not the value', () => {
    expect(maskedText('Ann O’Neil 42')).toBe('Xxx X’Xxxx 99');
    expect(groupsOf([found('Ann', '')], hash)[0]?.example).toBe('Xxx → (empty)');
    expect(groupsOf([found('#abcdef', '#ghijkl')], hash)[0]?.example).toBe('(hidden text) → (hidden text)');
  });
});
