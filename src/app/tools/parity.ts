import type { Parity } from '../../proof/parity/parity.ts';
import type { Deeds } from './deeds.ts';
import type { ParityTools } from './model.ts';

/** The commands on the proof before the switch. */
export const parityToolsOf = (parity: Parity, deeds: Deeds): ParityTools => ({
  report: (account) => parity.report(account),
  compare: (account) => parity.compare(account),
  accept: (account, given) =>
    deeds.do('parity.accept', account, async () => {
      const accepted = await parity.accept(account, given);
      const where = given.forAll ? ', for all accounts' : '';
      return [accepted, `done: ${accepted} differences accepted by ${given.name}${where}: ${given.reason}`];
    }),
});
