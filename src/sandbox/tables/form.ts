import type { Kind } from '../records/kind-names.ts';

/** What a value is: how it is stored, and so what each surface makes of it. */
export type Form =
  /** Never empty. */
  | { readonly is: 'title' }
  | { readonly is: 'text' }
  /** Stored with two places; unset is 0.00. */
  | { readonly is: 'money' }
  /** Stored with two places, or '' where it is unset. A rate is never negative. */
  | { readonly is: 'amount' | 'rate' }
  | { readonly is: 'minutes' }
  | { readonly is: 'flag'; readonly usual: boolean }
  /** yyyy-MM-dd, or ''. */
  | { readonly is: 'day' }
  /** UUID of a record of that kind, or ''. */
  | { readonly is: 'reference'; readonly of: Kind };

export const title = { is: 'title' } as const;
export const text = { is: 'text' } as const;
export const money = { is: 'money' } as const;
export const amount = { is: 'amount' } as const;
export const rate = { is: 'rate' } as const;
export const minutes = { is: 'minutes' } as const;
export const flag = (usual: boolean) => ({ is: 'flag', usual }) as const;
export const day = { is: 'day' } as const;
export const reference = (of: Kind) => ({ is: 'reference', of }) as const;

export type Stored<F extends Form> = F extends { readonly is: 'minutes' }
  ? number
  : F extends { readonly is: 'flag' }
    ? boolean
    : string;

export type StoredValue = string | number | boolean;

/** What stands in a record of which nobody said anything. */
export function unset(form: Form): StoredValue {
  switch (form.is) {
    case 'title':
    case 'text':
    case 'amount':
    case 'rate':
    case 'day':
    case 'reference':
      return '';
    case 'money':
      return '0.00';
    case 'minutes':
      return 0;
    case 'flag':
      return form.usual;
  }
}
