import { builtInProfiles } from '../../src/app/settings/profiles.ts';
import { fileKey, names, table, type Name } from '../../src/app/settings/table.ts';
import type { Generator } from './generator.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

function fallback(name: Name): string {
  const { fallback: value, without } = table[name];
  if (value !== undefined) return `\`${value}\``;
  return without === 'none' || without === '' ? 'none' : `none: ${without}`;
}

function line(name: Name): string {
  const { meaning, secret } = table[name];
  const notes = [meaning, ...(secret ? [`A secret: \`${name}_FILE\` names a file that holds it`] : [])];
  return `| \`${name}\` | \`${fileKey(name)}\` | ${cell(notes.join('. '))} | ${cell(fallback(name))} |`;
}

const head = `# Configuration

<!-- Written by \`npm run docs\` from src/app/settings/table.ts. -->

Every setting is one environment variable. It can also stand in a YAML file, named by \`CAUSEWAY_CONFIG\`, under its key:
the variable's name without \`CAUSEWAY_\`, in lower case, with dots for underscores. Dots may be written out or nested:
\`database.url: …\` and \`database: { url: … }\` say the same. The environment wins over the file. A variable that is empty
is one that is not set.

A secret can be given as a file: the same name with \`_FILE\` behind it (\`.file\` behind its key). One line break at the end
of the file does not count. Giving a secret both ways in one place is a fault.

The configuration is read once, at start. Whatever is wrong with it is reported together, one line for each fault, and
the bridge ends with code 2; a name that is no setting is a fault too. \`causeway config check\` does that, checks the
mapping files and \`CAUSEWAY_ROUTES\`, too, and shows what is in force.

Without \`CAUSEWAY_V3_BASE_URL\`, \`CAUSEWAY_AUTH_URL\`, \`CAUSEWAY_CLIENT_ID\` and \`CAUSEWAY_CLIENT_SECRET\` the bridge passes
calls through to V1 and nothing else: a good first step, since legacy programs can change their base URL long before
anybody consents.

| variable | key in the file | meaning | default |
|---|---|---|---|
`;

const profiles = `
## Profiles

\`CAUSEWAY_UPSTREAM_PROFILE\` is ${builtInProfiles.map((name) => `\`${name}\``).join(', ')} or the path of a file of the same form as
\`mappings/profiles/spec.yaml\`. \`spec\` is what the specification describes; \`a\` and \`b\` are the two kinds of
authorisation server the service is met with. A profile holds the paths of the authorisation server, where credentials go, the header
that names the organisation, where the organisation is looked up, the form of V3 identifiers, page sizes, the limits of
requests a minute (\`limits.perMinute\`) and in progress at once (\`limits.concurrent\`: 5 in \`a\` and \`b\`; not in \`spec\`, since the
specification names none), and every duration of the token protocol. \`legacyIdentifiers\` says how identifiers are taken that can be
read in two ways, after the move: with leading zeros (\`zeroPadded\`: \`refuse\` as unknown, or \`accept\`, so that \`0012\` is 12), and
twice in one element of a request (\`doubled\`: \`refuse\`, or the \`first\` or \`last\` counts). V1 itself decides until then.
`;

export const configurationDocument: Generator = {
  path: 'docs/reference/configuration.md',
  write: () => head + names.map((name) => `${line(name)}\n`).join('') + profiles,
};

function example(name: Name): string {
  const { meaning, example: value, secret } = table[name];
  const notes = `${meaning}.${secret ? ` Or ${name}_FILE.` : ''}`;
  return `# ${notes}\n# Default: ${fallback(name).replaceAll('`', '')}\n#${name}=${value}\n`;
}

export const environmentExample: Generator = {
  path: '.env.example',
  write: () =>
    `# Every setting of Causeway, each with its default. Take the # away from what you set.\n` +
    `# The bridge reads its environment, not this file: bring a copy there with your supervisor, or in a shell with\n` +
    `# \`set -a; . ./.env; set +a\` (a shell wants quotes around a value that holds spaces).\n` +
    `# Written by \`npm run docs\` from src/app/settings/table.ts.\n\n` +
    `# A YAML file with settings; the environment wins over it.\n# Default: none\n#CAUSEWAY_CONFIG=causeway.yaml\n\n` +
    names.map(example).join('\n'),
};
