/**
 * The last week's calls by the invented customers' programs, passed to the recorder of all calls. They can be
 * found by request id, and the console, the readiness and the forecast treat them like any other calls.
 */
import type { Services } from '../../app/wiring/services.ts';
import type { Account, AccountEvent } from '../../features/accounts/account.ts';
import type { CallRecord } from '../../features/usage/call-log.ts';
import type { Message } from '../../features/usage/recent-calls.ts';
import { failures, type FailureCode } from '../../lib/failure.ts';
import { hashedUuid } from '../../lib/text/uuid.ts';
import { SeededRandom } from '../../sandbox/seed/generate/seeded-random.ts';
import { DAY, MINUTE, SECOND } from '../../lib/time/clock.ts';
import { instantIn } from '../../lib/time/local.ts';
import type { Customer } from './customers.ts';
import { weighted } from './weighted.ts';

/** Single calls are kept for a week. */
const DAYS = 7;
/** The health of the last minutes is that of the bridge about to start, which has had no calls yet. */
const QUIET = 15 * MINUTE;
/** A working day, in minutes after eight o'clock. */
const WORKING_DAY = 10 * 60;
/** Failures per thousand calls. */
const FAILED = { usually: 4, ofOneInForty: 70 } as const;

/** How long a call that timed out had waited for the service, in milliseconds. */
const TIMEOUT = 30 * SECOND;

/** What the programs request, the most frequent first; `of`: times in twenty. */
const asked = [
  ...[{ of: 6, method: 'client.get', verb: 'GET', root: 'Client', names: ['ID', 'Name', 'Email', 'Phone'] }],
  ...[{ of: 5, method: 'job.current', verb: 'GET', root: 'Jobs', names: ['ID', 'Name', 'DueDate'] }],
  ...[{ of: 4, method: 'client.list', verb: 'GET', root: 'Clients', names: ['ID', 'Name'] }],
  ...[{ of: 2, method: 'staff.list', verb: 'GET', root: 'StaffList', names: ['ID', 'Name'] }],
  ...[{ of: 2, method: 'time.add', verb: 'POST', root: 'Time', names: ['ID'] }],
  ...[{ of: 1, method: 'invoice.current', verb: 'GET', root: 'Invoices', names: ['ID', 'AmountTax'] }],
];
const byMethod = weighted(asked);

/** Why calls fail after the move; `of`: times in ten. Before the move V1 answers for itself. */
const faults: readonly { readonly of: number; readonly failure: FailureCode }[] = [
  { of: 6, failure: 'upstreamUnavailable' },
  { of: 3, failure: 'upstreamTimeout' },
  { of: 1, failure: 'budgetExhausted' },
];
const byFault = weighted(faults);

/** The customers' programs, by User-Agent. */
const programs = [
  'Tidewater Sync/3.1',
  'Tidewater Sync/2.8',
  'Tidewater Reports/1.4',
  'python-requests/2.31',
] as const;

/** When an account moved, lost its connection or was closed, according to its timeline. */
interface Turns {
  readonly moved: number | undefined;
  readonly lost: number | undefined;
  readonly closed: number | undefined;
}

/** Passes on the calls that an account made until shortly before `now`. */
export async function callsOf(
  { store }: Services,
  account: Account,
  customer: Customer,
  now: number,
): Promise<void> {
  if (customer.behaviour.isKeyless === true) return;
  const turns = turnsIn(await store.accounts.timeline(account.id));
  for (let day = DAYS; day >= 0; day -= 1) {
    for (const at of timesOf(customer, now - day * DAY))
      // A customer that has left runs no programs.
      if (at <= now - QUIET && at > now - DAYS * DAY && at < (turns.closed ?? Infinity))
        record(store.usage.recent, account, customer, { at, turns });
  }
}

const turnsIn = (timeline: readonly AccountEvent[]): Turns => ({
  moved: timeline.find(({ kind }) => kind === 'migrated')?.at,
  lost: timeline.find(({ kind }) => kind === 'lost')?.at,
  closed: timeline.find(({ kind }) => kind === 'closed')?.at,
});

/** Times within working hours of the customer's zone, few of them on weekends. */
function timesOf({ number, zone, callsPerDay }: Customer, about: number): readonly number[] {
  const day = new Date(about).toISOString().slice(0, 'YYYY-MM-DD'.length);
  const random = new SeededRandom(number * 1_000 + (Math.floor(about / DAY) % 1_000));
  const isWeekend = [0, 6].includes(new Date(`${day}T00:00Z`).getUTCDay());
  const calls = isWeekend ? Math.floor(callsPerDay / 10) : callsPerDay + random.integer(-1, 1);
  const begin = instantIn(zone, `${day}T08:00`);
  return Array.from({ length: calls }, () => begin + Math.floor(random.next() * WORKING_DAY * MINUTE)).sort(
    (one, other) => one - other,
  );
}

function record(
  recent: Services['store']['usage']['recent'],
  { id }: Account,
  customer: Customer,
  { at, turns }: { readonly at: number; readonly turns: Turns },
): void {
  const random = new SeededRandom(at % 4_294_967_296);
  const one = random.pick(byMethod as [(typeof byMethod)[number], ...typeof byMethod]);
  const answered = answerOf(customer, at, turns, random);
  const isAsked = answered.failure !== 'consentNeeded' && answered.failure !== 'budgetExhausted';
  const upstreamMillis = !isAsked
    ? undefined
    : answered.failure === 'upstreamTimeout'
      ? TIMEOUT
      : random.integer(38, 240);
  const call: CallRecord = {
    ...{ accountId: id, at, verb: one.verb, method: one.method, ...answered, upstreamMillis },
    requestId: hashedUuid(`${id} ${at}`, 4),
    millis: (upstreamMillis ?? 0) + random.integer(1, 4),
    bytes: answered.failed ? 180 : 400 + random.integer(0, 9_000),
  };
  recent.record(call, messageOf(customer, one));
}

/** Which service answered, and how; if none did, the bridge answered, with the failure. */
function answerOf(
  { number }: Customer,
  at: number,
  { moved = Infinity, lost = Infinity }: Turns,
  random: SeededRandom,
): Pick<CallRecord, 'source' | 'status' | 'failed' | 'failure'> {
  if (at >= lost) return failing('consentNeeded');
  const failed = random.next() * 1_000 < (number % 40 === 7 ? FAILED.ofOneInForty : FAILED.usually);
  if (at < moved) return { source: 'v1', status: failed ? 503 : 200, failed };
  if (!failed) return { source: 'v3', status: 200, failed };
  return failing(byFault[random.integer(0, byFault.length - 1)]?.failure ?? 'upstreamUnavailable');
}

const failing = (failure: FailureCode): ReturnType<typeof answerOf> => ({
  ...{ source: 'bridge', status: failures[failure].status, failed: true, failure },
});

/** The message sent and received; only its names matter, because they are counted. */
function messageOf({ number }: Customer, { root, names }: (typeof asked)[number]): Message {
  const elements = names.map((name) => `<${name}>1</${name}>`).join('');
  const agent = programs[number % programs.length] ?? programs[0];
  return {
    headers: ['Host', 'bridge.example', 'User-Agent', agent, 'Accept', 'application/xml'],
    address: '/',
    sent: undefined,
    received: [`<Response><Status>OK</Status><${root}>${elements}</${root}></Response>`],
  };
}
