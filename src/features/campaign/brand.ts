/** The name and colours that customers see on pages and in e-mails. */
export interface Brand {
  readonly name: string;
  /** An https or `data:image/…` address. */
  readonly logo: string | undefined;
  /** `#rrggbb`, for buttons and the stripe above a page. */
  readonly colour: string;
  /** For text on `colour`: black or white, whichever is easier to read. */
  readonly onColour: '#000000' | '#ffffff';
  /** An e-mail address customers may write to. */
  readonly support: string | undefined;
}

/** The installation's brand, and the names of the products that use an OAuth application of their own. */
export interface Brands {
  readonly brand: Brand;
  /** By the name of the application. */
  readonly brandNames?: ReadonlyMap<string, string> | undefined;
}

/** The brand under which an application addresses customers; undefined: the installation's. */
export const brandOf = ({ brand, brandNames }: Brands, application: string | undefined): Brand => {
  const name = application === undefined ? undefined : brandNames?.get(application);
  return name === undefined ? brand : { ...brand, name };
};

/** `#rrggbb` in any case. */
export const colourForm = /^#[0-9a-f]{6}$/i;

/** Relative luminance, 0 to 1 (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2). Both as `#rrggbb`. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** One of the two always reaches the 4.5 that text needs: on no background are both below 4.58. */
export const readableOn = (colour: string): Brand['onColour'] =>
  contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#ffffff' : '#000000';
