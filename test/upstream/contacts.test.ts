import { describe, expect, it } from '@jest/globals';
import { Contacts } from '../../src/upstream/limiter/contacts.ts';

const FENCE = 20;

/** Greetings of one instance, one a moment, and what each shows of the instance `a`. */
class Watch {
  readonly contacts = new Contacts(FENCE);
  now = 0;
  epoch = 'first';

  see(value: string | undefined, moments = 1): void {
    for (let n = 0; n < moments; n += 1) {
      this.now += 1;
      const heard = new Map(value === undefined ? [] : [['a', value]]);
      this.contacts.noted({ epoch: this.epoch, heard, sent: this.now, received: this.now }, ['a']);
    }
  }

  get silentFor(): number {
    return this.contacts.silentFor('a', this.now);
  }
}

describe('the last contacts of other instances, from the shared store,', () => {
  it('are empty before the store was read, and count from then on', () => {
    const watch = new Watch();
    watch.now = 500;
    expect(watch.silentFor).toBe(0);
    watch.see(undefined, 11);
    expect(watch.silentFor).toBe(10);
  });

  it('show silence since the last change', () => {
    const watch = new Watch();
    watch.see('1', 10);
    watch.see('2', 4);
    expect(watch.silentFor).toBe(3);
  });

  it('start again after data was lost, when another instance may have continued', () => {
    const watch = new Watch();
    watch.see('1', 2 * FENCE);
    watch.epoch = 'second';
    watch.see(undefined, 5);
    expect(watch.silentFor).toBe(4);
  });

  it('outlast the store for an instance that had stopped before', () => {
    const watch = new Watch();
    watch.see('1', 2 * FENCE + 3);
    watch.epoch = 'second';
    watch.see(undefined, 5);
    expect(watch.silentFor).toBe(2 * FENCE + 7);
    watch.see('2');
    expect(watch.silentFor).toBe(0);
  });

  it('do not outlast it for an instance registered since', () => {
    const watch = new Watch();
    watch.see('1', 2 * FENCE + 3);
    watch.contacts.registered('a', watch.now - 1_000);
    expect(watch.silentFor).toBe(2 * FENCE + 2);
    watch.contacts.registered('a', watch.now + 1);
    watch.now += 300;
    watch.epoch = 'second';
    watch.see(undefined);
    expect(watch.silentFor).toBe(0);
  });
});
