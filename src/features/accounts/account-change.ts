/**
 * Checks an operator's input for an account: its name and application, and the changes of an existing one.
 *
 * A change is compared with the stored values, so that the timeline names the fields that differ and nothing is written
 * if none does. Everything here reads; `Accounts` writes.
 */
import { holdsGrant } from './account.ts';
import type { AccountKeys } from './account-keys.ts';
import type { AccountChange } from './details.ts';
import {
  checkDetails,
  differences,
  fieldWords,
  type CheckedDetails,
  type GivenDetails,
} from './details-check.ts';
import { ApplicationInUse, ProductInUse, UnknownAccount, type AccountRepository } from './model.ts';
import { UnusableAccount } from './unusable-account.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { ApplicationNames } from '../../upstream/application.ts';
import type { Product } from '../../upstream/organisation.ts';

/** The fields of an account that an operator may change. */
export interface GivenChange extends GivenDetails {
  readonly name?: string | undefined;
  readonly product?: Product | undefined;
  /** Only while no grant is held, because a grant belongs to the application that obtained it. */
  readonly application?: string | undefined;
  /** V1's replies tell its programs when V1 ends. */
  readonly notices?: boolean | undefined;
  /** From now on calls must carry exactly this API key. */
  readonly apiKey?: Secret | undefined;
}

/** The sources for the comparison. */
export interface ComparedParts {
  readonly repository: Pick<AccountRepository, 'byId' | 'details'>;
  readonly keys: Pick<AccountKeys, 'otherApiKey'>;
  readonly applications: ApplicationNames;
}

/** A change as it is stored, and the names of the fields that differ. */
export interface ComparedChange {
  readonly change: AccountChange;
  readonly fields: readonly string[];
}

const LONGEST_NAME = 200;

/** Compares the given values with the stored ones. Throws `UnknownAccount`, `UnusableAccount`. */
export async function comparedChange(
  { repository, keys, applications }: ComparedParts,
  id: string,
  given: GivenChange,
): Promise<ComparedChange> {
  const account = await repository.byId(id);
  if (account === undefined) throw new UnknownAccount(id);
  const change = usable(checkDetails(given));
  const name = given.name === undefined ? account.name : checkedName(given.name);
  const application = checkedApplication(applications, given.application) ?? account.application;
  const apiKey = given.apiKey && (await keys.otherApiKey(id, given.apiKey));
  const product = given.product ?? account.product;
  if (product !== account.product && account.life.stage !== 'legacy')
    throw new UnusableAccount(new ProductInUse(account.life.stage).message);
  if (application !== account.application && holdsGrant(account.life))
    throw new UnusableAccount(new ApplicationInUse(account.name, account.application).message);
  return {
    change: {
      ...change,
      // Only what differs: somebody else may be changing the rest.
      ...(name === account.name ? {} : { name }),
      ...(product === account.product ? {} : { product }),
      ...(application === account.application ? {} : { application }),
      ...noticesOf(account, given),
      ...(apiKey === undefined ? {} : { apiKey }),
    },
    fields: [
      ...(name === account.name ? [] : ['name']),
      ...(product === account.product ? [] : ['product']),
      ...(application === account.application ? [] : ['application']),
      ...Object.keys(noticesOf(account, given)),
      ...(apiKey === undefined ? [] : ['API key']),
      ...differences(await repository.details(id), change).map((field) => fieldWords[field]),
    ],
  };
}

/** Empty if nothing would change. */
const noticesOf = (
  { notices = false }: { readonly notices?: boolean },
  given: GivenChange,
): Pick<AccountChange, 'notices'> =>
  given.notices === undefined || given.notices === notices ? {} : { notices: given.notices };

const unusableField = (field: string, message: string): UnusableAccount =>
  new UnusableAccount(message, [{ field, message }]);

/** One of the names, or undefined if none is given. Throws `UnusableAccount`. */
export function checkedApplication({ all }: ApplicationNames, given: string | undefined): string | undefined {
  if (given === undefined || all.includes(given)) return given;
  throw unusableField('application', unknownApplication(all));
}

/** The text about an application that is not configured. */
export const unknownApplication = (names: readonly string[]): string =>
  `the application must be ${names.join(' or ')}`;

/** Throws `UnusableAccount` with all faults. */
export function usable({ change, faults }: CheckedDetails): CheckedDetails['change'] {
  if (faults.length > 0) throw new UnusableAccount(faults.map(({ message }) => message).join('; '), faults);
  return change;
}

/** The name without surrounding spaces. Throws `UnusableAccount`. */
export function checkedName(given: string): string {
  const name = given.trim();
  if (name === '' || name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
    throw unusableField('name', `a name must be one line of 1 to ${LONGEST_NAME} characters`);
  return name;
}
