import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Twelve hexadecimal digits that are the same for the same mapping files. Throws Node's errors. */
export function mappingDigest(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.yaml'))
      hash
        .update(`${name}\0`)
        .update(readFileSync(join(folder, name)))
        .update('\0');
  return hash.digest('hex').slice(0, 12);
}
