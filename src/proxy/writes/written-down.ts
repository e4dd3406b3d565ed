/**
 * Sends writes through the ledger (docs/decisions/calls/0012-write-ledger.md) and other calls past it.
 *
 * A write of a known account is described to the ledger before anything of it leaves: its method, its bytes, and the
 * kind of record it creates. The ledger then decides whether it is sent, joined to an earlier one or refused. A long
 * document is not held in memory: it streams to V1, and is spooled to disk first if it may go to V3 or V2. Writes of
 * unknown callers are not recorded, but their answer is also held until it is complete, so that half of it is never
 * taken for the whole.
 */
import type { AccountDirectory, Caller, KnownCaller } from '../../features/accounts/account-directory.ts';
import type { StageName } from '../../features/accounts/account.ts';
import { DocumentBody, HEAD } from '../../features/writes/documents/document-body.ts';
import type { SpoolFolder } from '../../features/writes/documents/spool.ts';
import { held } from '../../features/writes/judging.ts';
import type { WriteLedger } from '../../features/writes/ledger.ts';
import { Leaving, type WriteCall } from '../../features/writes/write-call.ts';
import { Failure } from '../../lib/failure.ts';
import { callSpans } from '../../lib/tracing/call-spans.ts';
import { StoreFault } from '../../lib/store-fault.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { TEXT_NUMBER, type Mapping, type Method, type RecordRow } from '../../mapping/compile/model.ts';
import type { KindsAdded } from '../../mapping/crosswalk/identifier.ts';
import { kindsAddedBy } from '../../mapping/kinds-added.ts';
import type { LegacyCall, Reply } from '../call/call.ts';
import { isUpload } from '../forward/generic.ts';
import type { BodyReader } from '../call/body-reader.ts';
import { notKept, rereadable, type Routes } from '../routing.ts';

export interface WrittenDownParts {
  readonly ledger: WriteLedger;
  readonly routes: Routes;
  readonly body: BodyReader;
  readonly accounts: Pick<AccountDirectory, 'byId'>;
  readonly clock: Clock;
  readonly mapping: Pick<Mapping, 'methods' | 'generic' | 'kinds'>;
  /** V3 has the service's own numbers. */
  readonly ownNumbers?: boolean;
  /** For documents that cannot leave while they are read; undefined: all are held in memory. */
  readonly spools?: SpoolFolder | undefined;
}

const NO_NUMBER =
  'No number is left for a new record of this kind in this account, so nothing was sent; ask whoever runs the bridge';
const EMPTY = Buffer.alloc(0);
/** How long a message may arrive until its account is looked up again, in milliseconds. */
const SLOWLY = 1_000;
/** In bytes, for a document that is not held in memory; the service has limits of its own. */
const LONGEST_DOCUMENT = 256 * 1024 * 1024;
const V1_ALONE: ReadonlySet<StageName> = new Set(['legacy', 'awaiting-operator']);

/** Sends writes through the ledger: each is recorded before it leaves. */
export class WrittenDown {
  readonly #parts: WrittenDownParts;
  readonly #makes: ReadonlyMap<string, { readonly kind: string }>;
  /** The kind of the number that a record created by the method gets. */
  readonly #numbers: ReadonlyMap<string, string>;
  /** The kind whose number tells when a record of the method was first seen. */
  readonly #numbered: ReadonlyMap<string, string>;
  readonly #kindsAdded: KindsAdded;

