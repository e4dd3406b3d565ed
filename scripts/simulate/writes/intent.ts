import type { Seeded } from './service.ts';
import type { Route } from './options.ts';
import type { Process } from './process.ts';

export interface PlayedAccount {
  readonly id: string;
  readonly accountKey: string;
  readonly organisation: string;
  readonly route: Route;
  readonly seeded: Seeded;
}

export type Method = 'client.add' | 'time.add' | 'client.update' | 'client.delete';

/** What a caller got. `gone`: he no longer waited; `reset`: his connection ended. */
export type Heard =
  | { readonly how: 'ok'; readonly number: string | undefined; readonly joined: string | undefined }
  | { readonly how: 'refused' | 'unsent' | 'unknown' | 'failed' | 'gone' | 'reset'; readonly words: string };

/** One request of a caller. */
export interface Attempt {
  /** The id of the request, which is that of its row in the ledger. */
  readonly write: string;
  readonly process: Process;
  readonly began: number;
  heard: Heard | undefined;
  endedAt: number | undefined;
}

/** What somebody means to have done once. */
export interface Intent {
  readonly name: string;
  readonly account: PlayedAccount;
  readonly method: Method;
  readonly verb: string;
  readonly body: string;
  readonly key: string | undefined;
  /** How long its caller waits for an answer. */
  readonly patience: number;
  /** An equal one, which is meant as well. */
  readonly twinOf?: Intent | undefined;
  /** It asks once more under the same key for what it was told. */
  readonly asksAgain?: Intent | undefined;
  /** It carries another body under the key of another one: it has to be refused. */
  readonly misuses?: Intent | undefined;
  readonly attempts: Attempt[];
  final: Heard | undefined;
}

/** What makes two calls the same. */
export const contentOf = ({ account, method, body }: Intent): string => `${account.id} ${method} ${body}`;

export const isAdd = ({ method }: Intent): boolean => method === 'client.add' || method === 'time.add';

/** Of the record it makes or changes. */
export const kindOf = ({ method }: Intent): string => method.split('.')[0] ?? '';
