const START =
  ':A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';

const NAME = new RegExp(`^[${START}][${START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}]*$`, 'u');

/** A name according to XML 1.0, production 5. */
export function isName(name: string): boolean {
  return NAME.test(name);
}

/** Names come from tables, so an invalid one is a fault of the table: `RangeError`. */
export function checkName(name: string): string {
  if (!isName(name)) throw new RangeError(`not a name of XML: ${JSON.stringify(name)}`);
  return name;
}
