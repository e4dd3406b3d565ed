/**
 * Judges one method on one surface: its addresses, the form of its answers, and every name and type in its
 * records. Each finding is added to the list of all findings and marks the method as different.
 */
import { lossesOf } from '../../../mapping/compile/loss.ts';
import type { Method } from '../../../mapping/compile/model.ts';
import { isObject, keysIn } from '../../../mapping/compile/path.ts';
import type { V2Step } from '../../../mapping/compile/v2/v2-model.ts';
import type { Edit, Exchange, Finding, Proof, Reading, Surface } from '../model.ts';
import { maskedParts } from '../masked-path.ts';
import { answerKeyEdits, lookedUpEdits } from './answer-keys.ts';
import { contentOf, isAnswered, isListAnswer, jsonIn, jsonRecordsIn, xmlOf, xmlRecords } from './answers.ts';
import type { Findings, Judged } from './findings.ts';
import { compareJson } from './json-records.ts';
import type { JsonScope } from './json-renaming.ts';
import type { Reference } from './reference.ts';
import type { Scope } from './scope.ts';
import { settleEdits } from './settled.ts';
import { unansweredIn } from './unanswered.ts';
import { compareXml } from './xml-records.ts';

/** One method on one surface. */
export class MethodJudge {
  readonly #judged: Judged;
  readonly #reference: Reference;
  readonly #findings: Findings;
  readonly #method: Method;
  readonly #surface: Surface;
  readonly #readings: readonly Reading[];
  #differs = false;

