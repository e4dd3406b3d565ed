import type { FieldFault } from '../accounts/unusable-account.ts';

/** Why the admin service refuses an action: a short, stable list. */
export type AdminFault = 'unknown' | 'unusable' | 'conflict' | 'too-many' | 'throttled' | 'unavailable';

/** Nothing was done. The text is for the operator and never contains a secret. */
export class AdminRefusal extends Error {
  readonly fault: AdminFault;
  /** The fields at fault, if single fields are. */
  readonly fields: readonly FieldFault[];

  constructor(fault: AdminFault, words: string, fields: readonly FieldFault[] = []) {
    super(words);
    this.name = 'AdminRefusal';
    this.fault = fault;
    this.fields = fields;
  }
}

/** Too often within a time; possible again after `millis` milliseconds. */
export class Throttled extends AdminRefusal {
  readonly millis: number;

  constructor(words: string, millis: number) {
    super('throttled', words);
    this.name = 'Throttled';
    this.millis = millis;
  }
}

/** `given`: the id or name of an account that does not exist. */
export const unknownAccount = (given: string): AdminRefusal =>
  new AdminRefusal('unknown', `there is no account ${JSON.stringify(given)}: use its exact name, or its id`);

/** Another account has this name. Two customers may share one, but only if the operator says so. */
export class NameTaken extends AdminRefusal {
  constructor(name: string, id: string) {
    super(
      'conflict',
      `another account is already called ${name} (${id}): choose another name, or confirm that both are right`,
    );
    this.name = 'NameTaken';
  }
}
