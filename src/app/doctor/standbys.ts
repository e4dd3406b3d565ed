import type { ServerFacts } from '../../db/postgres/server-facts.ts';
import { failed, ok, unknown, warning, type Verdict } from './model.ts';

type Replication = Pick<
  ServerFacts,
  'standbyNames' | 'standbys' | 'synchronous' | 'hidden' | 'synchronousCommit'
>;

const HOW = 'docs/deploy/postgresql.md#a-second-server-that-takes-over';
const LOSES = 'a failover may lose the last tokens, and with them consents';

/**
 * These settings wait for the standby's memory or disk; `local` and `off` do not. The bridge raises those for itself.
 */
const WAITS = new Set(['on', 'remote_write', 'remote_apply']);

/** Whether a failover would lose data, as a row of `causeway doctor --production`. */
export function judgeStandbys(facts: Replication): Verdict {
  const { standbyNames, standbys, synchronous, hidden, synchronousCommit } = facts;
  if (synchronous > 0) return synchronousVerdict(synchronous, standbys, synchronousCommit);
  // The number of connections is visible even without the right to see their states.
  if (hidden > 0)
    return unknown(
      `${standbys} connected; this user may not see whether the server waits for one`,
      'grant pg_monitor to the bridge’s user, then run doctor again',
    );
  if (standbyNames !== '')
    return failed(
      `synchronous_standby_names is ${standbyNames}, and none of these is connected: commits wait, and no call can be recorded`,
      `bring the standby back, or take its name out and reload the server (${HOW})`,
    );
  if (standbys > 0)
    return warning(
      `replication is asynchronous (${standbys} connected, commits wait for none): ${LOSES}`,
      `name a standby in synchronous_standby_names (${HOW})`,
    );
  return warning(
    'there is none: while this server is away no token is renewed and no write goes out, and if its disk is lost, so are the tokens since the last backup',
    `add one that commits wait for (${HOW}), or accept it`,
  );
}

function synchronousVerdict(synchronous: number, standbys: number, commit: string): Verdict {
  if (!WAITS.has(commit))
    return warning(
      `synchronous_commit is ${commit}, which waits for no standby; the bridge waits anyway, other programs do not`,
      'set synchronous_commit = on',
    );
  if (commit === 'remote_write')
    return warning(
      `synchronous_commit is remote_write: if both machines lose power, ${LOSES}`,
      'set synchronous_commit = on',
    );
  return ok(
    `${standbys} connected, and a commit waits for ${synchronous === 1 ? 'one' : synchronous} of them`,
  );
}
