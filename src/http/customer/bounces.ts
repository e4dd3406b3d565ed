/**
 * Takes what a mail provider posts when a message comes back. The address has a secret in it (`CAUSEWAY_BOUNCES_SECRET`),
 * because not every provider can sign; what Amazon SNS posts is verified where a topic is set. A provider that gets no 2xx asks again, so what is no bounce is answered 200, too.
 */
import type { Request, Response } from 'express';
import type { BounceRepository } from '../../features/campaign/bounces/bounce.ts';
import { confirmationIn, parsed, readBounces } from '../../features/campaign/bounces/providers.ts';
import type { SnsSignatures } from '../../features/campaign/bounces/sns.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { sameText } from '../../lib/secret/same-text.ts';
import { readText } from '../server/body/form.ts';

/** What the endpoint works with. */
export interface BouncesParts {
  readonly bounces: BounceRepository;
  readonly secret: Secret;
  /** Undefined: whoever knows the address is believed. */
  readonly sns?: Pick<SnsSignatures, 'judge'> | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** SendGrid posts up to 768 KB at once. */
const LONGEST = 1024 * 1024;

/** The address for providers. */
export class BouncesEndpoint {
  readonly #parts: BouncesParts;

  constructor(parts: BouncesParts) {
    this.#parts = parts;
  }

  async take(secret: string, request: Request, response: Response): Promise<void> {
    // Without a body: whoever guesses learns nothing, and a provider shows the status.
    if (!sameText(secret, this.#parts.secret.reveal())) {
      answer(response, 404);
      return;
    }
    const body = await readText(request, LONGEST);
    if (body === undefined) answer(response, 413);
    else answer(response, await this.#judged(parsed(body)));
  }

  /** The status for whoever posted it. What is not understood, or believed, is not asked for again. */
  async #judged(body: unknown): Promise<200 | 503> {
    const { sns, log } = this.#parts;
    const isOfSns = confirmationIn(body) !== undefined || readBounces(body)?.source === 'ses';
    const judgement = isOfSns ? await sns?.judge(body) : undefined;
    if (judgement !== undefined && judgement.verdict !== 'genuine') {
      log.warn('bounces.unsigned', { reason: judgement.reason });
      return judgement.verdict === 'later' ? 503 : 200;
    }
    await this.#note(body);
    return 200;
  }

  /** One after the other: each is a transaction of its own. */
  async #note(body: unknown): Promise<void> {
    const { bounces, clock, log } = this.#parts;
    const confirm = confirmationIn(body);
    if (confirm !== undefined) log.warn('bounces.confirm', { address: confirm });
    const found = readBounces(body);
    if (found === undefined) return;
    for (const bounce of found.bounces) {
      const taken = await bounces.take(bounce, found.source, clock.now());
      if (taken.outcome === 'stopped')
        log.info('bounces.stopped', { source: found.source, kind: bounce.kind, accounts: taken.accounts });
    }
  }
}

/** No words: nobody reads them. */
function answer(response: Response, status: number): void {
  response.writeHead(status, { 'Content-Length': 0 });
  response.end();
}
