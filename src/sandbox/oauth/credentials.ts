import { timingSafeEqual } from 'node:crypto';
import type { Application } from '../identity/application.ts';
import type { Protocol } from '../protocol.ts';

export type ClientCheck =
  | { readonly result: 'client'; readonly application: Application }
  | { readonly result: 'refused'; readonly description: string };

interface Pair {
  readonly id: string;
  readonly secret: string;
}

/**
 * Checks Client ID and secret: Basic, in the body, or as header fields, by the mistake of V2 specification, "Tokens",
 * rule 1.
 */
export function checkClient(
  authorization: string | undefined,
  parameters: ReadonlyMap<string, string>,
  applications: ReadonlyMap<string, Application>,
  allowed: Protocol['credentials'],
): ClientCheck {
  const basic = readBasic(authorization);
  if (basic.length > 0 && allowed === 'body') {
    return { result: 'refused', description: 'Basic auth headers are not supported' };
  }
  if (basic.length === 0 && allowed === 'basic') {
    return { result: 'refused', description: 'Client credentials belong in a Basic auth header' };
  }
  const body = { id: parameters.get('client_id') ?? '', secret: parameters.get('client_secret') ?? '' };
  const application = known(basic.length > 0 ? basic : [body], applications);
  const unknown: ClientCheck = { result: 'refused', description: 'Client authentication failed' };
  if (application === undefined) return unknown;
  // If both ways carry credentials, these must agree.
  if (body.id !== '' && body.id !== application.id) return unknown;
  if (body.secret !== '' && !matches(application.secrets, body.secret)) return unknown;
  return { result: 'client', application };
}

function known(
  readings: readonly Pair[],
  applications: ReadonlyMap<string, Application>,
): Application | undefined {
  for (const { id, secret } of readings) {
    const application = applications.get(id);
    if (application !== undefined && matches(application.secrets, secret)) return application;
  }
  return undefined;
}

/**
 * The service wants plain base64 of `id:secret` (V2 specification, "Tokens", rule 3); OAuth libraries form-encode
 * both halves first (RFC 6749, section 2.3.1). Both readings are accepted.
 */
function readBasic(authorization: string | undefined): readonly Pair[] {
  const encoded = /^basic +([\w+/=-]+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = Math.max(0, text.indexOf(':'));
  const plain = { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  return [plain, { id: formDecoded(plain.id), secret: formDecoded(plain.secret) }];
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return text;
  }
}

function matches(secrets: readonly string[], given: string): boolean {
  const bytes = Buffer.from(given);
  return secrets.some((secret) => {
    const expected = Buffer.from(secret);
    return expected.length === bytes.length && timingSafeEqual(expected, bytes);
  });
}
