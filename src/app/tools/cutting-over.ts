import { requestMove, requestWords } from '../../features/admin/actions/cutting-over.ts';
import type { Verdict } from '../../features/cutover/cutover.ts';
import type { IdentifierSync } from '../../features/identifiers/identifier-sync.ts';
import { Refusal } from '../../lib/log/terminal.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import type { Parity } from '../../proof/parity/parity.ts';
import { cutoverOf } from '../wiring/features/moving.ts';
import type { OAuthSide, Services } from '../wiring/services.ts';
import type { Deeds } from './deeds.ts';
import { AT_TERMINAL, type Tools } from './model.ts';

interface CuttingOverParts {
  readonly services: Services;
  readonly identifierSync: IdentifierSync;
  readonly deeds: Deeds;
  readonly parity: Parity;
}

/** A command may take its time. */
const LONGEST_COMPARISON = 60 * MINUTE;

/** The checks before a move, and the move. */
export function cuttingOverOf({
  services,
  identifierSync,
  deeds,
  parity,
}: CuttingOverParts): Pick<Tools, 'cutoverChecks' | 'cutover'> {
  const steps = (mode: 'auto' | 'manual') =>
    cutoverOf(services, oauthOf(services), identifierSync, mode, { parity, patience: LONGEST_COMPARISON });
  return {
    cutoverChecks: ({ id }) => steps('manual').inspect(id),
    cutover(account, request) {
      const moving = { cutover: steps('auto'), repository: services.store.accounts, clock: services.clock };
      const deed = async (): Promise<readonly [Verdict, string]> => {
        const verdict = await requestMove(moving, request, account, AT_TERMINAL);
        return [verdict, auditWords(verdict)];
      };
      return deeds.do('cutover', account, deed, requestWords('requested', request));
    },
  };
}

function auditWords(verdict: Verdict): string {
  if (verdict.verdict === 'waiting') return `left: ${verdict.reason}`;
  const done = `done: ${verdict.verdict}`;
  return verdict.verdict === 'migrated' && verdict.open !== undefined ? `${done}; ${verdict.open}` : done;
}

function oauthOf({ oauth }: Services): OAuthSide {
  if (oauth === undefined)
    throw new Refusal('V3 is not configured: this bridge only passes calls through to V1');
  return oauth;
}
