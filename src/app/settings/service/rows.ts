import { given, optional } from '../row.ts';
import { date, root, secrets, text, v2Root, wholeNumber } from '../types.ts';

/** The addresses of the service, the bridge's identity there, and the limits on requests to it. */
export const serviceRows = {
  CAUSEWAY_V1_BASE_URL: optional(root, {
    meaning: 'Root of V1, for accounts that have not moved',
    without: 'no pass-through',
    example: 'https://v1.example.com',
  }),
  CAUSEWAY_V1_END: optional(date, {
    meaning:
      'Date on which V1 ends; the status report and the console compare the pace of the migration with it',
    without: 'end unknown',
    example: '2026-12-31',
  }),
  CAUSEWAY_V2_BASE_URL: optional(v2Root, {
    meaning: 'Root of V2 (JSON), with or without its version segment',
    without: 'no V2',
    example: 'https://v2.example.com/v2',
  }),
  CAUSEWAY_V3_BASE_URL: optional(root, {
    meaning:
      'Root of V3, including its version segment. Set it together with CAUSEWAY_AUTH_URL, CAUSEWAY_CLIENT_ID and CAUSEWAY_CLIENT_SECRET',
    without: 'no account can move: pass-through only',
    example: 'https://v3.example.com/3.0',
  }),
  CAUSEWAY_V3_PRACTICE_BASE_URL: optional(root, {
    meaning: 'Root of V3 for the practice product',
    without: 'the V3 root',
    example: 'https://v3.example.com/practice/3.0',
  }),
  CAUSEWAY_AUTH_URL: optional(root, {
    meaning: 'Root of the authorisation server; the profile has the paths below it',
    without: 'no account can move: pass-through only',
    example: 'https://identity.example.com',
  }),
  CAUSEWAY_CONNECTIONS_URL: optional(root, {
    meaning: 'Address that lists the organisations of a token; needed if the profile uses it',
    without: 'none',
    example: 'https://api.example.com/connections',
  }),
  CAUSEWAY_CLIENT_ID: optional(text, {
    meaning: 'Client ID of the OAuth application',
    without: 'no account can move: pass-through only',
    example: '<client id>',
  }),
  CAUSEWAY_CLIENT_SECRET: optional(secrets, {
    meaning: 'Client secret of the OAuth application; several, separated by commas, are tried in order',
    without: 'no account can move: pass-through only',
    example: '<client secret>',
    secret: true,
  }),
  CAUSEWAY_APPLICATIONS_FILE: optional(text, {
    meaning:
      'YAML or JSON file with further OAuth applications, each with its own name, client ID, secret and scopes (docs/deploy/applications.md)',
    without: 'one application, named default',
    example: '/etc/causeway/applications.yaml',
  }),
  CAUSEWAY_SCOPE: given(text, 'openid profile email service offline_access', {
    meaning: 'Scopes requested for the standard product',
  }),
  CAUSEWAY_PRACTICE_SCOPE: given(text, 'openid profile email practice offline_access', {
    meaning: 'Scopes requested for the practice product',
  }),
  CAUSEWAY_UPSTREAM_PROFILE: given(text, 'spec', {
    meaning:
      'spec, a, b, or the path of a profile file. A profile has header names, credential placement, identifiers, page sizes and every duration of the token protocol',
  }),
  CAUSEWAY_WAIT_SECONDS: given(wholeNumber(0, 600), '25', {
    meaning: 'How long a call may wait for the rate limit before the first byte of its reply',
  }),
  CAUSEWAY_UPSTREAM_CONNECTIONS: given(wholeNumber(1, 10_000), '128', {
    meaning:
      'Maximum number of simultaneous connections to each of V1, V2 and V3, and to the authorisation server',
  }),
  CAUSEWAY_ACCOUNT_CONNECTIONS: optional(wholeNumber(1, 10_000), {
    meaning: 'Maximum number of simultaneous connections to each of V1, V2 and V3 for one account',
    without: 'an eighth of CAUSEWAY_UPSTREAM_CONNECTIONS',
    example: '16',
  }),
  CAUSEWAY_CONNECTION_WAIT_SECONDS: given(wholeNumber(0, 60), '2', {
    meaning: 'How long a call waits for a connection before it gets 503',
  }),
} as const;
