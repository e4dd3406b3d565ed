/**
 * Settings as lines `NAME=value`, as shells and other tools read them; a value that needs quotes gets single
 * ones.
 */
export const environmentText = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${/^[\w@%+=:,./~-]*$/.test(value) ? value : quoted(value)}\n`)
    .join('');

const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

/** Reads that format. Other lines are ignored. */
export const readEnvironment = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(
      text.matchAll(/^(CAUSEWAY_[A-Z0-9_]+|SANDBOX_[A-Z0-9_]+)=(.*)$/gm),
      ([, name = '', value = '']) => [
        name,
        value.startsWith("'") ? value.slice(1, -1).replaceAll("'\\''", "'") : value,
      ],
    ),
  );
