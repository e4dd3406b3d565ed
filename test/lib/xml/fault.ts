import { XmlFault } from '../../../src/lib/xml/element.ts';

/** The fault the step throws; anything else it throws, or nothing, fails the test. */
export function faultOf(step: () => unknown): XmlFault {
  try {
    step();
  } catch (error) {
    if (error instanceof XmlFault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

export async function faultOfAsync(step: () => Promise<unknown>): Promise<XmlFault> {
  try {
    await step();
  } catch (error) {
    if (error instanceof XmlFault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
