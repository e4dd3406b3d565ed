import axios from 'axios';
import { http, https } from '../../../lib/net/http.ts';
import { SECOND } from '../../../lib/time/clock.ts';

/** For one request, in milliseconds. SNS waits for 15 seconds, and may need two: a certificate and a confirmation. */
const PATIENCE = 5 * SECOND;
/** In bytes. A certificate has about two thousand. */
const LONGEST = 65_536;

/**
 * The text at an address of Amazon SNS: no redirects, no proxy, limited in time and size. Rejects with the status or the
 * network's code alone, because a library's error contains the address, and a link to confirm contains a token.
 */
export async function readFromSns(address: string, patience = PATIENCE): Promise<string> {
  const [httpAgent, httpsAgent] = [new http.Agent(), new (https().Agent)()];
  try {
    const { status, data } = await axios.get<string>(address, {
      ...{ adapter: 'http', maxRedirects: 0, proxy: false, httpAgent, httpsAgent },
      ...{ signal: AbortSignal.timeout(patience), maxContentLength: LONGEST },
      ...{ responseType: 'text', transformResponse: (text: unknown) => text, validateStatus: null },
      headers: { Accept: '*/*', 'User-Agent': 'Causeway' },
    });
    if (status === 200) return data;
    throw new Error(`status ${status}`);
  } catch (error) {
    if (axios.isCancel(error)) throw new Error(`no answer within ${patience / SECOND} s`);
    throw axios.isAxiosError(error) ? new Error(error.code ?? 'no answer') : error;
  }
}
