/** V1 tells a failed request in its first element, `<Status>ERROR</Status>`; files and foreign answers have none. */
const STATUS = /<Status>\s*(\w+)\s*</;
/** In bytes: so far the first element is looked for. */
const BEGINNING = 4 * 1_024;

/** The same bytes; `succeeded` is called once their beginning shows that V1 did what it was asked. */
export function successfulBody(
  body: Buffer | AsyncIterable<Buffer>,
  succeeded: () => void,
): Buffer | AsyncIterable<Buffer> {
  if (!Buffer.isBuffer(body)) return watched(body, succeeded);
  if (STATUS.exec(body.toString('latin1', 0, BEGINNING))?.[1] !== 'ERROR') succeeded();
  return body;
}

async function* watched(body: AsyncIterable<Buffer>, succeeded: () => void): AsyncGenerator<Buffer> {
  let beginning: string | undefined = '';
  for await (const chunk of body) {
    if (beginning !== undefined) {
      beginning += chunk.toString('latin1', 0, BEGINNING);
      const status = STATUS.exec(beginning)?.[1];
      if (status !== undefined || beginning.length >= BEGINNING) {
        beginning = undefined;
        if (status !== 'ERROR') succeeded();
      }
    }
    yield chunk;
  }
  if (beginning !== undefined) succeeded();
}
