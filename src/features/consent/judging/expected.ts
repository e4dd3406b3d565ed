/**
 * The organisation that the operator expects, compared with the one that an account is bound to.
 *
 * A consent is compared with it before it binds, and an operator can confirm one that differs. So only what was entered
 * after the binding can contradict it: it has not been compared with anything, and after the move it comes too late.
 */
import type { AccountEvent } from '../../accounts/account.ts';
import { fieldWords } from '../../accounts/details-check.ts';
import type { AccountRepository } from '../../accounts/model.ts';
import type { Consented } from '../../cutover/checks.ts';
import type { Trx } from '../../../db/tables.ts';
import { consentEvents } from '../model.ts';
import { asExpected } from './match.ts';

/** Whether one of these fields was changed since the account was bound. */
function changedSince(timeline: readonly AccountEvent[], fields: readonly string[]): boolean {
  const bound = timeline.findLastIndex(({ kind }) => kind === consentEvents.connected);
  return timeline
    .slice(bound + 1)
    .some(({ kind, detail }) => kind === 'changed' && detail.split(', ').some((one) => fields.includes(one)));
}

/**
 * Why the account's organisation is not the one that the operator has named since it was bound; undefined: nothing says so.
 * `trx`: the transaction of the move, which holds the account's row.
 */
export async function unexpected(
  repository: Pick<AccountRepository, 'details' | 'timeline'>,
  { id, life }: Consented,
  trx?: Trx,
): Promise<string | undefined> {
  const { organisation } = life.binding;
  const { expected } = await repository.details(id, trx);
  if (asExpected(expected, organisation) !== false) return undefined;
  const { organisationId, organisationName } = fieldWords;
  const fields = expected.id === undefined ? [organisationId, organisationName] : [organisationId];
  if (!changedSince(await repository.timeline(id, trx), fields)) return undefined;
  const other = expected.id === undefined ? `named ${expected.name ?? ''}` : `with the id ${expected.id}`;
  return `${organisation.name} (${organisation.id}) is connected, but since then an operator has entered that an organisation ${other} is expected: invite the customer to approve that one, or correct what is expected (accounts set --organisation-id or --organisation)`;
}
