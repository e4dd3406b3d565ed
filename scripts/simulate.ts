import { parseArgs } from 'node:util';
import { BadOption, isBroken, type Findings, type SimulationOptions } from './simulate/part.ts';
import { parts } from './simulate/parts.ts';

/**
 * Simulates the protocols of the bridge on a virtual clock: the real code, instances that die between any two steps of
 * I/O, freeze and lose their database, and a service that answers late, wrongly or not at all. A seed always gives the
 * same run.
 *
 *     npm run simulate -- --seed 1 --calls 100000
 *     npm run simulate -- --only refresh --without confirm --calls 5000
 *     npm run simulate -- --only limit --instances 1 --seed 40 --calls 10000
 *     npm run simulate -- --only writes --weather stormy --calls 2000
 *     npm run simulate -- --only scale --accounts 10000
 *
 * Exits with 1 if a promise was broken, with 2 if it was called wrongly.
 */
const usage = `npm run simulate -- [options]
  --only PART      ${Object.entries(parts)
    .map(([name, { summary }]) => `${name} (${summary})`)
    .join(', ')}
  --seed N         where chance begins; 1 when left out
  --calls N        how long: calls to the service
  --without NAME   a negative control; it must break a promise
                   refresh: sweeper, confirm, fence, intent
                   limit: held, reserve (one bridge), settle (three bridges, stormy; not with every seed)
                   writes: ledger, told, order, certainty, patience
  --weather NAME   refresh: kills, half-dead, freezes; beyond: later than the design covers
                   limit: calm: nothing breaks or is late; stormy: something breaks every minute instead of every four
                   writes: rough; stormy: three times as much goes astray
  --model NAME     refresh: the grace of a presented token: latest, sibling, same; all in turn when left out
  --store NAME     refresh: memory, sqlite; a tenth of the calls over sqlite when left out
                   writes: sqlite, postgres (a database of its own at CAUSEWAY_TEST_POSTGRES_URL); where there is a
                   server a tenth of the writes over postgres when left out
  --instances N    limit: how many bridges; one and three in turn when left out
  --accounts N     scale: how many accounts; 10,000 when left out
  --json           nothing but one line of figures`;

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      only: text,
      seed: text,
      calls: text,
      model: text,
      without: text,
      store: text,
      weather: text,
      instances: text,
      accounts: text,
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { model, without, store, weather } = values;
  const options: SimulationOptions = {
    seed: numberIn('seed', values.seed) ?? 1,
    calls: numberIn('calls', values.calls),
    model,
    without,
    store,
    weather,
    instances: numberIn('instances', values.instances),
    accounts: numberIn('accounts', values.accounts),
    say: (line) => {
      if (!values.json) console.log(line);
    },
  };
  let isKept = true;
  for (const [name, part] of chosen(values.only)) {
    const findings = await part.run(options);
    isKept &&= !isBroken(findings);
    console.log(values.json ? JSON.stringify(findings) : inWords(name, findings));
  }
  return isKept ? 0 : 1;
}

function chosen(only: string | undefined): readonly (readonly [string, (typeof parts)[string]])[] {
  const found = Object.entries(parts).filter(([name]) => only === undefined || name === only);
  if (found.length === 0) throw new BadOption(`--only must be one of ${Object.keys(parts).join(', ')}`);
  return found;
}

function numberIn(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new BadOption(`--${name} must be a whole number`);
  return number;
}

function inWords(name: string, findings: Findings): string {
  const { calls, kills, lost, superfluous, wronglySettled, overLimit, violations, seed } = findings;
  const broken = [`${lost} lost`, `${superfluous} superfluous`, `${wronglySettled} wrongly settled`];
  broken.push(`${overLimit} over the limit`, `${violations} other promises broken`);
  return `${name}: ${calls} calls, ${kills} kills, ${broken.join(', ')} (seed ${seed})`;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof BadOption || (error instanceof Error && 'code' in error))) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
