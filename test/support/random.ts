import fc from 'fast-check';

/**
 * The same made-up cases on every machine, so that a run says something about what was changed and nothing about luck.
 * `npm test -- --seed random` (or a number) tries others and prints their seed; what fails there becomes a case of its
 * own in the test concerned. Without `npm test`: `CAUSEWAY_TEST_SEED`.
 */
const given = process.env.CAUSEWAY_TEST_SEED ?? '20261120';
if (given !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });

export { fc };
