/** The value below which the given share of the sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** Median with lower and upper quartile. */
export interface Spread {
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { lower: quantile(sorted, 0.25), median: quantile(sorted, 0.5), upper: quantile(sorted, 0.75) };
}

/** Three significant digits. */
export function digits(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en');
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const spread = ({ lower, median, upper }: Spread, scale = 1): string =>
  `${digits(median * scale)} (${digits(lower * scale)}–${digits(upper * scale)})`;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
