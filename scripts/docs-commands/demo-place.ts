import { join } from 'node:path';
import type { OwnDemo } from '../docs/own-demo.ts';
import type { Place, Replacement } from './block.ts';

const project = join(import.meta.dirname, '..', '..');

/** Ports on which a second bridge can listen. */
export interface Ports {
  readonly bridge: number;
  readonly metrics: number;
}

const hostOf = (address: string): string => new URL(address).host;

/** Common texts of the pages about a demo or the reader's installation, and their values in this demo. */
export const commonReplacements = (demo: OwnDemo): readonly Replacement[] => [
  ['npx causeway', 'causeway'],
  ['127.0.0.1:8080', hostOf(demo.bridge)],
  ['127.0.0.1:9464', hostOf(demo.metrics)],
  ['127.0.0.1:8090', hostOf(demo.sandbox)],
  ['127.0.0.1:8025', hostOf(demo.mailbox)],
  ['https://causeway.example.com', demo.bridge],
  ['cwt_…', demo.token],
];

/** `here` is the demo's own tool, even where `causeway` works on another database. */
const prelude = (demo: OwnDemo): string => `
causeway() { '${process.execPath}' --disable-warning=ExperimentalWarning '${project}/src/cli/bin.js' "$@"; }
here() { (set -a; . '${demo.folder}/causeway.env'; causeway "$@"); }
curl() { command curl --silent --show-error --fail-with-body "$@"; }
legacy() {
  local digit=$1 path=$2; shift 2
  curl "$@" "$BRIDGE/$path?apiKey=0123456789ABCDEF0123456789ABCDEF&accountKey=A000000000000000000000000000000$digit"
}
start() {
  (cd '${project}' && exec '${process.execPath}' --disable-warning=ExperimentalWarning src/main.ts > '${demo.folder}/second.log' 2>&1) &
  until curl -o /dev/null "http://127.0.0.1:$CAUSEWAY_PORT/_causeway/health/ready" 2> /dev/null; do sleep 0.2; done
}`;

/** The environment with which PostgreSQL's tools find a server. `binaries`: the folder they are in. */
export function postgresEnvironment(url: string, binaries: string): Readonly<Record<string, string>> {
  const { hostname, port, username, password } = new URL(url);
  return {
    PGURL: url,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PATH: `${binaries}:${process.env.PATH}`,
  };
}

/**
 * The place in which the blocks of a page are run. `elsewhere`: with the demo's keys, on another database and these
 * ports. `more`: variables of this page only.
 */
export function placeOf(
  demo: OwnDemo,
  folder: string,
  elsewhere: Ports | undefined,
  more: Readonly<Record<string, string>> = {},
): Place {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('CAUSEWAY_'));
  const other = elsewhere && {
    CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'elsewhere.db')}`,
    CAUSEWAY_DEPLOYMENT_FILE: join(folder, 'elsewhere.deployment'),
    CAUSEWAY_PORT: String(elsewhere.bridge),
    CAUSEWAY_METRICS_PORT: String(elsewhere.metrics),
  };
  return {
    folder,
    env: {
      ...Object.fromEntries(inherited),
      ...demo.settings,
      ...other,
      ...more,
      BRIDGE: demo.bridge,
      TOKEN: demo.token,
    },
    prelude: prelude(demo),
    seconds: 120,
  };
}