  constructor(parts: WrittenDownParts) {
    this.#parts = parts;
    this.#kindsAdded = kindsAddedBy(parts.mapping);
    this.#makes = new Map(
      parts.mapping.methods.flatMap((method) => {
        const kind = kindMade(method);
        return kind === undefined ? [] : [[method.id, { kind }] as const];
      }),
    );
    this.#numbers = new Map(
      parts.mapping.methods.flatMap((method) => {
        const kind = kindNumbered(method);
        return kind === undefined ? [] : [[method.id, kind] as const];
      }),
    );
    this.#numbered = new Map(
      parts.mapping.methods.flatMap(({ id, settle }) =>
        settle?.way === 'made' && settle.numbered !== undefined ? [[id, settle.numbered.kind] as const] : [],
      ),
    );
  }

  /**
   * Throws `Failure`. Nothing is recorded for unknown callers; their answer is nevertheless held until it is complete.
   */
  async serve(received: LegacyCall, caller: Caller): Promise<Reply> {
    const { ledger, routes } = this.#parts;
    const leaving = new Leaving();
    const begun = this.#parts.clock.now();
    const { signal, leaves } = leaving;
    if (!caller.known) return (await held(await (await routes.choose(received, caller))())).reply;
    const document = isUpload(received.segments) ? this.#documentOf(received, caller.account.id) : undefined;
    try {
      const isForV1 = V1_ALONE.has(caller.account.life.stage);
      const read = document === undefined || isForV1 ? received : await spooled(received, document);
      const call = { ...rereadable(read), signal, leaves, leaving, document };
      const send = await routes.choose(call, caller);
      const write = await this.#writeOf(call, caller, { leaving, document, signal: received.signal });
      if (Math.abs(this.#parts.clock.now() - begun) > SLOWLY) await this.#stillOpen(caller.account.id);
      const spans = callSpans.getStore();
      if (spans === undefined) return await ledger.perform(write, send);
      return await ledger.perform(write, () => spans.serving(call.trace.route, send));
    } catch (error) {
      throw leaving.hasLeft ? error : notSent(error);
    } finally {
      await document?.close();
    }
  }

  /** Throws `Failure` keysRefused if the account was closed, or closed and erased, while its message arrived. */
  async #stillOpen(accountId: string): Promise<void> {
    const account = await this.#parts.accounts.byId(accountId);
    if (account === undefined) throw new Failure('keysRefused');
    if (account.life.stage === 'closed')
      throw new Failure('keysRefused', { refused: { accountId, why: 'closed' } });
  }

  /**
   * A long document, not held in memory. If it only goes to V1, it leaves while it is read. V3 and V2 get a different
   * message from the caller's, which must be complete and well-formed before anything of it leaves, and so must one
   * that may go to V3 if V1 refuses: it is spooled first, and leaves from there.
   */
  #documentOf({ body }: LegacyCall, account: string): DocumentBody | undefined {
    const { spools } = this.#parts;
    if (spools === undefined || body.pieces === undefined) return undefined;
    const isLong = body.length === undefined || body.length > HEAD;
    return isLong ? new DocumentBody(body.pieces(LONGEST_DOCUMENT), body.length, spools, account) : undefined;
  }

  async #writeOf(
    call: LegacyCall,
    { account }: KnownCaller,
    outgoing: Pick<WriteCall, 'leaving' | 'document' | 'signal'>,
  ): Promise<WriteCall> {
    const { verb, segments, query, trace, requestId, idempotencyKey } = call;
    const { method = 'generic', route = 'v3' } = trace;
    const kind = method === 'generic' ? kindMadeBy(this.#parts.mapping.generic, call) : undefined;
    return {
      ...{ id: requestId, accountId: account.id, method, route, verb, segments, query },
      bytes: await (outgoing.document?.head() ??
        (call.body.length === 0 ? EMPTY : this.#parts.body.bytes(call, isUpload(segments)))),
      charset: call.charset,
      key: idempotencyKey,
      makes: this.#makes.get(method) ?? made(kind),
      numbered: this.#numbered.get(method),
      numbers: this.#numbersOf(method, route, kind),
      adds: route === 'v1' ? this.#addsOf(method, kind) : undefined,
      ...outgoing,
    };
  }

  /**
   * The kind of number that the bridge assigns to the record; undefined: the service numbers it, or it has no number.
   */
  #numbersOf(method: string, route: string, kind: string | undefined): string | undefined {
    if (route !== 'v2' && this.#parts.ownNumbers === true) return undefined;
    return this.#numbers.get(method) ?? (kind === TEXT_NUMBER ? undefined : kind);
  }

  /** What it may add on V1 has numbers of V1's, which the bridge has to learn; undefined: nothing. */
  #addsOf(method: string, kind: string | undefined): WriteCall['adds'] {
    if (this.#parts.ownNumbers === true) return undefined;
    return method === 'generic' && kind === undefined ? undefined : this.#kindsAdded(method);
  }
}

/** Reads the document to its end, onto the disk. */
async function spooled(call: LegacyCall, document: DocumentBody): Promise<LegacyCall> {
  await document.head();
  await document.spool();
  return { ...call, body: { length: document.length, read: (limit) => document.held(limit) } };
}

/** The failure for a write of which nothing has left. */
function notSent(error: unknown): unknown {
  if (!(error instanceof StoreFault)) return error;
  if (error.kind === 'exhausted') return new Failure('refused', { text: NO_NUMBER, cause: error });
  if (error.hindrance !== 'full') return error;
  return notKept(error);
}

const made = (kind: string | undefined): WriteCall['makes'] => (kind === undefined ? undefined : { kind });

type Called = Pick<LegacyCall, 'verb' | 'segments'>;

/** The kind of record that a call of the generic rule creates; undefined if none. */
export const kindMadeBy = (generic: Mapping['generic'], { verb, segments }: Called): string | undefined =>
  generic.creates(verb, segments) ? (generic.pathKind(segments) ?? TEXT_NUMBER) : undefined;

/** The kind of record a method creates; undefined if none. */
export function kindMade({ creates, reply }: Method): string | undefined {
  if (!creates) return undefined;
  if (reply.form === 'id') return reply.kind;
  if (reply.form !== 'one') return undefined;
  const own = reply.of.rows.find((row) => row.holds === 'value' && row.element === 'ID');
  return (own?.holds === 'value' ? own.kind : undefined) ?? TEXT_NUMBER;
}

/**
 * The kind of number by which legacy programs know the record; undefined if it has none, or the reply does not contain
 * it.
 */
function kindNumbered({ creates, reply }: Method): string | undefined {
  if (!creates) return undefined;
  if (reply.form === 'id') return reply.kind === TEXT_NUMBER ? undefined : reply.kind;
  return reply.form === 'one' ? reply.of.rows.map(ownKind).find((kind) => kind !== undefined) : undefined;
}

const ownKind = (row: RecordRow): string | undefined =>
  row.holds === 'value' && (row.element === 'ID' || row.v3 === 'UUID') ? row.kind : undefined;
