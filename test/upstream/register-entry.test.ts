import { describe, expect, it } from '@jest/globals';
import { silentLog } from '../../src/lib/log/log.ts';
import { HOUR, SECOND } from '../../src/lib/time/clock.ts';
import type { InstanceRegister, Presence } from '../../src/upstream/limiter/permit-pool.ts';
import { RegisterEntry } from '../../src/upstream/limiter/redis/register-entry.ts';

const alive: Presence = { state: 'shared', reaches: true, epoch: 'e', instances: 2, over: [], counts: 0 };

/** A register in a database whose clock can be set, and one instance that reads it. */
class Setting {
  /** Milliseconds that have really gone by, which no clock that is set changes. */
  gone = 0;
  /** By so many milliseconds the database's clock is ahead. */
  ahead = 0;
  readonly #reports = new Map<string, number>();
  readonly #entry: RegisterEntry;

  constructor() {
    const register: InstanceRegister = {
      report: async (id) => {
        this.reports(id);
        return Array.from(this.#reports, ([name, at]) => ({
          ...{ ...alive, id: name, at, age: Math.max(0, this.gone + this.ahead - at) },
        }));
      },
      remove: async () => undefined,
    };
    this.#entry = new RegisterEntry({ register, id: 'own', log: silentLog, monotonic: () => this.gone });
  }

  reports(id: string): void {
    this.#reports.set(id, this.gone + this.ahead);
  }

  /** How long ago the other instance reported, as this one sees it. */
  async age(): Promise<number | undefined> {
    const others = await this.#entry.report(alive);
    return others?.find(({ id }) => id === 'other')?.age;
  }
}

describe('the age of what another instance reported', () => {
  it('begins anew with each report', async () => {
    const setting = new Setting();
    setting.reports('other');
    setting.gone += 2 * SECOND;
    expect(await setting.age()).toBe(2 * SECOND);
    setting.gone += SECOND;
    expect(await setting.age()).toBe(3 * SECOND);
    setting.reports('other');
    setting.gone += SECOND;
    expect(await setting.age()).toBe(SECOND);
  });

  it('grows although the database’s clock was ahead and is set back, so a dead instance is counted out', async () => {
    const setting = new Setting();
    setting.ahead = HOUR;
    setting.reports('other');
    setting.ahead = 0;
    expect(await setting.age()).toBe(0);
    setting.gone += 10 * SECOND;
    expect(await setting.age()).toBe(10 * SECOND);
  });

  it('is not the time by which the database’s clock is set forward, so a living instance still counts', async () => {
    const setting = new Setting();
    setting.reports('other');
    await setting.age();
    setting.ahead = HOUR;
    setting.gone += SECOND;
    expect(await setting.age()).toBe(SECOND);
  });

  it('of a new report is no more than the time since the register was read without it', async () => {
    const setting = new Setting();
    await setting.age();
    setting.gone += SECOND;
    setting.reports('other');
    setting.ahead = HOUR;
    setting.gone += SECOND;
    expect(await setting.age()).toBe(2 * SECOND);
  });
});
