/**
 * Serves `/_causeway/documents/<token>`: files of the service and tables of identifiers at addresses the bridge has
 * signed, because a legacy program follows a link without sending a token.
 *
 * The token contains account and address and expires; the account must still be on V3. Nothing the caller sends affects
 * the address of the request. The file is streamed with a name and a type that no browser executes (`nosniff`, a
 * sandboxing policy, `attachment`), is never stored, and is cut if the service fails half way. A table of identifiers
 * is CSV as V1 exports it, read from the crosswalk a page at a time.
 */
import type { Request, Response } from 'express';
import { lostFailure, type Account } from '../../features/accounts/account.ts';
import type { AccountRepository } from '../../features/accounts/model.ts';
import type { Reply } from '../../proxy/call/call.ts';
import { Failure } from '../../lib/failure.ts';
import { kindOfIdMap } from '../../mapping/crosswalk/id-map.ts';
import type { Crosswalk, Kind } from '../../mapping/crosswalk/identifier.ts';
import type { Log } from '../../lib/log/log.ts';
import { destinationOf, type Upstream } from '../../upstream/model.ts';
import { discard } from '../../upstream/transport/outcome.ts';
import { asFailure, type Dialect } from './dialect.ts';
import { dispositionOf, harmlessType } from './file-name.ts';
import { CutReply, sendFailure, sendReply, type Identity } from './reply.ts';

/** The target of a signed link. */
export interface DocumentAddress {
  readonly accountId: string;
  readonly url: string;
  /** Default: V3. */
  readonly lane?: 'v2' | 'v3' | undefined;
}

/**
 * Reads the tokens of the bridge's own document addresses. Returns undefined unless the link is the bridge's and still
 * valid.
 */
export interface DocumentLinks {
  read(token: string): DocumentAddress | undefined;
}

/** What is needed to serve documents. */
export interface DocumentsParts {
  readonly links: DocumentLinks;
  readonly repository: Pick<AccountRepository, 'byId'>;
  readonly crosswalk: Crosswalk;
  readonly v3: Upstream;
  /** Undefined: no V2 root is configured. */
  readonly v2?: Upstream | undefined;
  readonly dialect: Dialect;
  readonly log: Log;
}

/**
 * Serves the service's files and tables of identifiers at signed addresses, because a legacy program cannot
 * send a Bearer token.
 */
export class DocumentsEndpoint {
  readonly #parts: DocumentsParts;

  constructor(parts: DocumentsParts) {
    this.#parts = parts;
  }

  /** Never rejects. Failures are XML, because the caller is a legacy program. */
  async send(token: string, request: Request, response: Response, identity: Identity): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort();
    });
    try {
      await this.#stream(token, request, response, identity, gone.signal);
    } catch (error) {
      this.#fail(error, response, identity);
    }
  }

  async #stream(
    token: string,
    request: Request,
    response: Response,
    identity: Identity,
    signal: AbortSignal,
  ): Promise<void> {
    if (request.method !== 'GET') throw new Failure('wrongVerb', { allow: ['GET'] });
    const { links, repository } = this.#parts;
    const link = links.read(token);
    const account = link && (await repository.byId(link.accountId));
    if (link === undefined || account === undefined) throw unknownDocument();
    const kind = kindOfIdMap(link.url);
    const file =
      kind === undefined ? await this.#document(account, link, signal) : this.#idMap(account, kind);
    await sendReply(
      response,
      {
        status: 200,
        ...file,
        headers: {
          ...file.headers,
          'X-Content-Type-Options': 'nosniff',
          'Cache-Control': 'private, no-store',
          'Content-Security-Policy': "default-src 'none'; sandbox",
        },
      },
      identity,
    );
  }

  async #document(
    account: Account,
    { url, lane: source = 'v3' }: DocumentAddress,
    signal: AbortSignal,
  ): Promise<Attached> {
    const { binding } = moved(account);
    const upstream = source === 'v2' ? this.#parts.v2 : this.#parts.v3;
    if (upstream === undefined) throw unknownDocument();
    const answer = await upstream.fetch(destinationOf(account, binding), url, signal);
    if (answer.status === 200) {
      const headers = { 'Content-Disposition': dispositionOf(answer.headers['content-disposition'], url) };
      return { source, contentType: harmlessType(answer.contentType), headers, body: answer.body };
    }
    discard(answer);
    throw answer.status === 404 || answer.status === 410 ? unknownDocument() : new Failure('upstreamAnswer');
  }

  /** CSV with the header `ID,UUID`, as V1 exports it, read and written a page at a time. */
  #idMap(account: Account, kind: Kind): Attached {
    moved(account);
    return {
      source: 'bridge',
      contentType: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': `attachment; filename="${kind}.csv"` },
      body: linesOf(this.#parts.crosswalk, account.id, kind),
    };
  }

  #fail(error: unknown, response: Response, identity: Identity): void {
    const { dialect, log } = this.#parts;
    if (response.destroyed) return;
    const cause = error instanceof CutReply ? error.cause : error;
    const failure = asFailure(cause);
    log.warn('document.failed', {
      request: identity.requestId,
      failure: failure.code,
      error: failure.code === 'internal' && cause instanceof Error ? cause.message : undefined,
    });
    sendFailure(response, dialect.reply(failure, ''), identity);
  }
}

type Attached = Pick<Reply, 'source' | 'contentType' | 'body'> & {
  readonly headers: Readonly<Record<string, string>>;
};

/** Throws `Failure` unless the account is on V3. */
function moved({ life }: Account): Extract<Account['life'], { readonly stage: 'migrated' | 'consented' }> {
  if (life.stage === 'lost') throw lostFailure(life.reason);
  if (life.stage !== 'migrated' && life.stage !== 'consented') throw unknownDocument();
  return life;
}

/** Lines per write. */
const LINES = 1_000;

async function* linesOf(crosswalk: Crosswalk, accountId: string, kind: Kind): AsyncGenerator<string> {
  let lines = ['ID,UUID'];
  for await (const { number, uuid } of crosswalk.export(accountId, kind)) {
    lines.push(`${number},${uuid}`);
    if (lines.length < LINES) continue;
    yield `${lines.join('\r\n')}\r\n`;
    lines = [];
  }
  if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`;
}

const unknownDocument = (): Failure =>
  new Failure('unknownMethod', { text: 'This link to a document is not valid or has expired' });
