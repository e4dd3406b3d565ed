/**
 * The single store of replies: baseline, recorded calls, and calls captured for support.
 *
 * Everything in it is sealed, expires, and has a size limit for each account and purpose; a total limit applies to
 * all accounts together. For each request the newest reply is kept. Nothing is kept for an account that is switched
 * off, and `erase` also stops samples that are still to be written.
 */
import type { Clock } from '../../lib/time/clock.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { sealedAs } from '../../tokens/sealing/sealed.ts';
import { packedSample, unpackedSample, type KeptSample } from './packed.ts';
import type { SampledRequest, SamplePurpose } from './sample.ts';
import type { Recording, SampleLimits, StoredSamples } from './stored-samples.ts';
import type { SampleRow } from './tables.ts';

const MEGABYTE = 1024 * 1024;

/** For one account. A reply of 64 KB takes about 4 KB. */
const limits: Readonly<Record<SamplePurpose, SampleLimits>> = {
  baseline: { samples: 500, ofMethod: 40, bytes: 4 * MEGABYTE },
  recorded: { samples: 5_000, ofMethod: 2_000, bytes: 32 * MEGABYTE },
  capture: { samples: 100, ofMethod: 100, bytes: 4 * MEGABYTE },
};

/** The parts and limits of the store. */
export interface SamplesParts {
  readonly stored: StoredSamples;
  readonly seal: Seal;
  readonly clock: Clock;
  /** In milliseconds: how long a sample is kept after it was taken. */
  readonly lifetime: number;
  /** For all accounts. */
  readonly megabytes: number;
}

/** Stores the samples of all accounts. */
export class Samples {
  readonly #parts: SamplesParts;

  constructor(parts: SamplesParts) {
    this.#parts = parts;
  }

  /** Returns false if nothing is kept for the account. If the process dies, either all of them are stored or none. */
  async put(
    accountId: string,
    samples: readonly KeptSample[],
    key?: (one: KeptSample) => string,
  ): Promise<boolean> {
    const { stored, clock } = this.#parts;
    const [first] = samples;
    if (first === undefined) return stored.isOn(accountId);
    const rows: SampleRow[] = [];
    for (const sample of samples) rows.push(await this.#row(accountId, sample, key?.(sample)));
    return stored.put(accountId, rows, limits[first.purpose], clock.now());
  }

  /** Newest first; samples that no key opens any more are left out. */
  async find(accountId: string, purpose: SamplePurpose): Promise<readonly KeptSample[]> {
    const { stored, seal, clock } = this.#parts;
    const rows = await stored.find(accountId, purpose, clock.now());
    const samples: KeptSample[] = [];
    for (const { id, content_sealed: sealed } of rows) {
      const content = opened(() => seal.open(sealed, id, sealedAs.sampleContent).reveal());
      if (content !== undefined) samples.push(await unpackedSample(content));
    }
    return samples.filter(hasFamily);
  }

  /** Deletes samples that have expired or exceed the limit; returns how many. */
  expire(): Promise<number> {
    const { stored, clock, megabytes } = this.#parts;
    return stored.expire(clock.now(), megabytes * MEGABYTE);
  }

  /** Returns how many were erased. */
  erase(accountId: string): Promise<number> {
    return this.#parts.stored.erase(accountId, this.#parts.clock.now());
  }

  /** Whether samples of the account are kept. */
  isOn(accountId: string): Promise<boolean> {
    return this.#parts.stored.isOn(accountId);
  }

  /** Existing samples stay. */
  switch(accountId: string, isOn: boolean): Promise<void> {
    return this.#parts.stored.switch(accountId, isOn);
  }

  /** Records for the next `millis`; erases any earlier recording of the account. */
  async record(accountId: string, millis: number): Promise<Recording> {
    const since = this.#parts.clock.now();
    await this.#parts.stored.record(accountId, since, since + millis);
    return { since, until: since + millis };
  }

  /** Recorded calls stay. */
  endRecording(accountId: string): Promise<void> {
    return this.#parts.stored.endRecording(accountId, this.#parts.clock.now());
  }

  /** The last one of the account, ended or not. */
  recording(accountId: string): Promise<Recording | undefined> {
    return this.#parts.stored.recording(accountId);
  }

  /** Accounts that are recorded now, with the end of each recording. */
  recorded(): Promise<ReadonlyMap<string, number>> {
    return this.#parts.stored.recorded(this.#parts.clock.now());
  }

  /** Samples and bytes by purpose. */
  counts(accountId: string): ReturnType<StoredSamples['counts']> {
    return this.#parts.stored.counts(accountId);
  }

  async #row(accountId: string, sample: KeptSample, key?: string): Promise<SampleRow> {
    const { seal, lifetime } = this.#parts;
    const { purpose, method, request, at } = sample;
    const id = `${accountId} ${purpose} ${this.#hash(accountId, key ?? requestKey(method, request))}`;
    const content_sealed = seal.seal(new Secret(await packedSample(sample)), id, sealedAs.sampleContent);
    return {
      ...{ id, account_id: accountId, purpose, method, content_sealed },
      ...{ bytes: content_sealed.length, at, expires_at: at + lifetime },
    };
  }

  #hash(accountId: string, text: string): string {
    const [index = ''] = this.#parts.seal.index(new Secret(`${accountId} ${text}`), 'sample-request');
    return index.slice(0, 32);
  }
}

/** An earlier version took the family in `//client.api/list` for a host: such a request can never be repeated. */
const hasFamily = ({ request }: KeptSample): boolean => request.segments[0]?.endsWith('.api') === true;

/** Equal for the same request, whatever the order of its parameters. */
export function requestKey(method: string, { segments, query }: SampledRequest): string {
  const sorted = query.map(([name, value]) => [name.toLowerCase(), value]).sort();
  return JSON.stringify([method, segments.map((one) => one.toLowerCase()), sorted]);
}

function opened(open: () => string): string | undefined {
  try {
    return open();
  } catch {
    return undefined; // sealed with a key that was removed
  }
}
