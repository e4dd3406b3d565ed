import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { StageName } from '../../src/features/accounts/account.ts';
import { DAY, HOUR } from '../../src/lib/time/clock.ts';
import { openStore } from '../../src/app/store.ts';

/** A half-finished migration: accounts in every stage and condition, with all their data. */
export interface MigrationWanted {
  /** Path of a SQLite file that does not exist yet. */
  readonly path: string;
  readonly accounts: number;
  readonly now: number;
}

/** How long the campaign has been running. */
const DAYS = 90;

/**
 * Makes the same accounts in every run; written with separate SQL, because the repositories would need a commit for
 * each row.
 */
export async function makeMigration({ path, accounts, now }: MigrationWanted): Promise<void> {
  await (await openStore(`sqlite:${path}`)).close();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF; begin');
  const writer = new Writer(database);
  for (let index = 0; index < accounts; index += 1) account(writer, index, now);
  writer.row('counters', { name: 'feed', value: writer.seq });
  database.exec('commit; analyze');
  database.close();
}

class Writer {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  seq = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  row(table: string, values: Readonly<Record<string, SQLInputValue>>): void {
    const columns = Object.keys(values);
    const key = `${table} ${columns.join()}`;
    const known = this.#statements.get(key);
    const statement =
      known ??
      this.#database.prepare(
        `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`,
      );
    if (known === undefined) this.#statements.set(key, statement);
    statement.run(...Object.values(values));
  }
}

/** A value evenly distributed over the indexes in no visible order: realistic data without a random source. */
const spreadOver = (index: number, salt: number): number =>
  (((index + 1) * 2_654_435_761 * (salt * 2 + 1)) % 1_000) / 1_000;

function stageOf(index: number): StageName {
  const at = spreadOver(index, 1);
  if (at < 0.52) return 'migrated';
  if (at < 0.56) return 'consented';
  if (at < 0.58) return 'lost';
  return at < 0.6 ? 'closed' : 'legacy';
}

function account(writer: Writer, index: number, now: number): void {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const stage = stageOf(index);
  const bound = stage !== 'legacy' && stage !== 'closed';
  const created = now - DAYS * DAY;
  const moved = created + spreadOver(index, 2) * (DAYS - 1) * DAY;
  const since = stage === 'legacy' ? created : Math.floor(moved + 6 * HOUR);
  writer.row('accounts', {
    id,
    name: `Organisation ${index} ${'Ltd'.repeat(index % 2)}`.trim(),
    product: index % 20 === 0 ? 'practice' : 'standard',
    origin: 'added',
    created_at: created,
    stage,
    stage_since: since,
    last_call_at: index % 3 === 0 ? null : now - Math.floor(spreadOver(index, 3) * 3 * DAY),
    account_key_index: `index-${index}`,
    account_key_sealed: `sealed-${index}`.padEnd(120, '.'),
    grant_id: bound ? `grant-${index}` : null,
    organisation_id: bound ? `organisation-${index}` : null,
    organisation_name: bound ? `Organisation ${index}` : null,
    lost_reason: stage === 'lost' ? 'refused' : null,
  });
  writer.row('account_details', {
    account_id: id,
    email: `admin@customer-${index}.example`,
    email_key: `admin@customer-${index}.example`,
  });
  timeline(writer, id, stage, { created, moved: Math.floor(moved), since });
  if (bound) grant(writer, index, stage, now, Math.floor(moved));
  if (index % 10 !== 9) invited(writer, id, index, stage, now);
  if (index % 3 !== 0) called(writer, id, stage, now);
  if (stage === 'consented' || index % 100 === 0)
    for (let record = 0; record < 5; record += 1)
      writer.row('crosswalk_unlearned', {
        account_id: id,
        kind: 'client',
        uuid: `uuid-${index}-${record}`,
        first_seen: now,
      });
}

interface Moments {
  readonly created: number;
  readonly moved: number;
  readonly since: number;
}

