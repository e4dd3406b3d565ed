/** What a call must be answered on every lane; what else the answer holds must be the same on all of them. */
export type Expected =
  /** 200, `Status` OK, and every fragment somewhere in the body. */
  | { readonly is: 'ok'; readonly holds: readonly string[]; readonly lacks: readonly string[] }
  /** 200, `Status` OK, and exactly this behind it. */
  | { readonly is: 'exactly'; readonly rest: string }
  /** The failure document with these words; 200 where the service refuses the call itself. */
  | { readonly is: 'failure'; readonly status: number; readonly words: string };

/** How the keys stand in the query. */
export type KeyHabit =
  | 'behind'
  | 'before'
  | 'lower case'
  | 'upper case'
  | 'none'
  | 'no API key'
  | 'wrong API key'
  | 'unknown account';

export interface Call {
  readonly verb: string;
  /** Below the root, query included; `{new Client}` stands for the number of the client made last, and so on. */
  readonly path: string;
  readonly body: string | Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: KeyHabit;
  readonly expected: Expected;
}

/** One case of the contract, in plain words: calls that follow each other. */
export interface Case {
  readonly says: string;
  readonly organisation: 'studio' | 'practice' | 'australia';
  readonly calls: readonly Call[];
}

/** Cases that share one seed; they run in this order, each on what the ones before it left. */
export interface Table {
  readonly title: string;
  readonly seed: readonly Readonly<Record<string, unknown>>[];
  readonly cases: readonly Case[];
  /** What V2 answers otherwise, beyond the elements that the loss report says are in no answer of the method. */
  readonly losses?: readonly LossRow[];
}

/** A difference of V2's answers that the loss report names. */
export interface LossRow {
  /** The case that shows it; left out: any. */
  readonly case?: string;
  /** Which of its calls, from 0; left out: any. */
  readonly call?: number;
  /** The method whose answer differs. */
  readonly method: string;
  /** The words of the loss report: a sentence, or an element such as `request Client/IsProspect`. */
  readonly loss: string;
  /** The method that loses it, where it is not the one whose answer shows it. */
  readonly of?: string;
  readonly how:
    /** An element that is not compared, as the report writes it: `Contact/IsPrimary`. */
    | { readonly mask: string }
    /** Records that V2 does not have: elements of this name that hold this text, in V1's answer. */
    | { readonly drop: string; readonly holding: string }
    /** Elements of this name come in another order. */
    | { readonly reordered: string }
    /** What V2 answers instead. */
    | { readonly answer: Expected };
}

export const ok = (...holds: readonly string[]): Expected => ({ is: 'ok', holds, lacks: [] });
export const without = (expected: Expected, ...lacks: readonly string[]): Expected =>
  expected.is === 'ok' ? { ...expected, lacks } : expected;
export const exactly = (rest: string): Expected => ({ is: 'exactly', rest });
export const statusOnly = exactly('');
export const refused = (words: string): Expected => ({ is: 'failure', status: 200, words });
export const fails = (status: number, words: string): Expected => ({ is: 'failure', status, words });
export const missing = (path: string): Expected =>
  refused(`Message not in expected format. The following required element was missing - ${path}`);

interface Habits {
  readonly headers?: Readonly<Record<string, string>>;
  readonly keys?: KeyHabit;
}

export const call = (
  verb: string,
  path: string,
  body: string | Buffer | undefined,
  expected: Expected,
  { headers = {}, keys = 'behind' }: Habits = {},
): Call => ({ verb, path, body, headers, keys, expected });

export const get = (path: string, expected: Expected, habits?: Habits): Call =>
  call('GET', path, undefined, expected, habits);
export const post = (path: string, body: string | Buffer, expected: Expected, habits?: Habits): Call =>
  call('POST', path, body, expected, habits);
export const put = (path: string, body: string | Buffer, expected: Expected, habits?: Habits): Call =>
  call('PUT', path, body, expected, habits);
export const del = (path: string, expected: Expected, habits?: Habits): Call =>
  call('DELETE', path, undefined, expected, habits);

const at =
  (organisation: Case['organisation']) =>
  (says: string, ...calls: readonly Call[]): Case => ({ says, organisation, calls });

/** Cases of each of the three organisations. */
export const studio = at('studio');
export const practice = at('practice');
export const australia = at('australia');
