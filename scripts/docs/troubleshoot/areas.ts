import type { Advice } from './advice.ts';

/** A part of the source whose errors have one kind of remedy. */
export interface Area extends Advice {
  readonly title: string;
  /** Paths below `src/`. */
  readonly paths: RegExp;
}

/** The sources of errors. The first that matches counts. */
export const areas: readonly Area[] = [
  {
    title: 'Starting the bridge, and its settings',
    paths: /^(?:main\.ts|launch\.js|app\/settings\/|app\/wiring\/key-check)/,
    cause:
      'A setting is missing, contradicts another or cannot be used; all faults are reported together, with exit code 2. A message about a port or a key comes with exit code 1.',
    command: 'causeway config check',
  },
  {
    title: 'The database',
    paths: /^(?:app\/(?:store|migration|open-database|database-route)|db\/|tokens\/|features\/campaign\/sql)/,
    cause: 'The database cannot be opened, reached or written to, or its content does not fit the program.',
    command: 'causeway migrate --plan',
  },
  {
    title: 'Backing up and restoring',
    paths: /^features\/backup\//,
    cause: 'The file is not what the command needs; nothing was changed unless the message says so.',
    command: 'causeway backup --help',
  },
  {
    title: 'Mappings, routes and numbers',
    paths:
      /^(?:mapping\/|proxy\/mapping-trial|app\/tools\/(?:mappings|verify)|app\/wiring\/features\/verify|cli\/commands\/(?:mappings|route|crosswalk|operation\/verify))/,
    cause: 'The mapping has no such method, route or number, or a file cannot be read.',
    command: 'causeway mappings check',
  },
  {
    title: 'Accounts, invitations and consents',
    paths:
      /^(?:proof\/|features\/accounts|cli\/commands\/(?:accounts|campaign|forget|grants|parity|samples|usage)|cli\/(?:selection|work|keys-given)|app\/tools\/remote|app\/wiring\/features\/rehearsal|features\/cutover\/rehearsal)/,
    cause:
      'The account does not exist or its stage does not allow this, a value cannot be used, or `--yes` is missing.',
    command: 'causeway accounts list',
  },
  {
    title: 'Running the installation',
    paths: /^(?:cli\/|app\/(?:tools\/|replay-process))/,
    cause: 'The command needs other arguments, or `--yes`.',
    command: 'causeway --help',
  },
  {
    title: 'Console and API',
    paths: /^(?:features\/admin|http\/)/,
    cause:
      'The request names something that does not exist, conflicts with stored data, or cannot be used. [api](api.md) explains the API’s `code`.',
    command: 'curl -s -H "Authorization: Bearer $TOKEN" "$BRIDGE/_causeway/api/openapi.json"',
  },
];

/** Throws for a part of the source without an area. */
export function areaOf(path: string): Area {
  const area = areas.find(({ paths }) => paths.test(path));
  if (area === undefined)
    throw new Error(`scripts/docs/troubleshoot/areas.ts says nothing about src/${path}`);
  return area;
}
