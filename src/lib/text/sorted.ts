/** Inserts a value into an ascending list, after its equals. */
export function insert(sorted: number[], value: number): void {
  let place = sorted.length;
  while (place > 0 && (sorted[place - 1] ?? 0) > value) place -= 1;
  sorted.splice(place, 0, value);
}

/** Merges two ascending lists in linear time, where sorting would compare each pair again. */
export function merge(one: readonly number[], other: readonly number[]): readonly number[] {
  if (other.length === 0) return one;
  if (one.length === 0) return other;
  const merged: number[] = [];
  let next = 0;
  for (const value of one) {
    while ((other[next] ?? Infinity) < value) {
      merged.push(other[next] ?? 0);
      next += 1;
    }
    merged.push(value);
  }
  for (; next < other.length; next += 1) merged.push(other[next] ?? 0);
  return merged;
}
