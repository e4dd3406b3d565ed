import type { Services } from '../wiring/services.ts';
import type { Deeds } from './deeds.ts';
import type { SampleTools } from './model.ts';

/** The commands for samples. */
export const sampleToolsOf = ({ samples, settings, store }: Services, deeds: Deeds): SampleTools => ({
  show: async ({ id }) => ({
    isOn: settings.samples.on && (await samples.isOn(id)),
    counts: await samples.counts(id),
  }),
  switch: (account, isOn) =>
    deeds.do('samples.switch', account, async () => {
      await samples.switch(account.id, isOn);
      return [undefined, isOn ? 'on' : 'off'];
    }),
  forget: (account) =>
    deeds.do('samples.forget', account, async () => {
      await store.parity.eraseExamples(account.id);
      const erased = await samples.erase(account.id);
      return [erased, `done: ${erased} samples`];
    }),
});
