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

/** The answer to a caller. `gone`: the caller no longer waited; `reset`: its connection ended. */
export type Heard =
  | { readonly how: 'ok'; readonly number: string | undefined; readonly joined: string | undefined }
  | { readonly how: 'refused' | 'unsent' | 'unknown' | 'failed' | 'gone' | 'reset'; readonly words: string };

/** One request of a caller. */
export interface Attempt {
  /** The id of the request, and of its row in the ledger. */
  readonly write: string;
  readonly process: Process;
  readonly began: number;
  heard: Heard | undefined;
  endedAt: number | undefined;
}

/** Something that a caller wants done exactly once. */
export interface Intent {
  readonly name: string;
  readonly account: PlayedAccount;
  readonly method: Method;
  readonly verb: string;
  readonly body: string;
  readonly key: string | undefined;
  /** How long its caller waits for an answer. */
  readonly patience: number;
  /** An identical intent that is also meant. */
  readonly twinOf?: Intent | undefined;
  /** Repeats the answered call under the same key. */
  readonly asksAgain?: Intent | undefined;
  /** Uses the key of another intent with a different body, which must be refused. */
  readonly misuses?: Intent | undefined;
  readonly attempts: Attempt[];
  final: Heard | undefined;
}

/** The content that makes two calls identical. */
export const contentOf = ({ account, method, body }: Intent): string => `${account.id} ${method} ${body}`;

export const isAdd = ({ method }: Intent): boolean => method === 'client.add' || method === 'time.add';

/** The kind of the record it creates or changes. */
export const kindOf = ({ method }: Intent): string => method.split('.')[0] ?? '';
