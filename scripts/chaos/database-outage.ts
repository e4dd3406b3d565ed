import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { kinds, Outage, type Tallies } from '../../test/journey/outage.ts';
import { needs } from '../testing/needs.ts';
import { startPostgres, type PrivatePostgres } from '../testing/private-postgres.ts';

/**
 * A bridge as a process, called continuously, while its database restarts, crashes, ends sessions, freezes or is
 * locked. Prints the results of the calls of each kind, and the slowest of each.
 */
const { values } = parseArgs({
  options: {
    /** Seconds for which a server is away or frozen. */
    away: { type: 'string', default: '45' },
    /** Seconds before and after the fault. */
    calm: { type: 'string', default: '5' },
  },
});

/** In milliseconds from the start of a fault: the time in which the bridge notices it. */
const FIRST = 3_000;

const away = Number(values.away) * 1_000;
const calm = Number(values.calm) * 1_000;

interface Fault {
  readonly name: string;
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
}

const faultsOf = (server: PrivatePostgres): readonly Fault[] => [
  { name: 'fast restart', begin: () => server.shutdown('fast'), end: () => server.start() },
  { name: 'crash and restart', begin: () => server.shutdown('immediate'), end: () => server.start() },
  {
    name: 'stands still',
    begin: () => {
      server.freeze();
    },
    end: () => {
      server.thaw();
    },
  },
];

const rows: string[] = [];

function tell(fault: string, phase: string, tallies: Tallies): void {
  for (const kind of kinds) {
    const tally = tallies.get(kind);
    if (tally === undefined) continue;
    const { calls, served, nothingSent, other, slowest } = tally;
    const rest = [...other].map(
      ([what, count]) => `${count} × ${what.replaceAll(/\s+/g, ' ').slice(0, 120)}`,
    );
    rows.push(
      `| ${fault} | ${phase} | ${kind} | ${calls} | ${served} | ${nothingSent} | ${rest.join('; ')} | ${Math.round(slowest)} |`,
    );
  }
}

async function play(outage: Outage, { name, begin, end }: Fault, millis = away): Promise<void> {
  await outage.back();
  await outage.next();
  await delay(calm);
  await outage.next();
  await begin();
  await delay(Math.min(FIRST, millis));
  tell(name, `first ${FIRST / 1_000} s`, await outage.next());
  await delay(Math.max(0, millis - FIRST));
  await end();
  const back = performance.now();
  await outage.back();
  const took = performance.now() - back;
  tell(name, 'then', await outage.next());
  await delay(calm);
  tell(name, 'afterwards', await outage.next());
  rows.push(`| ${name} | writes taken again after | | | | | | ${Math.round(took)} |`);
  console.error(`${name}: done`);
}

/** Compares the records that callers were told of with those that exist. */
async function judge(outage: Outage): Promise<string> {
  await outage.rest();
  const there = new Set((await outage.clients()).filter((name) => outage.tried.includes(name)));
  const made = new Set(outage.made);
  const lost = outage.made.filter((name) => !there.has(name)).length;
  const silent = [...there].filter((name) => !made.has(name) && !outage.unknown.includes(name)).length;
  return `${outage.tried.length} writes tried, ${made.size} told as done, ${outage.unknown.length} as unknown; told as done and not there: ${lost}; there and told as not sent: ${silent}; the process that began still lives: ${outage.mortal.lives}`;
}

async function onPostgres(): Promise<string> {
  const binaries = needs.postgres.find();
  if (binaries === undefined) throw new Error('PostgreSQL is not on this machine');
  const server = await startPostgres(binaries);
  const outage = await Outage.start(server.url);
  try {
    outage.begin();
    for (const fault of faultsOf(server)) await play(outage, fault);
    const own = new pg.Client({ connectionString: server.url });
    await own.connect();
    const begin = async (): Promise<void> => {
      for (let run = 0; run < 10; run += 1) {
        await own.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'causeway'`,
        );
        await delay(500);
      }
    };
    await play(outage, { name: 'all sessions ended, 10 times', begin, end: () => own.end() }, 0);
    return await judge(outage);
  } finally {
    await outage.end();
    await server.stop();
  }
}

async function onSqlite(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-locked-'));
  const outage = await Outage.start(`sqlite:${join(folder, 'causeway.db')}`);
  const other = new DatabaseSync(join(folder, 'causeway.db'), { timeout: 60_000 });
  try {
    outage.begin();
    await play(outage, {
      name: 'SQLite file locked',
      begin: () => {
        other.exec('begin exclusive');
      },
      end: () => {
        other.exec('rollback');
      },
    });
    return await judge(outage);
  } finally {
    other.close();
    await outage.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const judged = [`PostgreSQL: ${await onPostgres()}`, `SQLite: ${await onSqlite()}`];
console.log(`commit ${commit}, Node ${process.versions.node}, away for ${values.away} s\n`);
console.log('| fault | when | calls | made | served | 503, nothing sent | anything else | slowest, ms |');
console.log('|---|---|---|---|---|---|---|---|');
console.log(rows.join('\n'));
console.log(`\n${judged.join('\n')}`);
