/**
 * Reads an authorisation request. Errors are shown on a page or sent to the redirect address.
 *
 * Only a request with a registered client and redirect address is answered by a redirect. Without these there is no
 * address to send the browser to, so the error is a page (RFC 6749, section 4.1.2.1). The address is compared exactly
 * and never derived from the request (V2 specification, "Flow").
 */
import type { Application } from '../../identity/application.ts';
import type { Protocol } from '../../protocol.ts';
import { readParameters } from '../parameters.ts';

/** A valid authorisation request. */
export interface Authorisation {
  readonly application: Application;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  readonly challenge: string | undefined;
  readonly prompts: readonly string[];
  /** The parameters as received, for the hidden fields of the next form. */
  readonly parameters: readonly (readonly [string, string])[];
}

export type AuthorisationReading =
  | { readonly result: 'request'; readonly request: Authorisation }
  /** Without a redirect address: an error page, never a redirect. */
  | { readonly result: 'page'; readonly text: string }
  | { readonly result: 'redirect'; readonly address: string };

/** Parameters passed on from form to form. */
const CARRIED = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'prompt',
  'code_challenge',
  'code_challenge_method',
];

type Fault = readonly [error: string, description: string];

/** Checks in the order of RFC 6749, section 4.1.2.1: first where to answer, then the rest. */
export function readAuthorisation(
  text: string,
  applications: ReadonlyMap<string, Application>,
  protocol: Protocol,
): AuthorisationReading {
  const read = readParameters(text, ['organisation']);
  const { values } = read;
  const repeated = read.result === 'repeated' && CARRIED.includes(read.name) ? read.name : undefined;
  const application = applications.get(values.get('client_id') ?? '');
  if (application === undefined)
    return { result: 'page', text: 'The application is not registered here (client_id).' };
  const redirectUri = values.get('redirect_uri');
  // Compared exactly; nothing is derived from the request.
  if (
    redirectUri === undefined ||
    !application.redirectUris.includes(redirectUri) ||
    repeated === 'redirect_uri'
  ) {
    return {
      result: 'page',
      text: 'The redirect address is not registered for this application (redirect_uri).',
    };
  }
  const state = values.get('state');
  const fault: Fault | undefined =
    repeated === undefined
      ? faultOf(values, application, protocol)
      : ['invalid_request', `${repeated} is repeated`];
  if (fault !== undefined) {
    return {
      result: 'redirect',
      address: callback(redirectUri, { error: fault[0], error_description: fault[1], state }),
    };
  }
  return {
    result: 'request',
    request: {
      application,
      redirectUri,
      scopes: [...new Set(words(values.get('scope')))],
      state,
      nonce: values.get('nonce'),
      challenge: values.get('code_challenge'),
      prompts: words(values.get('prompt')),
      parameters: [...values].filter(([name]) => CARRIED.includes(name)),
    },
  };
}

/** Adds parameters to the registered address. */
export function callback(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const address = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) address.searchParams.set(name, value);
  }
  return address.href;
}

/** The denial, exactly as seen in the field. */
export function denied(request: Authorisation): string {
  return callback(request.redirectUri, {
    error: 'access_denied',
    error_description: 'The resource owner or authorization server denied the request',
    state: request.state,
  });
}

function faultOf(
  values: ReadonlyMap<string, string>,
  application: Application,
  protocol: Protocol,
): Fault | undefined {
  const responseType = values.get('response_type');
  if (responseType === undefined) return ['invalid_request', 'response_type is missing'];
  if (responseType !== 'code') return ['unsupported_response_type', 'response_type must be code'];
  const fault = challengeFault(values);
  if (fault !== undefined) return fault;
  const prompts = words(values.get('prompt'));
  if (prompts.includes('none') && prompts.length > 1) return ['invalid_request', 'prompt none stands alone'];
  return scopeFault(words(values.get('scope')), application, protocol);
}

/** RFC 7636, 4.3. */
function challengeFault(values: ReadonlyMap<string, string>): Fault | undefined {
  const challenge = values.get('code_challenge');
  const method = values.get('code_challenge_method');
  if (challenge !== undefined && method !== 'S256') {
    return ['invalid_request', 'code_challenge_method must be S256'];
  }
  if (challenge === undefined && method !== undefined)
    return ['invalid_request', 'code_challenge is missing'];
  if (challenge !== undefined && !/^[\w-]{43}$/.test(challenge)) {
    return ['invalid_request', 'code_challenge must be 43 characters of base64url'];
  }
  return undefined;
}

function scopeFault(
  scopes: readonly string[],
  application: Application,
  protocol: Protocol,
): Fault | undefined {
  if (scopes.length === 0) return ['invalid_scope', 'scope is missing'];
  const { service, practice } = protocol.scopes;
  const finer = ['.read', ...['.client', '.job', '.staff', '.time'].flatMap((one) => [one, `${one}.read`])];
  const ofPractice = [practice, ...finer.map((suffix) => practice + suffix)];
  const known = ['openid', 'profile', 'email', 'offline_access', service, ...ofPractice];
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined) return ['invalid_scope', 'a scope that was asked for is not known'];
  if (!application.practice && scopes.some((scope) => ofPractice.includes(scope))) {
    return ['invalid_scope', 'the practice scope is given to an application on request to support only'];
  }
  return undefined;
}

function words(text: string | undefined): string[] {
  return (text ?? '').split(' ').filter((word) => word !== '');
}
