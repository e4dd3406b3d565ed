import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { faults, health, type Series } from './alert-worlds.ts';
import { alertFile, hasPrometheus, promtool } from './prometheus.ts';

interface Rule {
  readonly alert: string;
  readonly for?: string;
}

const text = readFileSync(alertFile, 'utf8');
const { groups } = parse(text) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const secondsOf = (duration: string): number =>
  Number.parseInt(duration, 10) * (UNITS[duration.slice(-1)] ?? Number.NaN);

/** Longer than any alert waits and looks back. */
const LATE = '160m';

const firing = (alert: string): string => `count(ALERTS{alertname="${alert}",alertstate="firing"})`;
const inputs = (series: Series): readonly object[] =>
  Object.entries(series).map(([name, values]) => ({ series: name, values }));

interface Expected {
  readonly expr: string;
  readonly eval_time: string;
  readonly exp_samples: readonly object[];
}

/** Not before its time, and then it does. */
function fires({ alert, for: wait = '0s' }: Rule): readonly Expected[] {
  const early = secondsOf(wait) / 2;
  return [
    ...(early > 0 ? [{ expr: firing(alert), eval_time: `${early}s`, exp_samples: [] }] : []),
    { expr: firing(alert), eval_time: LATE, exp_samples: [{ labels: '{}', value: 1 }] },
  ];
}

const world = (name: string, series: Series, expected: readonly Expected[]): object => ({
  name,
  interval: '1m',
  input_series: inputs(series),
  promql_expr_test: expected,
});

/** `only`: of these alerts. `fault`: instead of their own. */
const worlds = (only: readonly Rule[], fault?: Series): readonly object[] => [
  ...only.map((rule) => world(rule.alert, fault ?? faults[rule.alert] ?? {}, fires(rule))),
  world('health', health, [{ expr: 'ALERTS{alertstate="firing"}', eval_time: LATE, exp_samples: [] }]),
];

describe('the alert rules', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-alerts-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const judged = (alerts: string, only = rules, fault?: Series): ReturnType<typeof promtool> => {
    const [rulesFile, testFile] = [join(folder, 'alerts.yaml'), join(folder, 'tests.yaml')];
    writeFileSync(rulesFile, alerts);
    writeFileSync(
      testFile,
      stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests: worlds(only, fault) }),
    );
    return promtool('test', 'rules', testFile);
  };

  it('each have a fault that makes them fire', () => {
    expect(rules.map(({ alert }) => alert).toSorted()).toEqual(Object.keys(faults).toSorted());
  });

  const whole = hasPrometheus ? it : it.skip;

  whole('are rules that Prometheus reads', async () => {
    expect(await promtool('check', 'rules', alertFile)).toMatchObject({ code: 0 });
  });

  whole('fire for their faults after their time, and for nothing that may be', async () => {
    expect(await judged(text)).toMatchObject({ code: 0, text: expect.stringContaining('SUCCESS') });
  });

  whole('fire where no bridge is left', async () => {
    const gone = rules.filter(({ alert }) => alert === 'CausewayDown');
    expect(await judged(text, gone, { causeway_ready: '1x5' })).toMatchObject({ code: 0 });
  });

  whole.each([
    [
      'a threshold is higher',
      'CausewaySpilled',
      text.replace('causeway_spilled_pairs) > 0', 'causeway_spilled_pairs) > 1'),
    ],
    [
      'a threshold is lower',
      'CausewayMailStuck',
      text.replace('{state="failed"}) > 20', '{state="failed"}) > 19'),
    ],
    ['a wait is gone', 'CausewayConsentWaits', text.replace('for: 15m', 'for: 1m')],
  ])('are found out where %s', async (_, alert, changed) => {
    expect(changed).not.toBe(text);
    const only = rules.filter((rule) => rule.alert === alert);
    expect((await judged(changed, only)).code).not.toBe(0);
    expect((await judged(text, only)).code).toBe(0);
  });
});
