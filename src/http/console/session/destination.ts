import { CONSOLE_PATH } from '../pages.ts';

/** The address to return to; only pages of the console and the documentation are allowed. */
export function destination(to: string | null): string {
  return to !== null &&
    /^\/_causeway\/(?:console|docs)(?:\/[\w./-]*)?(?:\?[\w=&%.+~*'()!-]*)?$/.test(to) &&
    !/\/\/|^[^?]*\.\./.test(to)
    ? to
    : CONSOLE_PATH;
}
