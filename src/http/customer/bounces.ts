/**
 * Takes the reports that a mail provider posts when a message bounces. The address contains a secret
 * (`CAUSEWAY_BOUNCES_SECRET`), because not every provider can sign; posts of Amazon SNS are verified if a topic is set,
 * and its subscription is confirmed then.
 * A provider that gets no 2xx posts again, so a report that is not a bounce is also answered 200.
 */
import type { Request, Response } from 'express';
import type { BounceRepository } from '../../features/campaign/bounces/bounce.ts';
import type * as Providers from '../../features/campaign/bounces/providers.ts';
import type { SnsTopic } from '../../features/campaign/bounces/sns.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { sameText } from '../../lib/secret/same-text.ts';
import { readText } from '../server/body/form.ts';

/** What the endpoint needs. */
export interface BouncesParts {
  readonly bounces: BounceRepository;
  readonly secret: Secret;
  /** Undefined: posts to the address are believed without a signature. */
  readonly sns?: Pick<SnsTopic, 'judge' | 'confirm'> | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** SendGrid posts up to 768 KB at once. */
const LONGEST = 1024 * 1024;

/** The endpoint for providers. */
export class BouncesEndpoint {
  readonly #parts: BouncesParts;

  constructor(parts: BouncesParts) {
    this.#parts = parts;
  }

  async take(secret: string, request: Request, response: Response): Promise<void> {
    // Without a body: a guesser learns nothing, and providers show the status.
    if (!sameText(secret, this.#parts.secret.reveal())) {
      answer(response, 404);
      return;
    }
    const body = await readText(request, LONGEST);
    if (body === undefined) {
      answer(response, 413);
      return;
    }
    // Few bridges are told of bounces.
    const providers = await import('../../features/campaign/bounces/providers.ts');
    answer(response, await this.#judged(providers.parsed(body), providers));
  }

  /** The status to answer with. A post that is not understood, or not believed, need not be repeated. */
  async #judged(body: unknown, providers: typeof Providers): Promise<200 | 503> {
    const { sns, log } = this.#parts;
    const { confirmationIn, readBounces } = providers;
    const asked = confirmationIn(body);
    const isOfSns = asked !== undefined || readBounces(body)?.source === 'ses';
    const judgement = isOfSns ? await sns?.judge(body) : undefined;
    if (judgement !== undefined && judgement.verdict !== 'genuine') {
      log.warn('bounces.unsigned', { reason: judgement.reason });
      return judgement.verdict === 'later' ? 503 : 200;
    }
    if (asked !== undefined) return this.#confirm(asked);
    await this.#note(body, providers);
    return 200;
  }

  /** The log cannot show the link, because it contains a token; and only a signature proves whose request it is. */
  async #confirm({ link, topic }: Providers.ConfirmationRequest): Promise<200 | 503> {
    const { sns, log } = this.#parts;
    if (sns === undefined) {
      log.warn('bounces.confirm', { topic });
      return 200;
    }
    const confirmation = await sns.confirm(link);
    if (confirmation.outcome === 'confirmed') log.info('bounces.confirmed', { topic });
    if (confirmation.outcome !== 'failed') return 200;
    log.warn('bounces.not-confirmed', { topic, reason: confirmation.reason });
    return 503;
  }

  /** One after the other, because each is a transaction of its own. */
  async #note(body: unknown, { readBounces }: typeof Providers): Promise<void> {
    const { bounces, clock, log } = this.#parts;
    const found = readBounces(body);
    if (found === undefined) return;
    for (const bounce of found.bounces) {
      const taken = await bounces.take(bounce, found.source, clock.now());
      if (taken.outcome === 'stopped')
        log.info('bounces.stopped', { source: found.source, kind: bounce.kind, accounts: taken.accounts });
    }
  }
}

/** Without words, because no person reads them. */
function answer(response: Response, status: number): void {
  response.writeHead(status, { 'Content-Length': 0 });
  response.end();
}