  constructor(judged: Judged, reference: Reference, findings: Findings, method: Method, surface: Surface) {
    this.#judged = judged;
    this.#reference = reference;
    this.#findings = findings;
    this.#method = method;
    this.#surface = surface;
    this.#readings = judged.readings.filter(
      (reading) => reading.method === method.id && reading.surface === surface,
    );
  }

  proof(): Proof {
    const { id } = this.#method;
    const exchanges = this.#readings.flatMap((reading) => reading.exchanges);
    const scope = this.#scope();
    this.#addresses(exchanges);
    this.#answers(exchanges);
    this.#kept();
    const shown = this.#compare(scope, exchanges);
    const facts = {
      ...{ method: id, surface: this.#surface, calls: exchanges.length },
      ...{ seen: scope.seen.size, unseen: [...scope.unseen].filter((name) => !scope.seen.has(name)) },
    };
    return { ...facts, ...this.#state(shown) };
  }

  #state(shown: number): Pick<Proof, 'state' | 'words'> {
    const { id, reply } = this.#method;
    if (this.#differs) return { state: 'differs', words: '' };
    if (this.#readings.length === 0)
      return {
        state: 'untried',
        words: this.#judged.untried.get(`${id} ${this.#surface}`) ?? 'nothing to call it with',
      };
    const other = unansweredIn(this.#readings, this.#judged.mapping);
    if (other !== undefined) return other;
    if ('of' in reply && shown === 0) return { state: 'unseen', words: '' };
    return { state: this.#isShown(this.#readings) ? 'proven' : 'accepted', words: '' };
  }

  /** Whether a reply to a write shows values that were sent. A deletion sends none, and neither does a read. */
  #isShown(answered: readonly Reading[]): boolean {
    const { body, settle } = this.#method;
    if (body === undefined || settle?.way === 'gone') return true;
    return answered.some(({ kept = [] }) => kept.length > 0);
  }

  #parts(exchange: Pick<Exchange, 'segments' | 'insteadOf'>): readonly string[] {
    return maskedParts(exchange, this.#method, this.#surface, this.#judged.mapping);
  }

  /** Replaces identifiers by placeholders. */
  #shownPath(exchange: Pick<Exchange, 'segments' | 'insteadOf'>): string {
    return this.#parts(exchange).join('/');
  }

  #hasIdentifier(exchange: Exchange): boolean {
    return this.#parts(exchange).includes('{id}');
  }

  #found(finding: Omit<Finding, 'surface' | 'methods'>): void {
    this.#differs = true;
    this.#findings.add(this.#method.id, { ...finding, surface: this.#surface });
  }

  /** Names with a value in any answer count as seen; names without one in all answers count as missing. */
  #scope(): Scope {
    const { mapping, fileOf } = this.#judged;
    const file = fileOf(this.#method.id);
    const answered = this.#readings.flatMap(({ outcome }) =>
      outcome.outcome === 'answered' ? [...outcome.absent] : [],
    );
    const lost = lossesOf(this.#method).flatMap((loss) =>
      loss.loss === 'element' && loss.of === 'reply' ? [loss.element] : [],
    );
    return {
      ...{ method: this.#method, surface: this.#surface, file, reference: this.#reference },
      absent: new Set([...answered, ...lost]),
      settled: (renaming) => settleEdits(mapping.methods, fileOf, renaming),
      ...{ seen: new Set(), unseen: new Set() },
      found: (finding) => {
        this.#found(finding);
      },
      remark: (remark) => {
        this.#findings.remark({ ...remark, surface: this.#surface });
      },
    };
  }

  /** Returns the number of compared records. */
  #compare(scope: Scope, exchanges: readonly Exchange[]): number {
    const { reply, v2 } = this.#method;
    if (!('of' in reply)) return 0;
    if (scope.surface !== 'v2') {
      const records = xmlRecords(exchanges, this.#method);
      compareXml({ ...scope, surface: scope.surface }, reply.of, records, reply.element);
      return records.length;
    }
    if (v2?.way !== 'steps') return 0;
    const objects = jsonRecordsIn(exchanges, v2);
    const { from, at } = v2.reply;
    const place = [...keysIn(from.within ?? []), ...keysIn(at)];
    compareJson(this.#jsonScope(scope, from), reply.of, objects, reply.element, place);
    return objects.length;
  }

  #jsonScope(scope: Scope, { segments }: V2Step): JsonScope {
    const { mapping, fileOf } = this.#judged;
    return {
      ...{ ...scope, surface: 'v2', lookups: mapping.v2.lookups, renamed: this.#judged.renamed },
      elsewhere: (table, place, renaming) => {
        const behind = [...place, ...renaming.behind];
        const moved = renaming.moved && [...place, ...renaming.moved];
        return [
          ...answerKeyEdits(mapping, fileOf, { ...renaming, behind, moved, segments }),
          ...lookedUpEdits(mapping, table, renaming),
        ];
      },
    };
  }

  /** Handles calls that were answered at another address than the mapping’s. */
  #addresses(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) {
      const { insteadOf, segments, verb, status } = exchange;
      if (insteadOf !== undefined) {
        const [from, to] = [{ segments: insteadOf, insteadOf }, exchange].map(
          (one) => `${verb} ${this.#shownPath(one)}`,
        );
        this.#found({
          ...{ kind: 'address', row: from ?? '', expected: from ?? '', found: to },
          because: `the mapping’s address answered that it does not exist, this one ${status}`,
          edits: this.#addressEdits(verb, insteadOf, segments),
        });
      }
    }
  }

  /**
   * Corrects the address: on V3 only in the method's row; on V2 in each step and look-up with the same call. Other
   * calls of the collection may be answered where they were.
   */
  #addressEdits(verb: string, from: readonly string[], to: readonly string[]): readonly Edit[] {
    const at = from.findIndex((part, index) => part !== to[index]);
    const pattern = this.#parts({ segments: from, insteadOf: from }).map((part) =>
      part === '{id}' || isIdentifier(part) ? '*' : part,
    );
    const call = { change: 'call' as const, from: pattern.slice(0, at + 1), to: to[at] ?? '' };
    if (this.#surface === 'v3')
      return [
        { file: this.#judged.fileOf(this.#method.id), at: ['methods', this.#method.id, 'v3'], ...call },
      ];
    if (this.#surface === 'v1') return [];
    const files = new Set(this.#judged.mapping.methods.map(({ id }) => this.#judged.fileOf(id)));
    const only = { verb, rest: pattern.slice(at + 1) };
    return [
      ...Array.from(files, (file): Edit => ({ file, at: ['methods'], ...call, only })),
      { file: 'v2.yaml', at: ['lookups'], ...call, only },
    ];
  }

  /** Handles a success without a usable answer, and an address that does not exist. */
  #answers(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) {
      const address = `${exchange.verb} ${this.#shownPath(exchange)}`;
      if (exchange.status === 404 || exchange.status === 405) this.#nowhere(exchange, address);
      if (!isAnswered(exchange)) continue;
      if (this.#surface === 'v2') this.#jsonAnswer(exchange, address);
      else if (xmlOf(exchange) === undefined)
        this.#found({
          ...{ kind: 'answer', row: address, expected: 'XML', found: exchange.contentType, edits: [] },
          because: 'the answer cannot be read as XML',
        });
    }
  }

  /** Handles values of a write that were not kept, as far as the reply shows the record. */
  #kept(): void {
    for (const element of new Set(this.#readings.flatMap(({ lost }) => lost ?? [])))
      this.#found({
        ...{
          kind: 'kept',
          row: `${this.#method.id} ${element}`,
          expected: 'what was sent',
          found: undefined,
          edits: [],
        },
        because: 'the write was accepted, and the record shows another value',
      });
  }

  /**
   * A record that does not exist gives the same answer, so only an address without a record proves anything.
   */
  #nowhere(exchange: Exchange, address: string): void {
    const { insteadOf, status } = exchange;
    if (insteadOf !== undefined || this.#hasIdentifier(exchange)) return;
    this.#found({
      ...{ kind: 'address', row: address, expected: address, found: undefined, edits: [] },
      because: `it answered ${status}, and no address like it shows its records`,
    });
  }

  /** V2 answers with the content in `data` or bare; a list without records is an empty list. */
  #jsonAnswer(exchange: Exchange, address: string): void {
    const isList = exchange.verb === 'GET' && !this.#hasIdentifier(exchange);
    const content = contentOf(exchange);
    const fits = isList
      ? isListAnswer(exchange) || (content !== undefined && isEmptyList(content))
      : content !== undefined || exchange.body === '';
    if (!fits)
      this.#found({
        ...{ kind: 'answer', row: address, expected: isList ? 'a list in data' : 'JSON', edits: [] },
        ...{
          found: keysWords(exchange.body),
          because: 'the answer has no records where the bridge looks for them',
        },
      });
  }
}

const isEmptyList = (content: unknown): boolean => Array.isArray(content) && content.length === 0;

function keysWords(body: string): string {
  const json = jsonIn(body);
  if (json === undefined) return 'no JSON';
  return isObject(json) ? `the keys ${Object.keys(json).join(', ')}` : typeof json;
}

/** Whether a part is a number, a UUID, or the text number of a job, invoice, quote or order. */
const isIdentifier = (part: string): boolean => /\d/.test(part) && !/^[a-z]+\.api$/.test(part);
