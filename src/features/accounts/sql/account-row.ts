import type { Account, Stage } from '../account.ts';
import type { Binding } from '../../../upstream/organisation.ts';
import type { NewAccount } from '../model.ts';
import { DEFAULT_APPLICATION } from '../../../upstream/application.ts';
import type { AccountRow } from './tables.ts';
import { present } from '../../../db/row.ts';

type LifeColumns = Pick<
  AccountRow,
  'stage' | 'grant_id' | 'organisation_id' | 'organisation_name' | 'lost_reason'
>;

const UNBOUND = { grant_id: null, organisation_id: null, organisation_name: null, lost_reason: null };

function bound(binding: Binding): Omit<LifeColumns, 'stage'> {
  return {
    grant_id: binding.grantId,
    organisation_id: binding.organisation.id,
    organisation_name: binding.organisation.name,
    lost_reason: null,
  };
}

/** The columns of a stage; those of other stages are empty. */
export function lifeColumns(life: Stage): LifeColumns {
  switch (life.stage) {
    case 'legacy':
    case 'closed':
      return { stage: life.stage, ...UNBOUND };
    case 'awaiting-operator':
      return { stage: life.stage, ...bound(life.proposal) };
    case 'consented':
    case 'migrated':
      return { stage: life.stage, ...bound(life.binding) };
    case 'lost':
      return { stage: life.stage, ...bound(life.binding), lost_reason: life.reason };
  }
}

function binding(row: AccountRow): Binding {
  return {
    grantId: present(row.grant_id, 'grant_id of an account'),
    organisation: {
      id: present(row.organisation_id, 'organisation_id of an account'),
      name: present(row.organisation_name, 'organisation_name of an account'),
    },
  };
}

/** The stage with its values; a later version's stage has none. Throws if the row lacks a value. */
export function lifeOf(row: AccountRow): Stage {
  switch (row.stage) {
    case 'legacy':
    case 'closed':
      return { stage: row.stage };
    case 'awaiting-operator':
      return { stage: row.stage, proposal: binding(row) };
    case 'consented':
    case 'migrated':
      return { stage: row.stage, binding: binding(row) };
    case 'lost':
      return {
        stage: 'lost',
        binding: binding(row),
        reason: present(row.lost_reason, 'lost_reason of an account'),
      };
    default:
      return { stage: row.stage };
  }
}

/** The account of a row. */
export function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    name: row.name,
    product: row.product,
    application: row.application_id,
    origin: row.origin,
    createdAt: row.created_at,
    stageSince: row.stage_since,
    lastCallAt: row.last_call_at ?? undefined,
    life: lifeOf(row),
    ...(row.notices === 1 && { notices: true as const }),
    ...(row.brownout_from !== null &&
      row.brownout_to !== null && { brownout: { from: row.brownout_from, to: row.brownout_to } }),
  };
}

/** The row of a new account. */
export function firstRow(account: NewAccount): AccountRow {
  return {
    id: account.id,
    application_id: account.application ?? DEFAULT_APPLICATION,
    name: account.name,
    product: account.product,
    origin: account.origin,
    created_at: account.now,
    ...lifeColumns({ stage: account.isClosed === true ? 'closed' : 'legacy' }),
    stage_since: account.now,
    account_key_index: account.accountKeyIndex,
    account_key_sealed: account.accountKeySealed,
    api_key_index: account.apiKeyIndex ?? null,
    api_key_sealed: account.apiKeySealed ?? null,
    ...{ last_call_at: null, notices: null, brownout_from: null, brownout_to: null },
  };
}
