/**
 * The checks for missing settings: without them the bridge starts and serves V1, but no account can be moved, or only
 * by hand.
 */
import type { Settings } from '../settings/model.ts';
import { ok, warning, type Check, type Verdict } from './model.ts';

interface Need {
  readonly what: string;
  readonly isSet: (settings: Settings) => boolean;
  readonly verdict: Verdict;
}

const needs: readonly Need[] = [
  {
    what: 'V3 and the OAuth application',
    isSet: ({ oauth }) => oauth !== undefined,
    verdict: warning(
      'are not configured: calls only pass through to V1, and no account can be moved',
      'set CAUSEWAY_V3_BASE_URL, CAUSEWAY_CLIENT_ID and the others (docs/reference/configuration.md)',
    ),
  },
  {
    what: 'public address',
    // If V3 is configured, the check of the redirect address reports it.
    isSet: ({ publicUrl, oauth }) => publicUrl !== undefined || oauth !== undefined,
    verdict: warning(
      'is not set: customers cannot be sent links, and nobody can return from the consent page',
      'set CAUSEWAY_PUBLIC_URL to the address that customers’ browsers reach',
    ),
  },
  {
    what: 'e-mail',
    isSet: ({ mail }) => mail !== undefined,
    verdict: ok('no mail server is configured: links are passed on by hand, and nobody is reminded'),
  },
];

/** One row for each missing setting. */
export const missingChecks = (settings: Settings): readonly Check[] =>
  needs
    .filter(({ isSet }) => !isSet(settings))
    .map(({ what, verdict }) => ({ what, examine: () => verdict }));
