import type { AccountRepository } from '../accounts/model.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { V1Reader } from '../../upstream/model.ts';
import { keyPlaces } from '../accounts/account-keys.ts';
import { discard } from '../../upstream/transport/outcome.ts';
import { recordsOf, textOf } from '../identifiers/reading.ts';

/** A client as shown under the legacy keys. */
export interface Print {
  readonly number: string;
  readonly name: string;
}

export interface LegacyClientsParts {
  /** Undefined: no V1 root is configured. */
  readonly v1: V1Reader | undefined;
  readonly repository: AccountRepository;
  readonly seal: Seal;
}

const LIST = { call: 'client.api/list', container: 'Clients' } as const;

/** The clients that V1 shows with an account's keys, as long as it answers. */
export class LegacyClients {
  readonly #parts: LegacyClientsParts;

  constructor(parts: LegacyClientsParts) {
    this.#parts = parts;
  }

  /**
   * At most `most` clients that are neither deleted nor archived; undefined if V1 cannot or will not answer, for
   * whatever reason.
   */
  async living(accountId: string, most: number): Promise<readonly Print[] | undefined> {
    try {
      return await this.#read(accountId, most);
    } catch {
      return undefined; // a failure proves nothing, and the error may quote the keys
    }
  }

  async #read(accountId: string, most: number): Promise<readonly Print[] | undefined> {
    const { v1 } = this.#parts;
    const query = await this.#keys(accountId);
    if (v1 === undefined || query === undefined) return undefined;
    const target = new Secret(`/${LIST.call}?${query.toString()}`);
    const answer = await v1.get(target, AbortSignal.timeout(MINUTE));
    if (answer.status !== 200) {
      discard(answer);
      return undefined;
    }
    const prints: Print[] = [];
    for await (const records of recordsOf(answer.body, LIST.container)) {
      for (const record of records.filter(isLiving)) {
        const [number, name] = [textOf(record, 'ID')?.trim() ?? '', textOf(record, 'Name') ?? ''];
        if (number !== '' && name.trim() !== '') prints.push({ number, name });
        if (prints.length === most) return prints;
      }
    }
    return prints;
  }

  async #keys(accountId: string): Promise<URLSearchParams | undefined> {
    const { repository, seal } = this.#parts;
    const sealed = await repository.sealedKeys(accountId);
    if (sealed?.apiKey === undefined) return undefined;
    return new URLSearchParams({
      apiKey: seal.open(sealed.apiKey.sealed, sealed.apiKey.owner, keyPlaces.api.column).reveal(),
      accountKey: seal.open(sealed.accountKey, accountId, keyPlaces.account.column).reveal(),
    });
  }
}

/** V1 lists the others, too; V3 opens no deleted client, and its search may leave archived ones out. */
const isLiving = (record: XmlElement): boolean =>
  !['IsDeleted', 'IsArchived'].some((mark) => textOf(record, mark)?.trim().toLowerCase() === 'yes');