function timeline(writer: Writer, id: string, stage: StageName, { created, moved, since }: Moments): void {
  let position = 0;
  const line = (
    at: number,
    kind: string,
    from: StageName | null,
    to: StageName | null,
    detail = 'by the generator',
  ): void => {
    position += 1;
    writer.seq += 1;
    writer.row('account_events', {
      account_id: id,
      position,
      at,
      kind,
      actor: 'bridge',
      detail,
      seq: writer.seq,
      from_stage: from,
      to_stage: to,
    });
  };
  line(created, 'added', null, 'legacy');
  line(created + HOUR, 'invited', null, null);
  if (stage === 'legacy') return;
  if (stage === 'closed') {
    line(since, 'closed', 'legacy', 'closed');
    return;
  }
  line(
    stage === 'consented' ? since : moved,
    'consented',
    'legacy',
    'consented',
    'Organisation connected by Anna',
  );
  if (stage === 'consented') {
    line(since + HOUR, 'cutover.waiting', null, null, 'V1 does not show every number');
    return;
  }
  line(moved + HOUR, 'migrated', 'consented', 'migrated');
  if (stage === 'lost') line(since, 'lost', 'migrated', 'lost', 'the grant was lost: refused');
}

function grant(writer: Writer, index: number, stage: StageName, now: number, moved: number): void {
  writer.row('grants', {
    id: `grant-${index}`,
    user_id: `user-${index}`,
    user_name: 'Anna',
    scope: 'openid service offline_access',
    created_at: moved,
    renewed_at: Math.max(moved, now - Math.floor(spreadOver(index, 4) * 20 * DAY)),
    state: stage === 'lost' ? 'lost' : 'held',
    generation: 12,
    access_token: 'sealed'.padEnd(900, '.'),
    access_expires_at: now,
    refresh_token: 'sealed'.padEnd(200, '.'),
    presentations: 0,
    lost_reason: stage === 'lost' ? 'refused' : null,
    lost_at: stage === 'lost' ? moved : null,
    fence: 12,
  });
}

function invited(writer: Writer, id: string, index: number, stage: StageName, now: number): void {
  const issued = now - Math.floor(spreadOver(index, 5) * 40 * DAY);
  const state =
    stage === 'legacy'
      ? ((['issued', 'opened', 'declined', 'withdrawn'] as const)[index % 4] ?? 'issued')
      : 'accepted';
  writer.row('invitations', {
    id: `invitation-${index}`,
    account_id: id,
    link_index: `link-${index}`,
    state,
    state_since: issued,
    issued_at: issued,
    expires_at: issued + 30 * DAY,
  });
  writer.row('campaign_runs', {
    account_id: id,
    cause: 'invited',
    began_at: issued,
    reminders: index % 3,
    state: stage === 'legacy' ? 'running' : 'stopped',
    next_at: stage === 'legacy' ? now + DAY : null,
    stop_reason: stage === 'legacy' ? null : 'consented',
    stopped_at: stage === 'legacy' ? null : issued,
  });
  for (let message = 0; message < 3; message += 1)
    writer.row('outbox', {
      id: `message-${index}-${message}`,
      account_id: id,
      invitation_id: `invitation-${index}`,
      kind: message === 0 ? 'invitation' : 'reminder',
      to_address: `admin@customer-${index}.example`,
      to_key: `admin@customer-${index}.example`,
      message_id: `<message-${index}-${message}@causeway.example>`,
      state: 'sent',
      queued_at: issued + message * 3 * DAY,
      next_at: issued,
      attempts: 1,
      settled_at: issued + message * 3 * DAY,
    });
}

/** Calls of programs throughout the working day. */
function called(writer: Writer, id: string, stage: StageName, now: number): void {
  const hour = now - (now % HOUR);
  const source = stage === 'migrated' ? 'v3' : stage === 'lost' ? 'bridge' : 'v1';
  for (let back = 0; back < 12; back += 1)
    writer.row('call_hours', {
      hour: hour - back * HOUR,
      account_id: id,
      source,
      calls: 12,
      errors: stage === 'lost' ? 12 : back % 12 === 0 ? 1 : 0,
    });
}
