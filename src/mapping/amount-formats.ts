import { one, texts, type Format } from './format.ts';
import { textOf } from './compile/path.ts';
import {
  decimalText,
  differenceOf,
  isPlainDecimal,
  productOf,
  sumOf,
  twoPlaces,
  USUAL_AMOUNT,
} from './numbers.ts';

const PLAIN = /^-?\d+(?:\.\d+)?$/;

const WHOLE = /^-?\d+$/;

/** A JSON number; one that a double cannot hold is sent as text. */
function numberOf(text: string): readonly unknown[] | undefined {
  const trimmed = text.trim();
  if (!PLAIN.test(trimmed)) return undefined;
  const digits = trimmed.replace(/[-.]/g, '').replace(/^0+/, '');
  return [digits.length > 15 ? trimmed : Number(trimmed)];
}

/** More decimals than two places show. */
const isFiner = (text: string): boolean => /\.\d\d\d*[1-9]/.test(text);

function money(given: string, lost: () => void): string {
  if (USUAL_AMOUNT.test(given)) return twoPlaces(given);
  const text = decimalText(given) ?? given;
  if (isFiner(text)) lost();
  return twoPlaces(text);
}

/** The decimal text of a JSON number, or of a number sent as text; undefined for anything else. */
function decimalOf(value: unknown): string | undefined {
  const text = textOf(value);
  const plain = text === undefined ? undefined : decimalText(text);
  return plain !== undefined && isPlainDecimal(plain) ? plain : undefined;
}

const wholePart = texts((text, lost) => {
  const match = /^(-?\d+)(?:\.(\d*[1-9]\d*))?/.exec(text);
  if (match?.[2] !== undefined) lost();
  return match?.[1] ?? text;
});

/**
 * Formats for numbers, amounts and values calculated from them: exact arithmetic, rounded once at the end.
 */
export const amountFormats = {
  /** Two decimal places, as everywhere in the legacy form; V2 has JSON numbers. */
  money: { fromV3: twoPlaces, fromV2: texts(money), toV2: numberOf },
  integer: { fromV2: wholePart, toV2: numberOf },
  /** Whole minutes, never negative. */
  minutes: {
    fromV2: wholePart,
    toV2: (text) => (/^\d{1,9}$/.test(text.trim()) ? [Number(text)] : undefined),
  },
  /** A number with the decimal places it has. */
  decimal: { fromV2: texts((text) => decimalText(text) ?? text), toV2: numberOf },
  /**
   * V2 has one type for all numbers. A second path may say that the value belongs in the element `Number`:
   * then any text is accepted, otherwise only text without a decimal point. The service validates what is
   * sent.
   */
  whole: {
    fromV2: ([value, told]) => {
      const text = textOf(value);
      return text !== undefined && (told === 'Number' || WHOLE.test(text)) ? text : undefined;
    },
    toV2: one,
  },
  /**
   * A number in the element `Decimal`: any number if a second path says so, otherwise one with a decimal
   * point.
   */
  fraction: {
    fromV3: twoPlaces,
    fromV2: ([value, told], lost) => {
      const text = textOf(value);
      return text !== undefined && (told === 'Decimal' || !WHOLE.test(text)) ? money(text, lost) : undefined;
    },
    toV2: one,
  },
  difference: {
    fromV3: twoPlaces,
    fromV2: ([minuend, subtrahend], lost) => {
      const [a, b] = [decimalOf(minuend), decimalOf(subtrahend ?? 0)];
      if ([a, b].some((text) => text !== undefined && isFiner(text))) lost();
      return a === undefined || b === undefined ? undefined : differenceOf(a, b);
    },
  },
  /** The product of two values, quantity and price, rounded to two places. */
  product: { fromV3: twoPlaces, fromV2: (values) => productIn(values) },
  /**
   * The tax of a line, for which V2 has only the rates. Values: the amount, or quantity and price, followed
   * by the percentages of its taxes. Rounded as the service rounds totals: first the amount, then the tax.
   */
  lineTax: { fromV3: twoPlaces, fromV2: (values) => taxIn(values.slice(0, -1), values.at(-1)) },
  /** The amount of a line with its tax; takes the same values as `lineTax`. */
  lineTotal: {
    fromV3: twoPlaces,
    fromV2: (values) => {
      const amounts = values.slice(0, -1);
      const [amount, tax] = [productIn(amounts), taxIn(amounts, values.at(-1))];
      return amount === undefined || tax === undefined ? undefined : sumOf([amount, tax]);
    },
  },
  /** V2 has no state for it: in V1 an approved invoice that is paid in full is `Paid`. */
  invoiceStatus: {
    fromV2: ([status, total, paid]) => {
      const state = (textOf(status) ?? '').toLowerCase();
      const [due, given] = [decimalOf(total), decimalOf(paid)];
      if (state === 'approved' && due !== undefined && given !== undefined && isPaidIn(due, given))
        return 'Paid';
      return state === '' ? undefined : state.slice(0, 1).toUpperCase() + state.slice(1);
    },
  },
} as const satisfies Record<string, Format>;

function productIn(values: readonly unknown[]): string | undefined {
  const factors = values.flatMap((value) => decimalOf(value) ?? []);
  return factors.length === values.length ? productOf(factors) : undefined;
}

/** Without a list of taxes, the tax is unknown. */
function taxIn(amounts: readonly unknown[], rates: unknown): string | undefined {
  const amount = productIn(amounts);
  if (amount === undefined || !Array.isArray(rates)) return undefined;
  const percents = rates.flatMap((rate) => decimalOf(rate) ?? []);
  return productOf([amount, sumOf(percents), '0.01']);
}

/** Whether an invoice with an amount has nothing left to pay. */
const isPaidIn = (due: string, given: string): boolean =>
  isPositive(due) && !isPositive(differenceOf(due, given));

const isPositive = (text: string): boolean => /^[^-]*[1-9]/.test(text);
