/** The parts in use; the package has no types. */
declare module 'postject' {
  /** Writes `content` into the program `file` as a section of that name, and sets the mark that indicates this. */
  export function inject(
    file: string,
    name: string,
    content: Buffer,
    options: { readonly sentinelFuse: string },
  ): Promise<void>;
}
