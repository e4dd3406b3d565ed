import { seedIn, type Seeded } from './seed.ts';
import type { Tier } from './tiers.ts';

/** The arguments of `npm test`. */
export interface TestOrders extends Seeded {
  readonly tier: Tier;
  /** Whether system packages for the tests may be installed. */
  readonly mayInstall: boolean;
  /** Whether to print the cost of each suite. */
  readonly cost: boolean;
}

/** Options of jest whose value is the next argument. */
const WITH_VALUE = [
  '-t',
  '--testNamePattern',
  '-w',
  '--maxWorkers',
  '-c',
  '--config',
  '--outputFile',
  '--env',
];
const OWN = ['--quick', '--all', '--no-install', '--cost'];
const COVERAGE = [
  '--coverageProvider=v8',
  '--coverageReporters=text-summary',
  '--collectCoverageFrom=src/**/*.ts',
];

/**
 * Removes arguments that are not for jest. Named suites run whatever their tier, unless excluded by `--quick`. Throws
 * `RangeError` for an invalid seed, and for two tiers at once.
 */
export function ordersIn(given: readonly string[], random?: () => number): TestOrders {
  const { args, seed } = seedIn(given, random);
  const [quick, all, noInstall, cost] = OWN.map((option) => args.includes(option));
  if (quick === true && all === true) throw new RangeError('--quick and --all are two tiers: give one');
  const rest = args.filter((arg) => !OWN.includes(arg));
  const whole = all === true ? 'all' : 'usual';
  const named = namesSuites(rest) ? 'named' : whole;
  return {
    args: rest.includes('--coverage') ? [...rest, ...COVERAGE] : rest,
    seed,
    tier: quick === true ? 'quick' : named,
    mayInstall: noInstall !== true,
    cost: cost === true,
  };
}

const namesSuites = (args: readonly string[]): boolean =>
  args.some((arg, at) => !arg.startsWith('-') && !WITH_VALUE.includes(args[at - 1] ?? ''));
