import type { Request, Response } from 'express';
import type { AccountBook } from '../domain/accounts.ts';
import { Failure } from '../domain/failure.ts';
import type { Log } from '../domain/log.ts';
import type { UpstreamAnswer, V3Lane } from '../domain/upstream.ts';
import { discard } from '../migration/reading.ts';
import { asFailure, type Dialect } from './dialect.ts';
import { dispositionOf, harmlessType } from './file-name.ts';
import { CutReply, sendFailure, sendReply, type Identity } from './reply.ts';

/** Reads the tokens of the bridge's own document addresses; undefined for what is no living link of ours. */
export interface DocumentLinks {
  read(token: string): { readonly accountId: string; readonly url: string } | undefined;
}

export interface DocumentsParts {
  readonly links: DocumentLinks;
  readonly book: AccountBook;
  readonly lane: V3Lane;
  readonly dialect: Dialect;
  readonly log: Log;
}

/** Files of the service behind signed addresses, because the old program cannot send a Bearer token. */
export class DocumentsDoor {
  readonly #parts: DocumentsParts;

  constructor(parts: DocumentsParts) {
    this.#parts = parts;
  }

  /** Never rejects. Failures are XML: it is a legacy program that asks. */
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
    if (request.method !== 'GET') throw new Failure('wrongVerb');
    const { answer, url } = await this.#fetch(token, signal);
    await sendReply(
      response,
      {
        status: 200,
        source: 'v3',
        contentType: harmlessType(answer.contentType),
        headers: {
          'Content-Disposition': dispositionOf(answer.headers['content-disposition'], url),
          'X-Content-Type-Options': 'nosniff',
          'Cache-Control': 'private, no-store',
          'Content-Security-Policy': "default-src 'none'; sandbox",
        },
        body: answer.body,
      },
      identity,
    );
  }

  async #fetch(
    token: string,
    signal: AbortSignal,
  ): Promise<{ readonly answer: UpstreamAnswer; readonly url: string }> {
    const { links, book, lane } = this.#parts;
    const link = links.read(token);
    const account = link && (await book.byId(link.accountId));
    if (link === undefined || account === undefined) throw unknownDocument();
    const { life } = account;
    if (life.stage === 'lost') throw new Failure('consentNeeded');
    if (life.stage !== 'migrated' && life.stage !== 'consented') throw unknownDocument();
    const to = {
      accountId: account.id,
      product: account.product,
      grantId: life.binding.grantId,
      organisationId: life.binding.organisation.id,
    };
    const answer = await lane.fetch(to, link.url, signal);
    if (answer.status === 200) return { answer, url: link.url };
    discard(answer.body);
    throw answer.status === 404 || answer.status === 410 ? unknownDocument() : new Failure('upstreamAnswer');
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

const unknownDocument = (): Failure =>
  new Failure('unknownMethod', { text: 'This link to a document is not valid or has expired' });
