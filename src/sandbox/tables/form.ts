import type { Kind } from '../records/kind-names.ts';

/** The form of a value: how it is stored and, from that, how each surface treats it. */
export type Form =
  /** Never empty. */
  | { readonly is: 'title' }
  | { readonly is: 'text' }
  /** Stored with two places; `usual`: the value when unset (0.00; 1.00 for a quantity). */
  | { readonly is: 'money'; readonly usual: string }
  /** Stored with two places, or '' when unset. A rate is never negative. */
  | { readonly is: 'amount' | 'rate' }
  | { readonly is: 'minutes'; readonly usual: number }
  | { readonly is: 'flag'; readonly usual: boolean }
  /** One of these words. */
  | { readonly is: 'choice'; readonly of: readonly string[]; readonly usual: string }
  /** yyyy-MM-dd, or ''. */
  | { readonly is: 'day' }
  /** HH:mm, or ''. */
  | { readonly is: 'timeOfDay' }
  /** yyyy-MM-ddTHH:mm:ss; by default, the time of writing. */
  | { readonly is: 'moment' }
  /** Name of a phase of the job that the record belongs to, or ''. */
  | { readonly is: 'folder' }
  /** Name of a record of that kind, or ''; V2 refers to it by UUID. */
  | { readonly is: 'setting'; readonly of: Kind }
  /** UUID of a record of that kind, or ''. */
  | { readonly is: 'reference'; readonly of: Kind };

export const title = { is: 'title' } as const;
export const text = { is: 'text' } as const;
export const money = { is: 'money', usual: '0.00' } as const;
export const quantity = { is: 'money', usual: '1.00' } as const;
export const amount = { is: 'amount' } as const;
export const rate = { is: 'rate' } as const;
/** A whole number. */
export const count = (usual: number) => ({ is: 'minutes', usual }) as const;
export const minutes = count(0);
/** Yes or no. */
export const flag = (usual: boolean) => ({ is: 'flag', usual }) as const;
/** One of these words. */
export const choice = <const Of extends readonly string[], const Usual extends Of[number] | ''>(
  of: Of,
  usual: Usual,
) => ({ is: 'choice', of, usual }) as const;
export const day = { is: 'day' } as const;
export const timeOfDay = { is: 'timeOfDay' } as const;
export const moment = { is: 'moment' } as const;
export const folder = { is: 'folder' } as const;
/** A setting of the organisation, stored by its name. */
export const setting = (of: Kind) => ({ is: 'setting', of }) as const;
/** Another record, stored by its UUID. */
export const reference = (of: Kind) => ({ is: 'reference', of }) as const;

export type Stored<F extends Form> = F extends { readonly is: 'minutes' }
  ? number
  : F extends { readonly is: 'flag' }
    ? boolean
    : F extends { readonly is: 'choice'; readonly of: readonly (infer Word)[]; readonly usual: infer Usual }
      ? Word | Usual
      : string;

export type StoredValue = string | number | boolean;

/** The value of a form when nothing was given. */
export const unset = (form: Form): StoredValue => ('usual' in form ? form.usual : '');
