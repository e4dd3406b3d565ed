import { createRequire } from 'node:module';

/**
 * The packages for reading a mailbox, which not every bridge has: optional peers in package.json, with the versions
 * that the tests use.
 */
const MAILBOX_PACKAGES = { imapflow: '2.10.2', 'postal-mime': '4.0.0' } as const;

/** An optional package is needed but not installed. */
export class PackageMissing extends Error {
  override readonly name = 'PackageMissing';
}

/**
 * Loads a package that is installed by hand: beside the program, or beside the executable, whose own modules are not
 * files. Throws `PackageMissing`, which says what to install.
 */
export function optionalPackage(name: string): unknown {
  for (const place of [import.meta.url, process.execPath]) {
    const found = resolved(createRequire(place), name);
    if (found !== undefined) return createRequire(place)(found);
  }
  const wanted = Object.entries(MAILBOX_PACKAGES).map(([one, version]) => `${one}@${version}`);
  throw new PackageMissing(
    `the package ${name} is not installed: npm install ${wanted.join(' ')} (docs/campaign/mail.md#from-a-mailbox)`,
  );
}

function resolved(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
