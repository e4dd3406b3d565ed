import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PermitClaim, PermitGrant } from '../../src/upstream/limiter/permit-pool.ts';
import { fc } from '../support/random.ts';
import { eventually } from '../support/clock.ts';
import type { Slot } from '../../src/upstream/limiter/slot.ts';
import { hasRedis, RunningRedis } from '../support/redis.ts';
import { exchange } from '../../src/upstream/limiter/redis/redis-scripts.ts';
import { KEY, SharedSetting, type SettingOptions } from './shared-setting.ts';

const suite = hasRedis ? describe : describe.skip;

suite('the rate limit, shared by several instances,', () => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await RunningRedis.start();
  });
  afterAll(async () => {
    await redis.stop();
  });

  async function within(
    options: Partial<SettingOptions>,
    work: (setting: SharedSetting) => Promise<void>,
  ): Promise<void> {
    const setting = await SharedSetting.start({ redis, instances: 2, perMinute: 6, ...options });
    try {
      await setting.together();
      await work(setting);
      expect(setting.most).toBeLessThanOrEqual(setting.perMinute);
    } finally {
      await setting.stop();
    }
  }

  /** Sends what can be sent by anybody at this moment. */
  async function drain(setting: SharedSetting, calls = 2 * setting.perMinute): Promise<number> {
    let sent = 0;
    for (let n = 0; n < calls; n += 1) if (await setting.sends(n)) sent += 1;
    return sent;
  }

  const alone = (setting: SharedSetting): Promise<true> =>
    eventually('all go on alone, each with its share', () =>
      setting.all('alone') && setting.instances.every(({ permits }) => permits.isOpen(KEY))
        ? true
        : undefined,
    );

  it('is kept in any rolling minute of the service, whatever the network, the callers and Redis do', async () => {
    const call = fc.record({
      who: fc.nat(2),
      pause: fc.integer({ min: 0, max: 5_000 }),
      out: fc.integer({ min: 0, max: 20_000 }),
      back: fc.integer({ min: 0, max: 20_000 }),
      patience: fc.integer({ min: 0, max: 90_000 }),
      leaves: fc.boolean(),
      gives: fc.option(fc.integer({ min: 0, max: 30_000 }), { freq: 5 }),
      first: fc.option(fc.constantFrom('flush', 'cut', 'scripts', 'silence'), { freq: 8 }),
    });
    const trouble = {
      flush: () => redis.flush(),
      cut: () =>
        redis.ask(async (client) => {
          await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        }),
      scripts: () =>
        redis.ask(async (client) => {
          await client.script('FLUSH');
        }),
      silence: async () => {
        redis.pause();
      },
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 10, maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        (calls, perMinute) =>
          within({ instances: 3, perMinute, patience: 500 }, async (setting) => {
            const { timers, arrivals } = setting;
            const travel = (slot: Slot, { out, back, leaves }: (typeof calls)[number]): void => {
              if (leaves) timers.timer(out, () => arrivals.push(timers.clock.now()));
              timers.timer(out + back, () => {
                if (leaves) slot.answered();
                else slot.unsent();
              });
            };
            for (const each of calls) {
              if (each.first !== null) await trouble[each.first]();
              const gone = new AbortController();
              if (each.gives !== null)
                timers.timer(each.gives, () => {
                  gone.abort();
                });
              setting
                .at(each.who)
                .rateLimiter.acquire(KEY, each.patience, gone.signal)
                .then(
                  (slot) => {
                    travel(slot, each);
                  },
                  () => undefined,
                );
              await timers.advance(each.pause);
              if (each.first === 'silence') redis.resume();
            }
            await timers.advance(200_000);
            expect(setting.most).toBeLessThanOrEqual(perMinute);
            // An answer of Redis that a busy machine keeps for too long costs the minute it falls into, never one behind.
            await eventually('a whole minute is sent', async () => {
              await setting.together();
              await timers.advance(61_000);
              // What an instance has taken ahead only it can send: each gets as many turns as there are permits.
              return (await drain(setting, 3 * perMinute)) === perMinute ? true : undefined;
            });
          }),
      ),
      { numRuns: 25 },
    );
    // Real waits for a real Redis, in every one of the runs.
  }, 900_000);

  it('includes instances that send something, not those that only read', () =>
    within({}, async (setting) => {
      const guest = setting.guest();
      await setting.sends(0);
      await eventually('the two see each other', () =>
        setting.at(0).permits.view.instances > 1 ? true : undefined,
      );
      expect(setting.at(0).permits.view.instances).toBe(2);
      const sending = guest.rateLimiter.acquire(KEY, 60_000);
      await setting.together();
      await setting.timers.advance(100);
      setting.arrive(await sending);
      for (let n = 0; n < 12; n += 1) await setting.sends(n);
      expect(setting.arrivals).toHaveLength(6);
    }));

  it('is one limit, whichever instance sends', () =>
    within({ instances: 3 }, async (setting) => {
      expect(await drain(setting)).toBe(6);
      await setting.timers.advance(60_200);
      for (let n = 0; n < 6; n += 1) expect(await setting.sends(0)).toBe(true);
      expect(await setting.sends(1)).toBe(false);
    }));

  it('serves the call that has waited longest, in whichever instance', () =>
    within({ perMinute: 3 }, async (setting) => {
      const claim = (
        place: number,
        held: number,
        waiting: readonly number[],
      ): Promise<PermitGrant | undefined> =>
        setting.at(place).permits.exchange({
          ...{ key: KEY, limit: 3, burst: 3, held, unused: 0, busyFor: [], waiting, isBusy: false },
        });
      expect(await claim(0, 0, [9, 8, 7])).toMatchObject({ granted: 3, idle: 0, foreign: [] });
      expect(await claim(1, 0, [500_000, 100_000])).toMatchObject({
        granted: 0,
        foreign: [60_000, 60_000, 60_000],
      });
      // Two are given back, and the one here that has waited longest comes between the two there.
      expect(await claim(0, 1, [300_000, 200_000])).toMatchObject({ granted: 1, idle: 1 });
      expect(await claim(1, 0, [500_000, 100_000])).toMatchObject({ granted: 1, idle: 0 });
      expect(await claim(0, 0, [])).toMatchObject({ granted: 0, idle: 2 });
      expect(await claim(1, 1, [100_000])).toMatchObject({ granted: 1, idle: 1 });
    }));

  it('shows when the permits of others can become free', () =>
    within({ perMinute: 4 }, async (setting) => {
      const { exchange } = {
        exchange: (place: number, claim: Pick<PermitClaim, 'held' | 'busyFor' | 'waiting'>) =>
          setting
            .at(place)
            .permits.exchange({ key: KEY, limit: 4, burst: 4, unused: 0, isBusy: false, ...claim }),
      };
      await exchange(0, { held: 0, busyFor: [], waiting: [0, 0, 0] });
      await exchange(0, { held: 3, busyFor: [20_000, 40_000], waiting: [] });
      const told = (await exchange(1, { held: 0, busyFor: [], waiting: [] }))?.foreign ?? [];
      expect(told).toHaveLength(3);
      expect(told[0]).toBeLessThanOrEqual(20_000);
      expect(told[1]).toBeGreaterThan(20_000);
      expect(told[2]).toBe(60_000);
    }));

  it('is used almost completely', () =>
    // A busy machine may keep an answer of Redis for long: the clock that counts stands still meanwhile.
    within({ instances: 2, perMinute: 60, patience: 60_000 }, async (setting) => {
      for (let n = 0; n < 240; n += 1)
        void setting
          .at(n)
          .rateLimiter.acquire(KEY, 600_000)
          .then((slot) => {
            setting.arrive(slot);
          });
      // A minute is over a moment after its last permit came free: the fifth holds what the others left.
      await setting.timers.advance(5 * 60_000);
      expect(setting.arrivals).toHaveLength(240);
    }));

  it('says at once if waiting is useless, even because of other instances', () =>
    within({ perMinute: 2 }, async (setting) => {
      await setting.sends(0);
      await setting.sends(0);
      const hurried = setting.at(1).rateLimiter.acquire(KEY, 1_000);
      await expect(hurried).rejects.toMatchObject({ code: 'budgetExhausted', retryAfter: 60 });
      await setting.timers.advance(500);
      await expect(setting.at(1).rateLimiter.acquire(KEY, 30_000)).rejects.toMatchObject({
        code: 'budgetExhausted',
        retryAfter: 60,
      });
    }));

  it('refuses no call because of permits that have just become free and are not returned yet', () =>
    within({}, async (setting) => {
      for (let n = 0; n < setting.perMinute; n += 1) await setting.sends(0);
      const [first] = setting.arrivals;
      const patient: Promise<Slot>[] = [];
      const acquire = (patience: number): void =>
        void patient.push(setting.at(0).rateLimiter.acquire(KEY, patience));
      const { timers } = setting;
      // Rings before the instance asks again.
      timers.timer((first ?? 0) + 60_000 - timers.clock.now(), () => {
        acquire(5_000);
      });
      await timers.advance(55_000);
      acquire(30_000);
      await timers.advance(10_000);
      for (const slot of await Promise.all(patient)) setting.arrive(slot);
      expect(patient).toHaveLength(2);
    }));

  it('takes no permit for a caller who has left', () =>
    within({ perMinute: 1 }, async (setting) => {
      await setting.sends(0);
      const gone = new AbortController();
      const given = setting.at(1).rateLimiter.acquire(KEY, 120_000, gone.signal);
      const patient = setting.at(0).rateLimiter.acquire(KEY, 120_000);
      await setting.timers.advance(30_000);
      gone.abort();
      await expect(given).rejects.toMatchObject({ code: 'upstreamUnavailable' });
      await setting.timers.advance(36_000);
      setting.arrive(await patient);
    }));

  it('keeps no place in the queue for a caller who has left', () =>
    within({ perMinute: 1 }, async (setting) => {
      await setting.sends(0);
      const gone = new AbortController();
      const given = setting.at(1).rateLimiter.acquire(KEY, 120_000, gone.signal);
      const inLine = (): Promise<number> =>
        redis.ask(async (client) => {
          const [key = ''] = await client.keys(`{${setting.prefix}}*organisation*`);
          return (await client.hkeys(key)).filter((field) => field.startsWith('w:')).length;
        });
      await setting.timers.advance(100);
      expect(await inLine()).toBe(1);
      gone.abort();
      await expect(given).rejects.toMatchObject({ code: 'upstreamUnavailable' });
      await setting.timers.advance(300);
      expect(await inLine()).toBe(0);
    }));

  it('stays closed for all instances if the service asked one for a pause', () =>
    within({}, async (setting) => {
      setting.at(0).rateLimiter.block(KEY, 30_000);
      await eventually('the pause is written down', async () =>
        (await redis.ask((client) => client.keys(`{${setting.prefix}}*client*`))).length > 0
          ? true
          : undefined,
      );
      const patient = setting.at(1).rateLimiter.acquire(KEY, 40_000);
      let went = false;
      void patient.then(() => {
        went = true;
      });
      await setting.timers.advance(25_000);
      expect(went).toBe(false);
    }));

  it('calls Redis once for several calls of an account, and reports unused permits once', () =>
    within({ perMinute: 60 }, async (setting) => {
      const asked = async (calls: number, pause: number): Promise<number> => {
        const before = setting.questions;
        for (let n = 0; n < calls; n += 1) {
          expect(await setting.sends(0)).toBe(true);
          if (pause > 0) await setting.timers.advance(pause);
        }
        return setting.questions - before;
      };
      expect(await asked(48, 0)).toBe(48 / 6);
      await setting.timers.advance(63_000);
      expect(await asked(5, 5_000)).toBe(5 + 5);
    }));

  it('takes permits before the last one is used, so that successive calls need not wait', () =>
    within({ perMinute: 60 }, async (setting) => {
      expect(await setting.sends(0)).toBe(true);
      for (let n = 1; n < 30; n += 1) {
        await setting.timers.advance(100);
        const slot = setting.at(0).rateLimiter.acquireAtOnce(KEY);
        expect([n, slot === undefined]).toEqual([n, false]);
        slot?.answered();
      }
      // Never more than half of what may still go at once: none when the burst is over.
      expect(setting.at(0).rateLimiter.permits.get(KEY)?.inUse).toBe(30);
    }));

  it('sends one message for all accounts that need permits at the same moment', () =>
    within({ perMinute: 60 }, async (setting) => {
      const { rateLimiter } = setting.at(0);
      const before = setting.questions;
      const slots = Array.from({ length: 20 }, (_, n) => rateLimiter.acquire(`${KEY}${n}`, 1_000));
      for (const slot of await Promise.all(slots)) slot.answered();
      expect(setting.questions - before).toBe(1);
    }));

  it('returns permits that were taken ahead and not used', () =>
    within({ perMinute: 12 }, async (setting) => {
      expect(await setting.sends(0)).toBe(true);
      expect(setting.at(0).rateLimiter.permits.get(KEY)?.inUse).toBe(1);
      const free = (): Promise<number | undefined> =>
        setting
          .at(1)
          .permits.exchange({
            key: KEY,
            limit: 12,
            burst: 12,
            held: 0,
            unused: 0,
            busyFor: [],
            waiting: [],
            isBusy: false,
          })
          .then((grant) => grant?.idle);
      expect(await free()).toBe(10);
      await setting.timers.advance(1_200);
      expect(await free()).toBe(11);
    }));

  it('uses keys with the prefix of the deployment and the organisation only, and all expire', () =>
    within({}, async (setting) => {
      await setting.sends(0);
      const keys = await redis.ask((client) => client.keys(`{${setting.prefix}}*`));
      expect(keys.filter((key) => key.includes('organisation'))).toHaveLength(1);
      for (const key of keys) expect(await redis.ask((client) => client.pttl(key))).toBeGreaterThan(0);
      const rest = keys.filter((key) => !key.includes('organisation'));
      expect(rest.toSorted()).toEqual(
        ['epoch', 'heard', 'instances'].map((name) => `{${setting.prefix}}:${name}`),
      );
    }));

  describe('when Redis forgets', () => {
    it.each([
      ['everything', (): Promise<void> => redis.flush()],
      [
        'its scripts',
        async (): Promise<void> => {
          await redis.ask((client) => client.script('FLUSH'));
        },
      ],
      [
        'what one instance wrote last, as a replica in its master’s place may',
        async (): Promise<void> => {
          await redis.ask(async (client) => {
            for (const key of await client.keys('{test:*:instances')) {
              const [name = ''] = await client.hkeys(key);
              await client.hset(key, name, 1);
            }
          });
        },
      ],
      [
        'one key, to make room',
        async (): Promise<void> => {
          await redis.ask(async (client) => {
            for (const key of await client.keys('*organisation*')) await client.del(key);
          });
        },
      ],
    ])('is shared again after Redis lost %s, and nothing is sent twice', (_what, forget) =>
      within({ instances: 3 }, async (setting) => {
        for (let n = 0; n < 4; n += 1) await setting.sends(0);
        await forget();
        for (let n = 0; n < 6; n += 1) await setting.sends(1);
        await drain(setting);
        await setting.together();
        await drain(setting);
        await eventually('what is left is used', async () => {
          await setting.together();
          await drain(setting);
          return setting.arrivals.length === 6 ? true : undefined;
        });
        await setting.timers.advance(60_200);
        await setting.together();
        await eventually('the next minute is whole', async () => {
          await drain(setting);
          return setting.arrivals.length === 12 ? true : undefined;
        });
      }),
    );
  });

  describe('while Redis is', () => {
    let own: RunningRedis;
    beforeAll(async () => {
      own = await RunningRedis.start();
    });
    afterAll(async () => {
      await own.stop();
    });

    it.each([
      ['dead', (): Promise<void> => own.kill(), (): Promise<void> => own.run()],
      [
        'silent',
        async (): Promise<void> => {
          own.pause();
        },
        async (): Promise<void> => {
          own.resume();
        },
      ],
    ])("is divided by each instance's share if %s, without a burst when Redis is back", (_how, hurt, heal) =>
      within({ redis: own, instances: 3, perMinute: 7, patience: 1_500 }, async (setting) => {
        for (let n = 0; n < 4; n += 1) expect(await setting.sends(0)).toBe(true);
        await hurt();
        await setting.sends(1);
        await setting.sends(2);
        await eventually('all know', () => (setting.all('alone') ? true : undefined));
        await drain(setting);
        // One holds more than its share: the others wait for it.
        expect(setting.arrivals.length).toBeLessThanOrEqual(7);
        await setting.timers.advance(60_001);
        await alone(setting);
        const before = setting.arrivals.length;
        await drain(setting);
        expect(setting.arrivals.length - before).toBe(6);
        await setting.timers.advance(30_000);
        await heal();
        await setting.together();
        await drain(setting);
        await eventually('the one that no share had', async () => {
          await drain(setting);
          return setting.arrivals.length - before === 7 ? true : undefined;
        });
        await setting.timers.advance(30_200);
        await setting.together();
        await drain(setting);
        expect(setting.arrivals.length - before).toBeGreaterThan(7);
      }),
    );

    it('is divided into shares for all if Redis is down for one instance', () =>
      within({ redis: own, perMinute: 4 }, async (setting) => {
        setting.at(1).line.close();
        await alone(setting);
        for (let n = 0; n < 8; n += 1) await setting.sends(0);
        expect(setting.arrivals).toHaveLength(2);
        for (let n = 0; n < 8; n += 1) await setting.sends(1);
        expect(setting.arrivals).toHaveLength(4);
        expect(setting.at(0).permits.view.trouble).toBe('1 of 2 instances do not reach Redis');
      }));
  });

  it('is not exceeded if one loses Redis before it has seen another that just started', async () => {
    for (let time = 0; time < 12; time += 1)
      await within({ perMinute: 4 }, async (setting) => {
        const { line } = setting.at(0);
        const ask = line.run.bind(line);
        line.run = (script, ...rest) =>
          script === exchange ? Promise.reject(new Error('not allowed')) : ask(script, ...rest);
        await drain(setting, 24);
      });
  });

  it.each<[unknown]>([
    ...['OK', null, [], [3], [0], [0, 'many'], [0, []], [0, [1_000, 0, 0, 0, 0]]].map((answer): [unknown] => [
      answer,
    ]),
    [[0, [-1, 0, 0, 0, 0]]],
    [[0, [1, 0, 0, 0, 0.5]]],
    [[0, [0, 0, 0, 0, 0, {}]]],
    [[0, [0, 0, 0, 0, 0], []]],
  ])('is not read from a server that answers %j', (answer) =>
    within({ instances: 1 }, async (setting) => {
      const { line, lines } = setting.at(0);
      const ask = line.run.bind(line);
      line.run = (script, ...rest) => (script === exchange ? Promise.resolve(answer) : ask(script, ...rest));
      await eventually('it goes on alone', async () => {
        await drain(setting);
        return lines.some((one) => one.includes('it answers what no script of ours does')) || undefined;
      });
      line.run = ask;
      await setting.together();
    }),
  );

  it('starts without Redis, with a share as soon as all know of it, and says why', async () => {
    const absent = await RunningRedis.absent();
    const setting = await SharedSetting.start({ redis: absent, instances: 2, perMinute: 6 });
    try {
      await alone(setting);
      expect(await drain(setting)).toBe(6);
      expect(setting.at(0).permits.view).toMatchObject({ shared: false, instances: 2, reaches: false });
      expect(setting.at(0).lines.join()).toContain('budget.alone');
      await absent.run();
      await setting.together();
      expect(setting.at(0).permits.view).toEqual({
        shared: true,
        instances: 2,
        reaches: true,
        trouble: undefined,
      });
      expect(await drain(setting)).toBe(0);
      expect(setting.most).toBe(6);
    } finally {
      await setting.stop();
      await absent.stop();
    }
  });

  it('reports a wrong password, and never shows it', async () => {
    const guarded = await RunningRedis.start('right-password');
    const wrong = Object.create(guarded, {
      url: { value: guarded.url.replace('right-password', 'wrong-canary') },
    }) as RunningRedis;
    const setting = await SharedSetting.start({ redis: wrong, instances: 1, perMinute: 6 });
    try {
      const { trouble = '' } = setting.at(0).permits.view;
      expect(trouble).toContain('refuses user or password');
      expect(trouble + setting.at(0).lines.join()).not.toContain('canary');
    } finally {
      await setting.stop();
      await guarded.stop();
    }
  });

  describe('without the database', () => {
    const pace = { fence: 20_000, settle: 365_000, outage: 600_000 };

    /** Lets time go by, and the beats with it: each instance greets the store in every step of ten seconds. */
    async function goBy(setting: SharedSetting, millis: number): Promise<void> {
      for (let gone = 0; gone < millis; gone += 10_000) {
        setting.later += 10_000;
        const before = [...setting.greetings];
        await eventually('all have greeted', () =>
          setting.instances.every((_, place) => (setting.greetings[place] ?? 0) > (before[place] ?? 0) + 1)
            ? true
            : undefined,
        );
      }
    }

    it('continues for ten minutes with Redis alone, and no longer', () =>
      within({ instances: 2, perMinute: 4, pace }, async (setting) => {
        for (const { register } of setting.instances) register.fails = true;
        await goBy(setting, 30_000);
        expect(await drain(setting)).toBe(4);
        await setting.timers.advance(60_200);
        await goBy(setting, 560_000);
        expect(await drain(setting)).toBe(4);
        await setting.timers.advance(60_200);
        await goBy(setting, 40_000);
        expect(setting.all('closed') || setting.all('alone')).toBe(true);
        expect(await drain(setting)).toBe(0);
        for (const { register } of setting.instances) register.fails = false;
        await setting.together();
        await eventually('it is shared again', async () => ((await drain(setting)) > 0 ? true : undefined));
      }));

    it('still includes an instance that continues with Redis', () =>
      within({ instances: 2, perMinute: 4, pace: { ...pace, settle: 30_000 } }, async (setting) => {
        setting.at(0).register.fails = true;
        setting.ageRows = 0;
        await goBy(setting, 20_000);
        for (let n = 0; n < 4; n += 1) expect(await setting.sends(0)).toBe(true);
        setting.ageRows = 100_000;
        await goBy(setting, 40_000);
        expect(setting.at(1).permits.view.instances).toBe(2);
        expect(await setting.sends(1)).toBe(false);
      }));

    it('allows nothing if Redis is down, too', () =>
      within({ instances: 1, perMinute: 4, pace }, async (setting) => {
        const { register, line } = setting.at(0);
        register.fails = true;
        await goBy(setting, 30_000);
        const ask = line.run.bind(line);
        line.run = () => Promise.reject(new Error('it cannot be reached'));
        expect(await setting.sends(0)).toBe(false);
        expect(setting.all('shared')).toBe(true);
        line.run = ask;
        await eventually('the store is whole, so it goes on', () =>
          setting.sends(0).then((sent) => sent || undefined),
        );
        line.run = () => Promise.reject(new Error('it cannot be reached'));
        setting.later += 21_000;
        expect(setting.all('closed')).toBe(true);
        line.run = ask;
        await eventually('it has left the store', () =>
          setting.at(0).permits.forfeitedAt > 0 ? true : undefined,
        );
        expect(await setting.sends(0)).toBe(false);
      }));
  });

  it('is not used by an instance that could not report itself alive for too long', () =>
    within({ perMinute: 4, pace: { fence: 2_000, settle: 600_000 } }, async (setting) => {
      const slot = await setting.at(0).rateLimiter.acquire(KEY, 0);
      setting.at(0).register.fails = true;
      await eventually('it is closed', () =>
        setting.at(0).permits.membership.state === 'closed' ? true : undefined,
      );
      expect(slot.lapsed).toBe(true);
      const waiting = setting.at(0).rateLimiter.acquire(KEY, 60_000);
      expect(await setting.sends(1)).toBe(true);
      setting.at(0).register.fails = false;
      await setting.together();
      expect(slot.lapsed).toBe(true);
      slot.unsent();
      setting.arrive(await waiting);
    }));

  it('gets back the permits of an instance that died, and those of one that left', () =>
    within({ instances: 3, perMinute: 12, pace: { fence: 1_500, settle: 500 } }, async (setting) => {
      for (let n = 0; n < 2; n += 1) expect(await setting.sends(2)).toBe(true);
      const dead = setting.at(2);
      setting.instances.splice(2);
      dead.rateLimiter.close();
      dead.register.fails = true;
      dead.line.close();
      await setting.together();
      // One that it had taken ahead is lost with it.
      for (let n = 0; n < 9; n += 1) await setting.sends(0);
      expect(setting.arrivals.length).toBeLessThanOrEqual(11);
      await setting.timers.advance(60_000);
      const before = setting.arrivals.length;
      await eventually('it is forgotten', () =>
        setting.instances.every(({ permits }) => permits.view.instances === 2) ? true : undefined,
      );
      await setting.together();
      await eventually('all permits are back', async () => {
        await setting.timers.advance(10);
        await setting.sends(0);
        return setting.arrivals.length === before + 12 ? true : undefined;
      });
      await dead.permits.stop();
    }));
});
