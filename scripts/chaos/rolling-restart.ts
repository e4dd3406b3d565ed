import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { needs, provide } from '../testing/needs.ts';
import { startPostgres } from '../testing/private-postgres.ts';
import { FrontProxy, type ProxyName, type Variant } from './front-proxy.ts';
import type { Counted } from './steady-callers.ts';

/**
 * Instances restarted one after the other under a steady load, behind the configurations in `deploy/`, which are read
 * from there. nginx is told of each instance before it stops, except in the trial `nginx-alone`. Judged by the callers
 * (each call is `OK`) and by the service (no record created twice). The negative control is HAProxy without the
 * lame-duck time and without the lines that deliver a call to another instance: there calls must fail. Exit code 1 if a
 * call failed that must not, or none failed in the control.
 *
 * node scripts/chaos/rolling-restart.ts [--proxy haproxy|nginx|nginx-alone|control] [--instances 4] [--runs 1]
 * [--rate 20] [--lame-duck 5] [--json]
 */
const { values } = parseArgs({
  options: {
    proxy: { type: 'string', multiple: true, default: ['haproxy', 'nginx', 'nginx-alone', 'control'] },
    instances: { type: 'string', default: '4' },
    runs: { type: 'string', default: '1' },
    'lame-duck': { type: 'string', default: '5' },
    rate: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
});

interface Trial {
  readonly proxy: ProxyName;
  readonly variant: Variant;
  readonly lameDuck: string;
  /** Whether the proxy is told of each instance before it stops, and once it is ready. */
  readonly isTold: boolean;
  /** Whether this many calls may have failed. */
  readonly passes: (outcome: Outcome) => boolean;
}

const keptEveryRecord = ({ doubled, absent }: Outcome): boolean => doubled === 0 && absent === 0;

const keptEverything = (outcome: Outcome): boolean => outcome.failed.length === 0 && keptEveryRecord(outcome);

const trials: Readonly<Record<string, Trial>> = {
  haproxy: {
    proxy: 'haproxy',
    variant: 'shown',
    lameDuck: values['lame-duck'],
    isTold: false,
    passes: keptEverything,
  },
  nginx: {
    proxy: 'nginx',
    variant: 'shown',
    lameDuck: values['lame-duck'],
    isTold: true,
    passes: keptEverything,
  },
  'nginx-alone': {
    proxy: 'nginx',
    variant: 'shown',
    lameDuck: values['lame-duck'],
    isTold: false,
    // The write that finds an instance gone is lost, and never sent to another one.
    passes: (outcome) =>
      outcome.failed.length <= outcome.restarts &&
      outcome.failed.every(({ verb }) => verb !== 'GET') &&
      keptEveryRecord(outcome),
  },
  control: {
    proxy: 'haproxy',
    variant: 'without-repeats',
    lameDuck: '0',
    isTold: false,
    passes: (outcome) => outcome.failed.length > 0,
  },
};

interface Outcome extends Counted {
  readonly trial: string;
  readonly restarts: number;
  readonly doubled: number;
  readonly absent: number;
}

const [postgres, redis] = [provide(needs.postgres), provide(needs.redis)];
if (postgres === undefined || redis === undefined) throw new Error('PostgreSQL and Redis are needed');
const own = process.env.CAUSEWAY_TEST_POSTGRES_URL === undefined ? await startPostgres(postgres) : undefined;
// Read when the harness is loaded.
process.env.CAUSEWAY_TEST_POSTGRES_URL ??= own?.url ?? '';
process.env.CAUSEWAY_TEST_REDIS ??= redis;
try {
  for (const name of values.proxy) {
    const trial = trials[name];
    if (trial === undefined) throw new Error(`there is no trial ${name}`);
    const outcome = await measured(name, trial);
    tell(outcome);
    if (trial.passes(outcome)) continue;
    console.error(`${name}: this must not be`);
    process.exitCode = 1;
  }
} finally {
  await own?.stop();
}

function tell(outcome: Outcome): void {
  if (values.json) {
    console.log(JSON.stringify(outcome));
    return;
  }
  const { trial, restarts, calls, writes, failed, doubled, absent } = outcome;
  const kinds = new Map<string, number>();
  for (const { verb, status } of failed)
    kinds.set(`${verb} ${status}`, (kinds.get(`${verb} ${status}`) ?? 0) + 1);
  const which =
    failed.length === 0 ? '' : ` (${[...kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ')})`;
  console.log(
    `${trial}: ${restarts} restarts, ${calls} calls, ${writes} of them writes: ${failed.length} failed${which}, ${doubled} records twice, ${absent} answered and not there`,
  );
  if (failed.length > 0)
    console.log(
      failed
        .slice(0, 5)
        .map(({ words }) => `  ${words}`)
        .join('\n'),
    );
}

async function measured(name: string, { proxy, variant, lameDuck, isTold }: Trial): Promise<Outcome> {
  const program = provide(needs[proxy]);
  if (program === undefined) throw new Error(`${proxy} is needed`);
  const { RunningRedis } = await import('../../test/support/redis.ts');
  const { Rolling } = await import('./rolling.ts');
  const cache = await RunningRedis.start();
  try {
    const rolling = await Rolling.start(Number(values.instances), cache, lameDuck);
    try {
      const front = FrontProxy.start(proxy, program, await rolling.freePort(), rolling.ports, { variant });
      try {
        const callers = await rolling.callers(front.url, Number(values.rate));
        callers.start();
        await delay(3_000);
        for (let run = 0; run < Number(values.runs); run += 1)
          await rolling.restartAll(undefined, isTold ? front : undefined);
        await delay(3_000);
        const counted = await callers.end();
        const restarts = Number(values.instances) * Number(values.runs);
        return { ...counted, trial: name, restarts, ...(await rolling.judged(counted)) };
      } finally {
        await front.stop();
      }
    } finally {
      await rolling.end();
    }
  } finally {
    await cache.stop();
  }
}
