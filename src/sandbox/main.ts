import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { keepDebuggerShut } from '../lib/debugger.ts';
import type { Log } from '../lib/log/log.ts';
import { applicationSchema, type Application } from './identity/application.ts';
import { fieldErrors } from './control/json.ts';
import { serveSandbox } from './serve.ts';

keepDebuggerShut();

const usage = `Usage: npm run sandbox

Plays the service on this machine until Ctrl-C. It takes no options; settings come from the environment:
  SANDBOX_PORT            port (default: 8090)
  SANDBOX_HOST            address to listen on (default: 127.0.0.1)
  SANDBOX_PUBLIC_URL      address under which others reach it (default: the listener's)
  SANDBOX_DATABASE        file of its database (default: :memory:)
  SANDBOX_CLIENTS         the registered applications as JSON (default: one for the demo)
  SANDBOX_CLIENTS_FILE    a file with them
  SANDBOX_SEED            clients of the organisation in an empty sandbox (default: 10; 0: no organisation)`;

/** `npm run sandbox`: the sandbox alone. */
const environmentSchema = z.object({
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(8090),
  SANDBOX_HOST: z.string().min(1).default('127.0.0.1'),
  SANDBOX_DATABASE: z.string().min(1).default(':memory:'),
  SANDBOX_PUBLIC_URL: z
    .url()
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  SANDBOX_CLIENTS: z.string().optional(),
  SANDBOX_CLIENTS_FILE: z.string().optional(),
  SANDBOX_SEED: z.coerce.number().int().min(0).max(200_000).default(10),
});

/** Publicly known, so only a sandbox on loopback accepts it. */
const demoApplication: Application = {
  id: 'demo-client',
  name: 'Demo application',
  secrets: ['demo-secret'],
  redirectUris: ['http://127.0.0.1:8080/_causeway/callback', 'http://localhost:8080/_causeway/callback'],
  practice: true,
};

async function main(): Promise<void> {
  const [option] = process.argv.slice(2);
  if (option !== undefined) {
    const isHelp = option === '--help' || option === '-h';
    (isHelp ? process.stdout : process.stderr).write(
      isHelp ? `${usage}\n` : `${option} is no option\n\n${usage}\n`,
    );
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  const settings = read();
  const server = await serveSandbox(
    {
      database: settings.SANDBOX_DATABASE,
      applications: applicationsOf(settings),
      log: stderrLog,
      ...(settings.SANDBOX_PUBLIC_URL !== undefined && { publicUrl: settings.SANDBOX_PUBLIC_URL }),
    },
    { port: settings.SANDBOX_PORT, host: settings.SANDBOX_HOST },
  );
  if (settings.SANDBOX_SEED > 0 && (await server.sandbox.isEmpty())) {
    await server.sandbox.seed({ size: settings.SANDBOX_SEED });
  }
  const stop = (): void => {
    void server.close().then(() => {
      process.exitCode = 0;
    });
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  process.stdout.write(`sandbox listening on ${server.url}\n`);
}

function read(): z.infer<typeof environmentSchema> {
  const given = Object.entries(process.env).filter(
    ([name, value]) => name.startsWith('SANDBOX_') && value !== '',
  );
  const result = environmentSchema.safeParse(Object.fromEntries(given));
  if (!result.success) refuseToStart(fieldErrors(result.error));
  return result.data;
}

function applicationsOf(settings: z.infer<typeof environmentSchema>): readonly Application[] {
  const file = settings.SANDBOX_CLIENTS_FILE;
  let value: unknown;
  try {
    const text = file === undefined ? settings.SANDBOX_CLIENTS : readFileSync(file, 'utf8');
    if (text === undefined) return [demoApplication];
    value = JSON.parse(text);
  } catch {
    refuseToStart([{ field: 'SANDBOX_CLIENTS', message: 'cannot be read as JSON' }]);
  }
  const result = z.array(applicationSchema).safeParse(value);
  if (!result.success) refuseToStart(fieldErrors(result.error, ['SANDBOX_CLIENTS']));
  return result.data;
}

function refuseToStart(faults: readonly { readonly field: string; readonly message: string }[]): never {
  for (const { field, message } of faults) process.stderr.write(`${field}: ${message}\n`);
  process.exit(2);
}

const stderrLog: Log = { info: write('info'), warn: write('warn'), error: write('error') };

function write(level: string): Log['info'] {
  return (event, fields = {}) => {
    process.stderr.write(`${JSON.stringify({ level, event, ...fields })}\n`);
  };
}

try {
  await main();
} catch (error) {
  process.stderr.write(
    `the sandbox cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
