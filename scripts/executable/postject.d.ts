/** What is used of it; the package brings no types. */
declare module 'postject' {
  /** Writes `content` into the program `file` as a section of that name, and sets the mark that says so. */
  export function inject(
    file: string,
    name: string,
    content: Buffer,
    options: { readonly sentinelFuse: string },
  ): Promise<void>;
}
