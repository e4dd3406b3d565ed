import fc from 'fast-check';

/**
 * The same made-up cases on every machine, so that a run says something about what was changed and nothing about luck.
 * `CAUSEWAY_TEST_SEED`: another number, or `random` for cases nobody has tried yet; a failure names its seed.
 */
const given = process.env.CAUSEWAY_TEST_SEED ?? '20261120';
if (given !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });

export { fc };
