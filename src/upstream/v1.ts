import type { Secret } from '../lib/secret/secret.ts';
import type { StreamedBody, UpstreamAnswer, V1Endpoint, V1Reader } from './model.ts';
import { headerValue, pathWithin, receivedPath, rootOf, verbOf, type Root } from './address.ts';
import { ReadyRead, type ReadyV1 } from './ready-read.ts';
import { send } from './send.ts';
import type { Bulkhead } from './transport/bulkhead.ts';
import { LEARNING, UNKNOWN_KEYS } from './transport/connection-pool.ts';

export interface V1ClientParts {
  /** Root address of V1. */
  readonly root: string;
  readonly bulkhead: Bulkhead;
  /** From the profile. */
  readonly retryAfterMeansNotDone?: boolean | undefined;
  readonly resendMs?: number | undefined;
}

type PassRequest = Parameters<V1Endpoint['pass']>[0];

/**
 * V1 with the caller's own keys: path, query and bytes as received; of the headers only Content-Type and
 * Accept. The keys are in the address, so no V1 address may ever be logged or quoted.
 */
export class V1Client implements V1Endpoint, V1Reader, ReadyV1 {
  readonly #parts: V1ClientParts;
  readonly #root: Root;

  constructor(parts: V1ClientParts) {
    this.#parts = parts;
    this.#root = rootOf(parts.root);
  }

  async pass({
    account,
    verb,
    target,
    contentType,
    accept,
    body,
    signal,
    leaves,
    sent,
    times,
  }: PassRequest): Promise<UpstreamAnswer> {
    return send({
      ...this.#parts,
      account: account ?? UNKNOWN_KEYS,
      origin: this.#root.origin,
      path: receivedPath(this.#root, target.reveal()),
      verb: verbOf(verb),
      headers: {
        ...headersOf({ contentType, accept }),
        ...(body !== undefined && !Buffer.isBuffer(body) && lengthOf(body)),
      },
      body,
      signal,
      leaves,
      sent,
      times,
    });
  }

  ready(account: string, { target, ...described }: Parameters<ReadyV1['ready']>[1]): ReadyRead | undefined {
    const { bulkhead } = this.#parts;
    const path = receivedPath(this.#root, target);
    const headers = Object.entries(headersOf(described)).flat();
    const passage = bulkhead.enterUndisturbed(account);
    if (passage === undefined) return undefined;
    const leave = { slot: undefined, credential: undefined, passage };
    return new ReadyRead(bulkhead, { origin: this.#root.origin, path, headers }, leave);
  }

  async get(target: Secret, signal: AbortSignal): Promise<UpstreamAnswer> {
    const accept = 'application/xml, text/xml';
    const request = { verb: 'GET', target, contentType: undefined, accept, body: undefined, signal };
    return this.pass({ account: LEARNING, ...request });
  }

  async fetch(address: Secret, signal: AbortSignal): Promise<UpstreamAnswer> {
    return send({
      ...this.#parts,
      account: LEARNING,
      origin: this.#root.origin,
      path: pathWithin(this.#root, address.reveal()),
      verb: 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      body: undefined,
      signal,
    });
  }
}

const headersOf = ({
  contentType,
  accept,
}: Pick<PassRequest, 'contentType' | 'accept'>): Readonly<Record<string, string>> => ({
  ...(contentType === undefined ? {} : { 'content-type': headerValue(contentType) }),
  ...(accept === undefined ? {} : { accept: headerValue(accept) }),
  'accept-encoding': 'identity',
});

/** For a body in pieces; for one in memory the HTTP client sets it. */
const lengthOf = ({ length }: StreamedBody): { readonly 'content-length'?: string } =>
  length === undefined ? {} : { 'content-length': String(length) };
