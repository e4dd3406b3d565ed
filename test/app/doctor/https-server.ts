import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An authority of the test's own, whose certificates nobody else trusts. */
export class Authority implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'causeway-ca-'));
  /** Its own certificate, as PEM. */
  readonly certificate: string;

  constructor() {
    this.#openssl([
      'req',
      '-x509',
      ...this.#newKey('ca'),
      '-days',
      '30',
      '-subj',
      '/CN=test',
      '-out',
      'ca.pem',
    ]);
    this.certificate = this.#read('ca.pem');
  }

  /** Key and certificate for a name, for so many days from now. */
  issue(name: string, days: number): { readonly key: string; readonly cert: string } {
    this.#openssl(['req', ...this.#newKey('server'), '-subj', `/CN=${name}`, '-out', 'server.csr']);
    writeFileSync(join(this.#folder, 'extensions'), `subjectAltName=DNS:${name}\n`);
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions'];
    this.#openssl([
      'x509',
      '-req',
      '-in',
      'server.csr',
      ...signed,
      '-days',
      String(days),
      '-out',
      'server.pem',
    ]);
    return { key: this.#read('server.key'), cert: this.#read('server.pem') };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #newKey(name: string): readonly string[] {
    return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];
  }

  #openssl(args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.#folder, stdio: 'ignore' });
  }

  #read(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8');
  }
}

export interface HttpsServer extends AsyncDisposable {
  readonly url: string;
}

/** On loopback, under the name localhost. */
export async function serveHttps(
  certificate: { readonly key: string; readonly cert: string },
  listener: RequestListener,
): Promise<HttpsServer> {
  const server = createServer(certificate, listener);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  server.listen(0, 'localhost', () => {
    resolve(undefined);
  });
  await promise;
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      const { promise: closed, resolve: done } = Promise.withResolvers<undefined>();
      server.close(() => {
        done(undefined);
      });
      await closed;
    },
  };
}
