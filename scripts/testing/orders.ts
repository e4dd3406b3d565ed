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
const TIERS = ['quick', 'ci', 'all'] as const;
const OWN = [...TIERS.map((tier) => `--${tier}`), '--no-install', '--cost'];
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
  const [whole = 'usual', other] = TIERS.filter((tier) => args.includes(`--${tier}`));
  if (other !== undefined) throw new RangeError(`--${whole} and --${other} are two tiers: give one`);
  const rest = args.filter((arg) => !OWN.includes(arg));
  return {
    args: rest.includes('--coverage') ? [...rest, ...COVERAGE] : rest,
    seed,
    tier: whole !== 'quick' && namesSuites(rest) ? 'named' : whole,
    mayInstall: !args.includes('--no-install'),
    cost: args.includes('--cost'),
  };
}

const namesSuites = (args: readonly string[]): boolean =>
  args.some((arg, at) => !arg.startsWith('-') && !WITH_VALUE.includes(args[at - 1] ?? ''));
