import { loseAccounts } from '../../../src/features/accounts/sql/lose-accounts.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Clock } from '../../../src/lib/time/clock.ts';
import type { DeploymentRepository, DeploymentView } from '../../../src/tokens/deployment/deployment.ts';
import type { GrantRepository } from '../../../src/tokens/grant.ts';
import { StoredDeployment } from '../../../src/tokens/deployment/deployment-repository.ts';
import { sqliteEngine } from '../../../src/db/sqlite/sqlite.ts';
import { skipNumbers } from '../../../src/mapping/crosswalk/skipped-numbers.ts';
import { StoredGrants } from '../../../src/tokens/grants.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { migrations } from '../../../src/db/migrations/index.ts';
import { MemoryGrants } from '../../../test/support/memory-grants.ts';
import { unfenced, unintended } from './controls.ts';
import type { Control, StoreKind } from './options.ts';

/** The database that all instances share. */
export interface Shared {
  readonly grants: GrantRepository;
  readonly deployment: DeploymentRepository;
  close(): Promise<void>;
}

export const openShared = (kind: StoreKind, clock: Clock, without: Control | undefined): Promise<Shared> =>
  kind === 'sqlite' ? openSqlite(clock) : openMemory(clock, without);

async function openMemory(clock: Clock, without: Control | undefined): Promise<Shared> {
  const grants = new MemoryGrants(clock);
  return {
    grants:
      without === 'fence' ? unfenced(grants) : without === 'intent' ? unintended(grants, clock) : grants,
    deployment: new MemoryDeployment(),
    close: async () => undefined,
  };
}

/** The real SQL of the real repositories; only the database's clock is simulated. */
async function openSqlite(clock: Clock): Promise<Shared> {
  const real = sqliteEngine(':memory:');
  await migrate(real, migrations);
  const engine = { ...real, now: nowOf(clock) };
  return {
    grants: new StoredGrants(engine, loseAccounts),
    deployment: new StoredDeployment(engine, undefined, skipNumbers),
    close: () => real.db.destroy(),
  };
}

/** An expression whose value is determined when a query is built. */
const nowOf = (clock: Clock): RawBuilder<number> =>
  new Proxy(sql<number>`0`, {
    get: (_, name) => {
      const present = sql<number>`cast(${Math.round(clock.now())} as integer)`;
      const part: unknown = Reflect.get(present, name);
      return typeof part === 'function' ? (part.bind(present) as unknown) : part;
    },
  });

/** The only deployment of a database that is neither copied nor moved. */
class MemoryDeployment implements DeploymentRepository {
  #epoch = 0;

  async look(): Promise<DeploymentView> {
    return { ...certain, epoch: this.#epoch, seenEpoch: this.#epoch };
  }

  async isUnchanged(): Promise<boolean> {
    return false;
  }

  async raise(now: number): Promise<void> {
    this.#epoch = Math.max(this.#epoch + 1, now);
  }

  async present(): Promise<void> {
    // No other process waits.
  }

  async leave(): Promise<void> {
    // As above.
  }

  async follow(): Promise<void> {
    // There is no mark outside the database.
  }

  async compare(): Promise<void> {
    throw new Error('nothing here ever moves');
  }

  async carry(): Promise<boolean> {
    throw new Error('nothing here ever moves');
  }

  async skipNumbers(): Promise<void> {
    // It assigns none.
  }

  async doubt(): Promise<void> {
    throw new Error('nothing here is ever in doubt');
  }

  async acknowledge(): Promise<void> {
    throw new Error('nothing here is ever in doubt');
  }
}

const certain: Omit<DeploymentView, 'epoch' | 'seenEpoch'> = {
  id: 'simulated',
  lies: 'same',
  memory: 'none',
  uncompared: false,
  awaited: [],
  withheld: 0,
  outside: { state: 'none' },
  marked: false,
  grants: true,
  accounts: true,
  written: undefined,
};
