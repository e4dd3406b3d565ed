import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { owner } from '../../scripts/testing/private-postgres.ts';
import { freePort } from './bridge.ts';
import { eventually } from './clock.ts';

/** As PEM. */
interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** The program dovecot; empty where this machine has none. */
const program = process.env.CAUSEWAY_TEST_DOVECOT ?? '';
export const hasDovecot = program !== '';

export const MAILBOX_USER = 'bounces@example.com';
export const MAILBOX_PASSWORD = 'p@ss w/rd%';

/**
 * Dovecot of the test's own on loopback, with one mailbox in a temporary folder: without TLS or by STARTTLS at one port, with TLS
 * from the first byte at the other.
 */
export class RunningDovecot {
  readonly #folder = mkdtempSync(join(tmpdir(), 'causeway-dovecot-'));
  readonly port: number;
  readonly tlsPort: number;
  #process: ChildProcess | undefined;

  private constructor(port: number, tlsPort: number) {
    this.port = port;
    this.tlsPort = tlsPort;
  }

  /** `certificate`: for the name localhost, as PEM. */
  static async start(certificate: Certificate): Promise<RunningDovecot> {
    const made = new RunningDovecot(await freePort(), await freePort());
    made.#configure(certificate);
    await made.run();
    return made;
  }

  /** As the setting takes it. */
  get url(): string {
    return `imap://${encodeURIComponent(MAILBOX_USER)}:${encodeURIComponent(MAILBOX_PASSWORD)}@127.0.0.1:${this.port}`;
  }

  /** The same with TLS from the first byte. */
  get tlsUrl(): string {
    return this.url.replace('imap:', 'imaps:').replace(`127.0.0.1:${this.port}`, `localhost:${this.tlsPort}`);
  }

  async run(): Promise<void> {
    const log = openSync(join(this.#folder, 'output'), 'a');
    const own = spawn(program, ['-F', '-c', join(this.#folder, 'dovecot.conf')], {
      ...owner(),
      cwd: this.#folder,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#process = own;
    await eventually('Dovecot answers', async () => {
      if (own.exitCode !== null) throw new Error(`Dovecot did not start: ${this.output}`);
      return (await greets(this.port)) ? true : undefined;
    });
  }

  get output(): string {
    return ['output', 'log'].map((name) => readFileSync(join(this.#folder, name), 'utf8')).join('');
  }

  async stop(): Promise<void> {
    const own = this.#process;
    this.#process = undefined;
    if (own?.exitCode !== null || own.signalCode !== null) return;
    const ended = once(own, 'exit');
    own.kill('SIGTERM');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #configure({ key, cert }: Certificate): void {
    const runAs = owner();
    const { uid, gid } = runAs ?? userInfo();
    const user = nameOf(uid);
    const group = groupOf(gid);
    for (const name of ['run', 'mail', 'home']) mkdirSync(join(this.#folder, name));
    const settings = `
base_dir = ${join(this.#folder, 'run')}
state_dir = ${join(this.#folder, 'run')}
log_path = ${join(this.#folder, 'log')}
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${join(this.#folder, 'cert.pem')}
ssl_key = <${join(this.#folder, 'key.pem')}
disable_plaintext_auth = no
auth_failure_delay = 0
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${join(this.#folder, 'mail')}/%u
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${join(this.#folder, 'users')}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${join(this.#folder, 'home')}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${this.port}
  }
  inet_listener imaps {
    port = ${this.tlsPort}
    ssl = yes
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;
    writeFileSync(join(this.#folder, 'dovecot.conf'), settings);
    writeFileSync(join(this.#folder, 'log'), '');
    writeFileSync(join(this.#folder, 'cert.pem'), cert);
    writeFileSync(join(this.#folder, 'key.pem'), key, { mode: 0o600 });
    writeFileSync(join(this.#folder, 'users'), `${MAILBOX_USER}:{PLAIN}${MAILBOX_PASSWORD}\n`);
    chmodSync(this.#folder, 0o755);
    if (runAs)
      for (const name of ['', 'run', 'mail', 'home', 'dovecot.conf', 'users', 'log', 'cert.pem', 'key.pem'])
        chownSync(join(this.#folder, name), uid, gid);
  }
}

const fieldOf = (file: string, id: number): string =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => fields[2] === String(id))?.[0] ?? String(id);
const nameOf = (uid: number): string => fieldOf('/etc/passwd', uid);
const groupOf = (gid: number): string => fieldOf('/etc/group', gid);

async function greets(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    return greeting.toString().startsWith('* OK');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
